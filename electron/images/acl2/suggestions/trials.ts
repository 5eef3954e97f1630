/**
 * Suggestions are tried by the image before they are told (resources/lisp/acl2/trials.lisp): a theorem that small values
 * refute, or a guard that allows none of them any more, helps nobody.
 */
import { z } from 'zod';
import type { EventReport, Suggestion } from '../../../contract/proof';
import type { ImageOutcome } from '../../image';
import type { Acl2Queries } from '../queries';

/** `empty`: its guard, or its hypotheses, hold for no small values, and those of what was submitted do. `unknown`: it is about
 * functions that the world does not have, such as the one that was not admitted. */
const Trial = z.object({
  verdict: z.enum(['tenable', 'false', 'empty', 'unknown']),
  values: z.array(z.object({ variable: z.string(), value: z.string() })),
});
type Trial = z.infer<typeof Trial>;

const Trials = z.object({ trials: z.array(Trial) });

const TRIED: ReadonlySet<Suggestion['kind']> = new Set(['hypothesis', 'lemma', 'guard']);

/** Forms that leave the world in which they failed: what a book has defined is gone when it could not be certified. */
const PLAIN = /^\((?:DEFUND?|DEFTHMD?|THM|MUTUAL-RECURSION|VERIFY-GUARDS)\s/;

/** The outcome with what is left of its suggestions. @param failed the form that failed, as ACL2 has it */
export async function withTrials(
  outcome: ImageOutcome,
  failed: string | null,
  queries: Acl2Queries,
): Promise<ImageOutcome> {
  const event = outcome.report?.proof?.events.findLast(({ suggestions }) => suggestions !== undefined);
  if (!event || failed === null || !PLAIN.test(failed)) return outcome;
  const suggestions = event.suggestions ?? [];
  const forms = suggestions.flatMap((each) => (isTried(each) ? [each.form] : []));
  if (forms.length === 0) return outcome;
  const text = `(${[failed, ...forms].join('\n')})`;
  const answer = await queries.ask('trials', text, {}, Trials).catch(() => null);
  if (answer?.trials.length !== forms.length) return outcome;
  const trials = answer.trials.values();
  const left = suggestions.flatMap((each) =>
    isTried(each) ? afterTrial(each, trials.next().value) : [each],
  );
  return withEvent(outcome, event, left);
}

function isTried(suggestion: Suggestion): suggestion is Suggestion & { form: string } {
  return TRIED.has(suggestion.kind) && suggestion.form !== null;
}

/** Of guards it is worth to know why nothing can be suggested. */
export function afterTrial(suggestion: Suggestion, { verdict, values }: Trial = TENABLE): Suggestion[] {
  const { kind, goal } = suggestion;
  if (verdict === 'tenable') return [suggestion];
  if (kind !== 'guard' || verdict === 'unknown') return [];
  const bindings = values.map(({ variable, value }) => `${variable} = ${value}`.toLowerCase()).join(', ');
  const text =
    verdict === 'false'
      ? `${goal ?? 'It'} is false${bindings && ` for ${bindings}`}, so no lemma proves it: strengthen the guard, or test for that in the body.`
      : 'What the calls in it ask for holds of nothing that the guard allows (by testing): the guard or a call is wrong.';
  return [{ ...suggestion, text, form: null }];
}

const TENABLE: Trial = { verdict: 'tenable', values: [] };

function withEvent(outcome: ImageOutcome, event: EventReport, suggestions: Suggestion[]): ImageOutcome {
  const { report } = outcome;
  if (!report?.proof) return outcome;
  const { suggestions: _tried, ...bare } = event;
  const told = suggestions.length > 0 ? { ...bare, suggestions } : bare;
  const events = report.proof.events.map((each) => (each === event ? told : each));
  return { ...outcome, report: { ...report, proof: { ...report.proof, events } } };
}
