/**
 * What might help where a proof has failed, from its checkpoints and from what ACL2 said. Nothing here is proved or tried:
 * each is told as a suggestion, and a caller decides.
 */
import type { Suggestion } from '../../../contract/proof';
import type { FormRecord } from '../records';
import { counterexample } from './counterexample';
import { type Failure, failureOf, type Rule } from './failure';
import { constantsInInduction } from './generalization';
import { guardConjectures } from './guards';
import { missingHypotheses } from './hypotheses';
import { otherInductions } from './induction';
import { lemmaCandidates } from './lemmas';
import { lacksMeasure, measures } from './measures';
import { missedHypotheses } from './missed-hypothesis';
import { measuresOfMutualRecursion } from './mutual-recursion';
import { disabledFunctions, limitsReached, missingArithmetic, rulesThatDoNotWork } from './theory';

/** Of one rule and of all: more would be no help. */
const MOST_OF_ONE = 3;
const MOST = 8;

/** Those that say the most come first. */
const OF_THEOREMS: readonly Rule[] = [
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
const OF_DEFINITIONS: readonly Rule[] = [
  measures,
  measuresOfMutualRecursion,
  guardConjectures,
  rulesThatDoNotWork,
];

/** What is false as it stands is not helped by these. */
const IN_VAIN: readonly (readonly [Suggestion['kind'], readonly Suggestion['kind'][]])[] = [
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
  const rules = isDefinition(failure) ? OF_DEFINITIONS : OF_THEOREMS;
  const found = rules.flatMap((rule) => rule(failure).slice(0, MOST_OF_ONE));
  const kinds = new Set(found.map(({ kind }) => kind));
  const useless = new Set(IN_VAIN.filter(([reason]) => kinds.has(reason)).flatMap(([, kinds]) => kinds));
  return found.filter(({ kind }) => !useless.has(kind)).slice(0, MOST);
}
