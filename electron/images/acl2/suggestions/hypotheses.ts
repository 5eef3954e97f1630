/** A theorem that lacks a hypothesis: a goal is left that only says of what type a variable would have to be. */
import type { Checkpoint, Failure, Rule } from './failure';
import { theoremOf } from './failure';
import { conjectureOf, isCall, isVariable, printTerm, type Term, termOf, variablesOf } from './term';

/** Functions that only ask for a type. */
const RECOGNIZERS: ReadonlySet<string> = new Set(
  `ACL2-NUMBERP RATIONALP REAL/RATIONALP INTEGERP NATP POSP CONSP LISTP TRUE-LISTP SYMBOLP STRINGP CHARACTERP BOOLEANP
  ALISTP SYMBOL-LISTP INTEGER-LISTP NAT-LISTP RATIONAL-LISTP ACL2-NUMBER-LISTP STRING-LISTP CHARACTER-LISTP`.split(
    /\s+/,
  ),
);

/** Types by those that include them: a value of the first is one of the second. */
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

/** What a hypothesis comes to, as text: itself, and the wider types. */
function implied(hypothesis: Term): string[] {
  const [operator, argument] = isCall(hypothesis) ? hypothesis : [];
  const wider = operator === undefined ? undefined : WIDER.get(operator);
  const more = wider === undefined || argument === undefined ? [] : implied([wider, argument]);
  return [printTerm(hypothesis), ...more];
}

/** The type that a base case asks for: where a goal is left in which the test holds, its argument lacks that type. */
const BASE_CASES: ReadonlyMap<string, string> = new Map(Object.entries({ ZP: 'NATP', ZIP: 'INTEGERP' }));

const NO_PAIR: ReadonlySet<string> = new Set(['ATOM', 'ENDP']);

/** A recognizer and a variable. */
type Type = readonly [string, string];

/** The type of a variable without which the goal is hardly true; null where it is about something else. */
export function missingType({ term }: Pick<Checkpoint, 'term'>): Type | null {
  const { hypotheses, conclusion } = conjectureOf(term);
  if (isCall(conclusion) && RECOGNIZERS.has(conclusion[0]) && isVariable(conclusion[1]))
    return [conclusion[0], conclusion[1]];
  const empty = hypotheses
    .map(withoutPair)
    .find((variable) => variable !== null && saysNil(conclusion, variable));
  return empty ? ['TRUE-LISTP', empty] : null;
}

/** The type of a variable that the goal denies: definitions ask for types as well, so it has to be false. */
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

/** The variable that is no pair by this hypothesis. */
function withoutPair(hypothesis: Term): string | null {
  const [operator, argument] = isCall(hypothesis) ? hypothesis : [];
  if (operator === 'NOT' && isCall(argument, 'CONSP') && isVariable(argument[1])) return argument[1];
  return operator !== undefined && NO_PAIR.has(operator) && isVariable(argument) ? argument : null;
}

function saysNil(conclusion: Term, variable: string): boolean {
  return [
    ['NOT', variable],
    ['NULL', variable],
    ['EQUAL', variable, 'NIL'],
    ['EQUAL', 'NIL', variable],
  ].some((form) => printTerm(form) === printTerm(conclusion));
}

/** A hypothesis that denies a type, or asks for the base case of one. */
function otherType(hypothesis: Term): Type | null {
  if (!isCall(hypothesis)) return null;
  const [operator, argument] = hypothesis;
  const base = BASE_CASES.get(operator);
  if (base !== undefined && isVariable(argument)) return [base, argument];
  if (operator !== 'NOT' || !isCall(argument) || argument[0] === 'CONSP') return null;
  return RECOGNIZERS.has(argument[0]) && isVariable(argument[1]) ? [argument[0], argument[1]] : null;
}

/** Recognizers of values of many types. */
const OF_ANY_LIST: ReadonlySet<Term> = new Set(['CONSP', 'LISTP']);

/** Whether the hypotheses say another type of the variable, which hardly anything has as well. */
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

/** The type, and the same of other variables where values of theirs are known for which the theorem is false without; null where
 * it stays false. */
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
        text: `${checkpoint.goal} asks for ${types.map(printTerm).join(' and ')}, of which nothing is known: the theorem may lack that hypothesis.`,
        form: form && printTerm(form),
      },
    ];
  });
};
