/**
 * Suggestions for a failed form, from its checkpoints and ACL2's output. The image tests some of them on small
 * values (resources/lisp/acl2/trials.lisp), and those that are refuted are removed. Then ACL2 tries to prove
 * what is left (attempts.ts).
 */
import { z } from 'zod';
import type { EventReport, Suggestion } from '../../../contract/proof';
import type { ImageOutcome } from '../../image';
import type { Acl2Queries } from '../conversation';
import type { FormRecord } from '../records';
import type { Failure as FailedForm } from '../submitted-forms';
import { withAttempts } from './attempts';
import { guardConjectures } from './definitions';
import { counterexample, type Failure, failureOf, type Rule } from './failure';
import { missedHypotheses, missingHypotheses } from './hypotheses';
import { constantsInInduction, otherInductions } from './induction';
import { lemmaCandidates } from './lemmas';
import { type LemmaSearch, libraryLemmas } from './library-lemmas';
import { lacksMeasure, measureLemmas, measures, measuresOfMutualRecursion } from './measures';
import { elementRules, type ProofIdea, proofIdeas, throughRules } from './proof-ideas';
import { disabledFunctions, limitsReached, missingArithmetic, rulesThatDoNotWork } from './theory';

/** Maximum suggestions of one rule, and in total. */
const MOST_PER_RULE = 3;
const MOST = 8;

/** Most informative rules first. */
const THEOREM_RULES: readonly Rule[] = [
  counterexample,
  limitsReached,
  missingHypotheses,
  constantsInInduction,
  missedHypotheses,
  disabledFunctions,
  missingArithmetic,
  lemmaCandidates,
  otherInductions,
  rulesThatDoNotWork,
];
const DEFINITION_RULES: readonly Rule[] = [
  measures,
  measuresOfMutualRecursion,
  guardConjectures,
  rulesThatDoNotWork,
];

/** Kinds of suggestions that are useless in addition to another kind. */
const USELESS_WITH: readonly (readonly [Suggestion['kind'], readonly Suggestion['kind'][]])[] = [
  ['counterexample', ['lemma', 'induction', 'generalize', 'theory', 'limit']],
  ['hypothesis', ['induction']],
];

export function suggestionsFor(
  record: FormRecord,
  printed: { output: string; commentary: string },
): Suggestion[] {
  if (record.ok) return [];
  return suggestionsOf(failureOf(record, printed));
}

function isDefinition(failure: Failure): boolean {
  return lacksMeasure(failure) || /proof\s+of\s+the\s+guard\s+conjecture/.test(failure.printed);
}

export function suggestionsOf(failure: Failure): Suggestion[] {
  const rules = isDefinition(failure) ? DEFINITION_RULES : THEOREM_RULES;
  const found = rules.flatMap((rule) => rule(failure).slice(0, MOST_PER_RULE));
  const kinds = new Set(found.map(({ kind }) => kind));
  const useless = new Set(USELESS_WITH.filter(([reason]) => kinds.has(reason)).flatMap(([, kinds]) => kinds));
  return found.filter(({ kind }) => !useless.has(kind)).slice(0, MOST);
}

/**
 * `empty`: no small values satisfy its guard or hypotheses, although they satisfy those of the submitted
 * form. `unknown`: it uses functions that are not in the world, such as one that was not admitted.
 */
const Trial = z.object({
  verdict: z.enum(['tenable', 'false', 'empty', 'unknown']),
  values: z.array(z.object({ variable: z.string(), value: z.string() })),
});
type Trial = z.infer<typeof Trial>;

const Trials = z.object({ trials: z.array(Trial) });

const TRIED: ReadonlySet<Suggestion['kind']> = new Set(['hypothesis', 'lemma', 'guard']);

/**
 * Forms that fail without changing the world. After a failed certification the definitions of the book are
 * gone.
 */
