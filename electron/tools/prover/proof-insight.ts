/**
 * Observations of a proof (rule costs, rule attempts, open goals): cut to what a result may carry, and as
 * text.
 */
import type { BuilderGoal, BuilderState, RuleAttempt, RuleCost, RuleObservation } from '../../contract/proof';
import type { Allowance } from '../allowance';
import { inOneLine } from './quoted';

/** @param limit maximum characters of a single text */
export function fittingObservation(
  { attempts, attemptCount, costs, disabled = [] }: RuleObservation,
  limit: number,
  allowance: Allowance,
): RuleObservation {
  return {
    attempts: allowance.first(attempts, 'attempts', (attempt) => fittingAttempt(attempt, limit, allowance)),
    attemptCount,
    costs: allowance.first(costs, 'costs of rules', (cost) => ({
      ...cost,
      rule: allowance.head(cost.rule, limit),
    })),
    disabled: allowance.first(disabled, 'disabled rules', (rule) => allowance.head(rule, limit)),
  };
}

function fittingAttempt(attempt: RuleAttempt, limit: number, allowance: Allowance): RuleAttempt {
  const short = (text: string) => allowance.head(text, limit);
  return {
    ...attempt,
    target: short(attempt.target),
    substitution: attempt.substitution.map(({ variable, term }) => ({ variable, term: short(term) })),
    result: attempt.result === null ? null : short(attempt.result),
    failure: attempt.failure === null ? null : short(attempt.failure),
  };
}

/** @param limit maximum characters of a single text */
export function fittingBuilder({ goals }: BuilderState, limit: number, allowance: Allowance): BuilderState {
  return {
    goals: allowance.first(goals, 'goals', ({ hypotheses, conclusion, ...goal }) => ({
      ...goal,
      hypotheses: allowance.first(hypotheses, 'hypotheses', (hypothesis) =>
        allowance.head(hypothesis, limit),
      ),
      conclusion: allowance.head(conclusion, limit),
    })),
  };
}

/** Returns the sections of a record's text. Empty sections are omitted. */
export function insightSections({
  observation,
  builder,
}: {
  observation?: RuleObservation | undefined;
  builder?: BuilderState | undefined;
}): string[] {
  return [
    ...(observation ? [observationText(inOneLine(observation))] : []),
    ...(builder ? [`[goals left by the instructions]\n${goalsText(inOneLine(builder.goals))}`] : []),
  ];
}

function observationText(observation: RuleObservation): string {
  const { disabled = [] } = observation;
  const texts = disabled.map((rule) => `${rule} is disabled: it is tried only if a hint enables it`);
  return [attemptsText(observation), ...texts].join('\n');
}

function attemptsText({ attempts, attemptCount, costs }: RuleObservation): string {
  if (costs.length > 0)
    return `[costs of rules]\nframes (useful) · tries (useful)\n${costs.map(costText).join('\n')}`;
  if (attemptCount === 0) return '[attempts of the watched rules]\nnone: no term in the proof matched them';
  const more = attemptCount - attempts.length;
  return [
    `[attempts of the watched rules] ${attemptCount}`,
    ...collapsed(attempts.map(attemptText)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n');
}

function costText({ rule, frames, usefulFrames, tries, usefulTries }: RuleCost): string {
  return `${frames} (${usefulFrames}) · ${tries} (${usefulTries}) · ${rule}`;
}

function attemptText({ rule, target, substitution, result, failure, depth }: RuleAttempt): string {
  const bound = substitution.map(({ variable, term }) => `${variable} = ${term}`);
  const became =
    result === null ? `not applied: ${failure ?? 'ACL2 does not say why'}` : `applied, giving ${result}`;
  return [
    `${'  '.repeat(depth - 1)}${rule} on ${target}`,
    ...(bound.length > 0 ? [`    with ${bound.join(', ')}`] : []),
    `    ${became}`,
  ].join('\n');
}

/** Returns each text once, in order of first occurrence, with its count. */
function collapsed(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`));
}

function goalsText(goals: readonly BuilderGoal[]): string {
  return goals.length === 0 ? 'none' : goals.map(goalText).join('\n');
}

function goalText({ name, hypotheses, conclusion, address }: BuilderGoal): string {
  return [
    `${name}${address.length > 0 ? ` · at ${address.join(' ')}` : ''}`,
    ...hypotheses.map((hypothesis, index) => `    ${index + 1}. ${hypothesis}`),
    `    to prove: ${conclusion}`,
  ].join('\n');
}
