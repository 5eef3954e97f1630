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
  const tried = suggestions.filter(isTried);
  if (tried.length === 0) return outcome;
  const text = `(${[failed, ...tried.map(({ form }) => form)].join('\n')})`;
  const answer = await queries.ask('trials', text, {}, Trials).catch(() => null);
  const trials = new Map<Suggestion, Trial | undefined>(tried.map((each, at) => [each, answer?.trials[at]]));
  const left = suggestions.flatMap((each) => afterTrial(each, trials.get(each)));
  return withEvent(outcome, event, left);
}

function isTried(suggestion: Suggestion): suggestion is Suggestion & { form: string } {
  return TRIED.has(suggestion.kind) && suggestion.form !== null;
}

/** Of guards it is worth to know why nothing can be suggested. */
function afterTrial(suggestion: Suggestion, trial: Trial | undefined): Suggestion[] {
  if (trial === undefined || trial.verdict === 'tenable') return [suggestion];
  if (suggestion.kind !== 'guard' || trial.verdict === 'unknown') return [];
  const text = trial.verdict === 'false' ? refuted(suggestion, trial) : ALLOWS_NOTHING;
  return [{ ...suggestion, text, form: null }];
}

const ALLOWS_NOTHING =
  'What the calls in it ask for holds of nothing that the guard allows (by testing): the guard or a call is wrong.';

function refuted({ goal }: Suggestion, { values }: Trial): string {
  const bindings = values.map(({ variable, value }) => `${variable} = ${value}`.toLowerCase()).join(', ');
  const where = bindings === '' ? '' : ` for ${bindings}`;
  return `${goal ?? 'The goal'} is false${where}, so no lemma proves it: strengthen the guard, or test for that in the body.`;
}

function withEvent(outcome: ImageOutcome, event: EventReport, suggestions: Suggestion[]): ImageOutcome {
  const { report } = outcome;
  if (!report?.proof) return outcome;
  const { suggestions: _tried, ...bare } = event;
  const told = suggestions.length > 0 ? { ...bare, suggestions } : bare;
  const events = report.proof.events.map((each) => (each === event ? told : each));
  return { ...outcome, report: { ...report, proof: { ...report.proof, events } } };
}