const PLAIN = /^\((?:DEFUND?|DEFTHMD?|THM|MUTUAL-RECURSION|VERIFY-GUARDS)\s/;

/** Maximum candidates of rules that are tested. */
const MOST_RULES = 24;

/**
 * Returns the outcome without refuted suggestions, and with those that ACL2 proves first.
 * @param library null if the image cannot include system books
 */
export async function withTrials(
  outcome: ImageOutcome,
  failed: FailedForm | null,
  queries: Acl2Queries,
  library: LemmaSearch | null,
): Promise<ImageOutcome> {
  const event = outcome.report?.proof?.events.findLast(({ verdict }) => verdict === 'failed');
  if (!event || failed === null || !PLAIN.test(failed.record.form)) return outcome;
  const { form } = failed.record;
  const failure = failureOf(failed.record, failed.printed);
  const isFalse = failure.counterexample !== null;
  const suggestions = event.suggestions ?? [];
  const rules = isFalse ? [] : [...elementRules(failure), ...throughRules(failure)].slice(0, MOST_RULES);
  const tested = [...suggestions.filter(isTried), ...rules];
  const trials = await trialsOf(tested, form, queries);
  const remaining = suggestions.flatMap((each) => afterTrial(each, trials.get(each)));
  const isTenable = (rule: ProofIdea) => trials.get(rule)?.verdict === 'tenable';
  const ideas = isFalse
    ? []
    : [...measureLemmas(failure), ...proofIdeas(failure, library !== null), ...rules.filter(isTenable)];
  const books = isFalse || library === null ? [] : await libraryLemmas(failure, library);
  const tried = await withAttempts([...remaining, ...books], ideas, form, queries);
  return withEvent(outcome, event, tried.slice(0, MOST));
}

type Tested = (Suggestion & { form: string }) | ProofIdea;

async function trialsOf(
  tested: readonly Tested[],
  failed: string,
  queries: Acl2Queries,
): Promise<Map<Suggestion | ProofIdea, Trial | undefined>> {
  if (tested.length === 0) return new Map();
  const text = `(${[failed, ...tested.map(({ form }) => form)].join('\n')})`;
  const answer = await queries.query('trials', text, {}, Trials).catch(() => null);
  return new Map(tested.map((each, at) => [each, answer?.trials[at]]));
}

function isTried(suggestion: Suggestion): suggestion is Suggestion & { form: string } {
  return TRIED.has(suggestion.kind) && suggestion.form !== null;
}

/** A refuted guard suggestion is replaced by the reason. */
function afterTrial(suggestion: Suggestion, trial: Trial | undefined): Suggestion[] {
  if (trial === undefined || trial.verdict === 'tenable') return [suggestion];
  if (suggestion.kind !== 'guard' || trial.verdict === 'unknown') return [];
  const text = trial.verdict === 'false' ? refuted(suggestion, trial) : untested(suggestion);
  return [{ ...suggestion, text, form: null }];
}

/** That no tested value satisfies a guard proves nothing: few are tested, and none of a stobj. */
function untested({ text }: Suggestion): string {
  const [required = ''] = /^.*?\.(?= |$)/.exec(text) ?? [];
  return `${required} No tested value satisfies this together with the guard; few values are tested. Prove, as a lemma, that it follows from the guard, or correct one of them.`.trim();
}

function refuted({ goal }: Suggestion, { values }: Trial): string {
  const bindings = values.map(({ variable, value }) => `${variable} = ${value}`.toLowerCase()).join(', ');
  const where = bindings === '' ? '' : ` for ${bindings}`;
  return `${goal ?? 'The goal'} is false${where}, so no lemma can prove it. Strengthen the guard, or test for this case in the body.`;
}

function withEvent(outcome: ImageOutcome, event: EventReport, suggestions: Suggestion[]): ImageOutcome {
  const { report } = outcome;
  if (!report?.proof) return outcome;
  const { suggestions: _tried, ...bare } = event;
  const updated = suggestions.length > 0 ? { ...bare, suggestions } : bare;
  const events = report.proof.events.map((each) => (each === event ? updated : each));
  return { ...outcome, report: { ...report, proof: { ...report.proof, events } } };
}
