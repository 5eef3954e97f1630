/** A theorem about a call with a constant that its induction changes, as of a function with an accumulator. */
import type { Suggestion } from '../../../contract/proof';
import type { Checkpoint, Rule } from './failure';
import { theoremOf } from './failure';
import { type Call, callsIn, isConstant, printTerm, sameTerm } from './term';

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

/** The same function in a checkpoint, with something else where the theorem has a constant. */
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
      text: `${then} has a constant that the induction changes: ${goal} has ${now}, of which the hypothesis says nothing. Prove first what holds with a variable in its place, and take this theorem from it.`,
      form: null,
    },
  ];
}
