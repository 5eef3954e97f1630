/**
 * What might help where a proof has failed, from its checkpoints and from what ACL2 said. Nothing here is proved or tried:
 * each is told as a suggestion, and a caller decides.
 */
import type { Suggestion } from '../../../contract/proof';
import type { FormRecord } from '../records';
import { type Failure, failureOf, type Rule } from './failure';
import { constantsInInduction } from './generalization';
import { guardConjectures } from './guards';
import { missingHypotheses } from './hypotheses';
import { otherInductions } from './induction';
import { lemmaCandidates } from './lemmas';
import { measures } from './measures';
import { disabledFunctions, limitsReached, rulesThatDoNotWork } from './theory';

/** Of one rule and of all: more would be no help. */
const MOST_OF_ONE = 3;
const MOST = 8;

/** Those that say the most come first. */
const OF_THEOREMS: readonly Rule[] = [
  limitsReached,
  missingHypotheses,
  constantsInInduction,
  disabledFunctions,
  lemmaCandidates,
  otherInductions,
  rulesThatDoNotWork,
];
const OF_DEFINITIONS: readonly Rule[] = [measures, guardConjectures, rulesThatDoNotWork];

export function suggestionsFor(
  record: FormRecord,
  printed: { output: string; commentary: string },
): Suggestion[] {
  if (record.ok || record.data === null) return [];
  return suggestionsOf(failureOf(record, printed));
}

export function suggestionsOf(failure: Failure): Suggestion[] {
  const definition = /proof of the (?:measure|guard) conjecture/.test(failure.printed);
  const rules = definition ? OF_DEFINITIONS : OF_THEOREMS;
  const found = rules.flatMap((rule) => rule(failure).slice(0, MOST_OF_ONE));
  // What is false as it stands is not helped by another induction.
  const isFalse = found.some(({ kind }) => kind === 'hypothesis');
  return found.filter(({ kind }) => !(isFalse && kind === 'induction')).slice(0, MOST);
}
