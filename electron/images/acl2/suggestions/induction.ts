/** Suggestions for a missing or wrong induction: other calls in the theorem that suggest a scheme. */
import type { Suggestion } from '../../../contract/proof';
import {
  type Call,
  callsIn,
  isConstant,
  isVariable,
  printTerm,
  readTerm,
  sameTerm,
  withoutPackage,
} from '../terms';
import {
  type Checkpoint,
  type Failure,
  type GoalFunction,
  goalHint,
  type Rule,
  type Theorem,
  theoremOf,
} from './failure';

/** Maximum alternatives to the scheme that ACL2 chose. */
const MOST_SCHEMES = 3;

/** Longer calls are not readable. */
const CHOSEN = /according to a scheme suggested by\s+(\([\s\S]{1,2000}?\))(?:\.|,)\s/;

export const otherInductions: Rule = (failure) => {
  const theorem = theoremOf(failure);
  if (!theorem) return [];
  const calls = inductiveCalls(theorem, failure);
  const together = failure.functions.find(
    ({ name, clique }) =>
      clique.length > 0 && [...callsIn(theorem.conjecture)].some(([each]) => each === name),
  );
  if (together) return [inductionOfAll(together)];
  if (failure.gaveUp === 'DO-NOT-INDUCT') return [forbidden(calls)];
  const chosen = CHOSEN.exec(failure.printed)?.[1];
  if (chosen === undefined)
    return failure.printed.includes('No induction schemes are suggested')
      ? [withoutScheme(theorem, calls)]
      : [];
  if (!failure.checkpoints.some(({ underInduction }) => underInduction)) return [];
  const taken = readTerm(chosen);
  const others = calls.filter((call) => taken === null || !sameTerm(call, taken)).slice(0, MOST_SCHEMES);
  return others.map((call) => ({
    kind: 'induction',
    goal: null,
    text: `ACL2 chose the induction suggested by ${printTerm(taken ?? chosen)}. The one suggested by ${printTerm(call)} may fit better.`,
    form: withInduction(theorem, call),
  }));
};

/** Suggests an induction for mutually recursive functions, for which ACL2 has none. */
function inductionOfAll({ name, clique }: GoalFunction): Suggestion {
  const flag = `flag-${printTerm(withoutPackage(name))}`;
  const each = clique.map((one) => `(defthm ... :flag ${printTerm(one)})`).join(' ');
  return {
    kind: 'induction',
    goal: null,
    text: `${clique.map(printTerm).join(' and ')} are mutually recursive, and ACL2 has no induction scheme for them. After (include-book "tools/flag" :dir :system), this form creates one. Then prove a theorem about each of them together: (defthm-${flag} ${each}).`,
    form: `(make-flag ${flag} ${printTerm(name)})`,
  };
}

function forbidden(calls: readonly Call[]): Suggestion {
  const scheme = calls[0] ? `, such as that of ${printTerm(calls[0])},` : '';
  return {
    kind: 'induction',
    goal: null,
    text: `A :do-not-induct hint stopped the proof where an induction${scheme} would have started. Remove the hint, or prove the checkpoint as a lemma first.`,
    form: null,
  };
}

function withoutScheme(theorem: Theorem, calls: readonly Call[]): Suggestion {
  const [call] = calls;
  return {
    kind: 'induction',
    goal: null,
    text: call
      ? `The remaining goal suggests no induction. If the theorem needs one, name a call to induct on, such as ${printTerm(call)}; otherwise prove the checkpoint as a lemma.`
      : 'The goal suggests no induction, because it calls no recursive function on variables. It is false, or needs lemmas, or a function in it is disabled.',
    form: call ? withInduction(theorem, call) : null,
  };
}

function withInduction(theorem: Theorem, call: Call): string | null {
  const form = theorem.with({ hints: goalHint(':INDUCT', call) });
  return form && printTerm(form);
}

/** Returns calls of recursive functions with at least one variable as argument. */
function inductiveCalls(theorem: Theorem, { functions }: Failure): Call[] {
  const recursive = new Set(functions.filter((each) => each.recursive).map(({ name }) => name));
  const calls = [...callsIn(theorem.conjecture)].filter(
    (call) => recursive.has(call[0]) && call.slice(1).some(isVariable),
  );
  return [...new Map(calls.map((call) => [printTerm(call), call])).values()];
}

/**
 * Suggests generalizing a constant argument that the induction changes, as in a function with an accumulator.
 */
export const constantsInInduction: Rule = (failure) => {
  const theorem = theoremOf(failure);
  if (!theorem) return [];
  const recursive = new Set(failure.functions.filter((each) => each.recursive).map(({ name }) => name));
  const met = failure.checkpoints.filter(({ underInduction }) => underInduction);
  return [...callsIn(theorem.conjecture)].flatMap((call) =>
    recursive.has(call[0]) && call.slice(1).some(isConstant)
      ? met.flatMap((checkpoint) => changed(call, checkpoint)).slice(0, 1)
      : [],
  );
};

/** Finds a call of the same function in the checkpoint with another term in place of the constant. */
function changed(call: Call, { goal, term }: Checkpoint): Suggestion[] {
  const other = [...callsIn(term)].find(
    (each) =>
      each[0] === call[0] &&
      each.length === call.length &&
      call.some((argument, at) => at > 0 && isConstant(argument) && !sameTerm(argument, each[at] ?? 'NIL')),
  );
  if (!other) return [];
  const [then, now] = [printTerm(call), printTerm(other)];
  return [
    {
      kind: 'generalize',
      goal,
      text: `${then} has a constant that the induction changes: ${goal} has ${now}, about which the hypothesis says nothing. First prove a theorem with a variable in its place; this theorem then follows.`,
      form: null,
    },
  ];
}
