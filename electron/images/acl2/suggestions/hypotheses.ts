/** A theorem that lacks a hypothesis: a goal is left that only says of what type a variable would have to be. */
import type { Checkpoint, Rule } from './failure';
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

/** The type of a variable without which the goal is hardly true; null where it is about something else. */
export function missingType({ term }: Pick<Checkpoint, 'term'>): readonly [string, string] | null {
  const { hypotheses, conclusion } = conjectureOf(term);
  if (isCall(conclusion) && RECOGNIZERS.has(conclusion[0]) && isVariable(conclusion[1]))
    return [conclusion[0], conclusion[1]];
  const empty = hypotheses
    .map(withoutPair)
    .find((variable) => variable !== null && saysNil(conclusion, variable));
  if (empty) return ['TRUE-LISTP', empty];
  return hypotheses.map(otherType).find((type) => type !== null) ?? null;
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
function otherType(hypothesis: Term): readonly [string, string] | null {
  if (!isCall(hypothesis)) return null;
  const [operator, argument] = hypothesis;
  const base = BASE_CASES.get(operator);
  if (base !== undefined && isVariable(argument)) return [base, argument];
  if (operator !== 'NOT' || !isCall(argument) || argument[0] === 'CONSP') return null;
  return RECOGNIZERS.has(argument[0]) && isVariable(argument[1]) ? [argument[0], argument[1]] : null;
}

export const missingHypotheses: Rule = (failure) => {
  const theorem = theoremOf(failure);
  if (!theorem) return [];
  const given = conjectureOf(theorem.conjecture);
  const known = new Set(given.hypotheses.flatMap(implied));
  return failure.checkpoints.flatMap((checkpoint) => {
    const type = missingType(checkpoint);
    if (type === null || !variablesOf(theorem.conjecture).has(type[1]) || known.has(printTerm(type)))
      return [];
    for (const text of implied(type)) known.add(text);
    const form = theorem.with({
      conjecture: termOf({ ...given, hypotheses: [type, ...given.hypotheses] }),
    });
    return [
      {
        kind: 'hypothesis' as const,
        goal: checkpoint.goal,
        text: `${checkpoint.goal} asks for ${printTerm(type)}, of which nothing is known: the theorem may lack that hypothesis.`,
        form: form && printTerm(form),
      },
    ];
  });
};
