/** An induction whose hypothesis is about another argument than the goal, as of a function with an accumulator. */
import type { Suggestion } from '../../../contract/proof';
import type { Checkpoint, Rule } from './failure';
import {
  type Call,
  callsIn,
  conjectureOf,
  isVariable,
  printTerm,
  sameTerm,
  type Term,
  variablesOf,
} from './term';

/** The hypothesis has the variable `formal` where the goal has `actual`, in calls that are the same otherwise. */
interface Missed {
  goal: string;
  call: Call;
  formal: string;
  actual: Term;
}

export const missedHypotheses: Rule = ({ checkpoints }) => {
  const missed = checkpoints.map(missedHypothesis).filter((each) => each !== null);
  const [first] = missed;
  // One induction has to serve all goals.
  return first ? [suggestion(first)] : [];
};

function suggestion({ goal, call, formal, actual }: Missed): Suggestion {
  const [to, wanted] = [printTerm(actual), printTerm(call)];
  return {
    kind: 'induction',
    goal,
    text: `${goal} is about ${wanted}, its hypothesis about the same with ${printTerm(formal)} for ${to}: induct by a function that calls itself with ${to} for ${printTerm(formal)}.`,
    form: null,
  };
}

/** What the hypothesis of an induction says in vain; null where nothing is seen of that. */
export function missedHypothesis({ goal, term, underInduction }: Checkpoint): Missed | null {
  if (!underInduction) return null;
  const { hypotheses, conclusion } = conjectureOf(term);
  const known = hypotheses.flatMap((hypothesis) => [...callsIn(hypothesis)]);
  for (const call of callsIn(conclusion)) {
    if (known.some((each) => sameTerm(each, call))) continue;
    for (const other of known) {
      const change = onlyChange(other, call);
      if (change) return { goal, call, ...change };
    }
  }
  return null;
}

/** A variable that became more than itself is what an induction must be told of; any other one it finds. */
function onlyChange(known: Call, met: Call): Pick<Missed, 'formal' | 'actual'> | null {
  if (known[0] !== met[0] || known.length !== met.length || known.length < 3) return null;
  const changes = known.flatMap((formal, at) => {
    const actual = met[at] ?? 'NIL';
    return sameTerm(formal, actual) ? [] : [{ formal, actual }];
  });
  const [change, ...more] = changes;
  if (change === undefined || more.length > 0 || !isVariable(change.formal)) return null;
  const { formal, actual } = change;
  return typeof actual !== 'string' && variablesOf(actual).has(formal) ? { formal, actual } : null;
}
