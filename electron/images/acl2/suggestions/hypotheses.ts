/** Suggestions for a theorem without a needed hypothesis: a checkpoint only states the type of a variable. */
import type { Suggestion } from '../../../contract/proof';
import {
  type Call,
  callsIn,
  conjectureOf,
  isCall,
  isVariable,
  printTerm,
  sameTerm,
  type Term,
  termOf,
  variablesOf,
} from '../terms';
import { type Checkpoint, type Failure, type Rule, theoremOf } from './failure';

/** Type recognizers. */
const RECOGNIZERS: ReadonlySet<string> = new Set(
  `ACL2-NUMBERP RATIONALP REAL/RATIONALP INTEGERP NATP POSP CONSP LISTP TRUE-LISTP SYMBOLP STRINGP CHARACTERP BOOLEANP
  ALISTP SYMBOL-LISTP INTEGER-LISTP NAT-LISTP RATIONAL-LISTP ACL2-NUMBER-LISTP STRING-LISTP CHARACTER-LISTP`.split(
    /\s+/,
  ),
);

/** Each recognizer with the next wider one that it implies. */
const WIDER: ReadonlyMap<string, string> = new Map(
  Object.entries({
    POSP: 'NATP',
    NATP: 'INTEGERP',
    INTEGERP: 'RATIONALP',
    RATIONALP: 'ACL2-NUMBERP',
    'REAL/RATIONALP': 'ACL2-NUMBERP',
    'NAT-LISTP': 'INTEGER-LISTP',
    'INTEGER-LISTP': 'RATIONAL-LISTP',
    'RATIONAL-LISTP': 'ACL2-NUMBER-LISTP',
    'ACL2-NUMBER-LISTP': 'TRUE-LISTP',
    'SYMBOL-LISTP': 'TRUE-LISTP',
    'STRING-LISTP': 'TRUE-LISTP',
    'CHARACTER-LISTP': 'TRUE-LISTP',
    ALISTP: 'TRUE-LISTP',
    BOOLEANP: 'SYMBOLP',
  }),
);

/** Returns the texts of a hypothesis and all wider types. */
function implied(hypothesis: Term): string[] {
  const [operator, argument] = isCall(hypothesis) ? hypothesis : [];
  const wider = operator === undefined ? undefined : WIDER.get(operator);
  const more = wider === undefined || argument === undefined ? [] : implied([wider, argument]);
  return [printTerm(hypothesis), ...more];
}

/** Types implied by base-case tests. A goal in which the test holds lacks the type of its argument. */
const BASE_CASES: ReadonlyMap<string, string> = new Map(Object.entries({ ZP: 'NATP', ZIP: 'INTEGERP' }));

const NO_PAIR: ReadonlySet<string> = new Set(['ATOM', 'ENDP']);

/** A recognizer and a variable. */
type Type = readonly [string, string];

/** Returns the type of a variable that the goal needs; null if it is about something else. */
export function missingType({ term }: Pick<Checkpoint, 'term'>): Type | null {
  const { hypotheses, conclusion } = conjectureOf(term);
  if (isCall(conclusion) && RECOGNIZERS.has(conclusion[0]) && isVariable(conclusion[1]))
    return [conclusion[0], conclusion[1]];
  const empty = hypotheses
    .map(withoutPair)
    .find((variable) => variable !== null && equatesNil(conclusion, variable));
  return empty ? ['TRUE-LISTP', empty] : null;
}

/**
 * Returns the type of a variable that the goal negates. The goal must be false, because definitions test
 * types as well.
 */
function deniedType(
  { term, goal }: Checkpoint,
  { counterexample, falseGoals }: Pick<Failure, 'counterexample' | 'falseGoals'>,
): Type | null {
  if (counterexample === null && !falseGoals.has(goal)) return null;
  return (
    conjectureOf(term)
      .hypotheses.map(otherType)
      .find((type) => type !== null) ?? null
  );
}

/** Returns the variable that is not a pair by this hypothesis. */
function withoutPair(hypothesis: Term): string | null {
  const [operator, argument] = isCall(hypothesis) ? hypothesis : [];
  if (operator === 'NOT' && isCall(argument, 'CONSP') && isVariable(argument[1])) return argument[1];
  return operator !== undefined && NO_PAIR.has(operator) && isVariable(argument) ? argument : null;
}

