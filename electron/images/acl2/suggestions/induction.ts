/** No induction, or perhaps the wrong one: calls in the theorem that suggest a scheme of their own. */
import type { Suggestion } from '../../../contract/proof';
import type { Failure, GoalFunction, Rule, Theorem } from './failure';
import { goalHint, theoremOf } from './failure';
import { type Call, callsIn, isVariable, printTerm, readTerm, sameTerm, withoutPackage } from './term';

/** Alternatives to the scheme that ACL2 chose. */
const MOST_SCHEMES = 3;

/** Nobody would read a longer call. */
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
    text: `ACL2 chose the induction of ${printTerm(taken ?? chosen)}. If its steps do not fit, that of ${printTerm(call)} may.`,
    form: withInduction(theorem, call),
  }));
};

/** ACL2 has no induction of functions that call each other. */
function inductionOfAll({ name, clique }: GoalFunction): Suggestion {
  const flag = `flag-${printTerm(withoutPackage(name))}`;
  const each = clique.map((one) => `(defthm ... :flag ${printTerm(one)})`).join(' ');
  return {
    kind: 'induction',
    goal: null,
    text: `${clique.map(printTerm).join(' and ')} call each other, and ACL2 has no induction for that: after (include-book "tools/flag" :dir :system) this form makes one. Then prove a theorem about each of them at once: (defthm-${flag} ${each}).`,
    form: `(make-flag ${flag} ${printTerm(name)})`,
  };
}

function forbidden(calls: readonly Call[]): Suggestion {
  const scheme = calls[0] ? `, such as that of ${printTerm(calls[0])},` : '';
  return {
    kind: 'induction',
    goal: null,
    text: `A :do-not-induct hint ended the proof where an induction${scheme} would have begun: take the hint away, or prove the checkpoint as a lemma first.`,
    form: null,
  };
}

function withoutScheme(theorem: Theorem, calls: readonly Call[]): Suggestion {
  const [call] = calls;
  return {
    kind: 'induction',
    goal: null,
    text: call
      ? `No induction was suggested by the goal that was left. If the theorem is to be proved by induction, name a call to induct by, such as ${printTerm(call)}; otherwise prove the checkpoint as a lemma.`
      : 'No induction was suggested, because the goal has no recursive function of variables: it is false, or follows from lemmas that are not there, or a function in it is disabled.',
    form: call ? withInduction(theorem, call) : null,
  };
}

function withInduction(theorem: Theorem, call: Call): string | null {
  const form = theorem.with({ hints: goalHint(':INDUCT', call) });
  return form && printTerm(form);
}

/** Calls of recursive functions, of which some argument is a variable. */
function inductiveCalls(theorem: Theorem, { functions }: Failure): Call[] {
  const recursive = new Set(functions.filter((each) => each.recursive).map(({ name }) => name));
  const calls = [...callsIn(theorem.conjecture)].filter(
    (call) => recursive.has(call[0]) && call.slice(1).some(isVariable),
  );
  return [...new Map(calls.map((call) => [printTerm(call), call])).values()];
}