function equatesNil(conclusion: Term, variable: string): boolean {
  return [
    ['NOT', variable],
    ['NULL', variable],
    ['EQUAL', variable, 'NIL'],
    ['EQUAL', 'NIL', variable],
  ].some((form) => printTerm(form) === printTerm(conclusion));
}

/** Returns the type that a hypothesis negates, or that its base-case test implies. */
function otherType(hypothesis: Term): Type | null {
  if (!isCall(hypothesis)) return null;
  const [operator, argument] = hypothesis;
  const base = BASE_CASES.get(operator);
  if (base !== undefined && isVariable(argument)) return [base, argument];
  if (operator !== 'NOT' || !isCall(argument) || argument[0] === 'CONSP') return null;
  return RECOGNIZERS.has(argument[0]) && isVariable(argument[1]) ? [argument[0], argument[1]] : null;
}

/** Recognizers that many types satisfy. */
const OF_ANY_LIST: ReadonlySet<Term> = new Set(['CONSP', 'LISTP']);

/** Reports whether the hypotheses give the variable an incompatible type. */
function contradicts(type: Type, hypotheses: readonly Term[]): boolean {
  const [, variable] = type;
  const itself = implied(type);
  return hypotheses.some(
    (each) =>
      isCall(each) &&
      each[1] === variable &&
      RECOGNIZERS.has(each[0]) &&
      !OF_ANY_LIST.has(each[0]) &&
      !itself.includes(printTerm(each)),
  );
}

/**
 * Returns the type, and the same type for other variables whose falsifying values lack it; null if the
 * theorem remains false.
 */
function sufficient(type: Type, counterexample: Failure['counterexample']): Type[] | null {
  const [recognizer] = type;
  const chosen = [type];
  for (const values of counterexample?.types ?? []) {
    const lacking = new Set(
      values.filter(({ types }) => !types.includes(recognizer)).map(({ variable }) => variable),
    );
    if (chosen.some(([, variable]) => lacking.has(variable))) continue;
    const [other] = lacking;
    if (other === undefined) return null;
    chosen.push([recognizer, other]);
  }
  return chosen;
}

export const missingHypotheses: Rule = (failure) => {
  const theorem = theoremOf(failure);
  if (!theorem) return [];
  const given = conjectureOf(theorem.conjecture);
  const known = new Set(given.hypotheses.flatMap(implied));
  return failure.checkpoints.flatMap((checkpoint) => {
    const type = missingType(checkpoint) ?? deniedType(checkpoint, failure);
    if (type === null || !variablesOf(theorem.conjecture).has(type[1]) || known.has(printTerm(type)))
      return [];
    const types = sufficient(type, failure.counterexample);
    if (types === null || types.some((each) => contradicts(each, given.hypotheses))) return [];
    for (const text of types.flatMap(implied)) known.add(text);
    const form = theorem.with({
      conjecture: termOf({ ...given, hypotheses: [...types, ...given.hypotheses] }),
    });
    return [
      {
        kind: 'hypothesis' as const,
        goal: checkpoint.goal,
        text: `${checkpoint.goal} requires ${types.map(printTerm).join(' and ')}, which is unknown. The theorem may need that hypothesis.`,
        form: form && printTerm(form),
      },
    ];
  });
};

/** The hypothesis has the variable `formal` where the goal has `actual`, in otherwise equal calls. */
interface Missed {
  goal: string;
  call: Call;
  formal: string;
  actual: Term;
}

/**
 * Suggests another induction where the induction hypothesis has a different argument than the goal, as with
 * an accumulator.
 */
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
    text: `${goal} is about ${wanted}, but its hypothesis has ${printTerm(formal)} in place of ${to}. Use the induction of a function whose recursive call has ${to} for ${printTerm(formal)}.`,
    form: null,
  };
}

/** Returns the mismatch between an induction hypothesis and the goal; null if none is found. */
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

/**
 * Returns the only difference between two calls, if a variable became a larger term. Other inductions do not
 * need a hint.
 */
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
