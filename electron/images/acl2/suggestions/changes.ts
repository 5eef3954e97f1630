/** How the arguments of a recursion change: what a measure is made of. */
import { type Call, callsIn, isCall, isVariable, printTerm, type Term, variablesOf } from './term';

/**
 * What an argument is beside the formal that stands in its place: a part of it, a lower or a higher number, one that arithmetic
 * shows to be lower, the same, or anything else.
 */
export type Change = 'part' | 'down' | 'divided' | 'up' | 'same' | 'other';

const PARTS = /^(?:C[AD]{1,4}R|REST|FIRST|LAST|BUTLAST)$/;

/** Calls of these are lower than one argument, at that place, where it is a natural number and the call is no division by 1. */
const DIVISIONS: ReadonlyMap<string, number> = new Map(
  Object.entries({ FLOOR: 1, TRUNCATE: 1, ASH: 1, LOGCDR: 1, MOD: 2, REM: 2 }),
);

export function changeOf(formal: string, argument: Term | undefined): Change {
  if (argument === formal) return 'same';
  if (!isCall(argument)) return 'other';
  const [operator, ...operands] = argument;
  if (PARTS.test(operator)) {
    const inner = changeOf(formal, operands[0]);
    return inner === 'same' || inner === 'part' ? 'part' : 'other';
  }
  if (argument[DIVISIONS.get(operator) ?? 0] === formal) return 'divided';
  return operands.includes(formal) ? stepOf(formal, operator, operands) : 'other';
}

function stepOf(formal: string, operator: string, operands: readonly Term[]): Change {
  const number = operands.map(Number).find((operand) => !Number.isNaN(operand));
  if (operator === '1-') return 'down';
  if (operator === '1+') return 'up';
  if (number === undefined || number === 0) return 'other';
  if (operator === '-') return operands[0] === formal && number > 0 ? 'down' : 'other';
  if (operator !== '+') return 'other';
  return number > 0 ? 'up' : 'down';
}

const COMPARISON = /^(?:[<>]=?|=|EQUAL|EQL)$/;

/** Tests of the formal against something with a variable, and what that is. */
export function bounds(body: Term, formal: string): { test: Call; bound: Term }[] {
  return [...callsIn(body)].flatMap((test) => {
    const [operator, left, right] = test;
    if (!COMPARISON.test(operator) || left === undefined || right === undefined) return [];
    const bound = left === formal ? right : right === formal ? left : null;
    return bound !== null && (isVariable(bound) || variablesOf(bound).size > 0) ? [{ test, bound }] : [];
  });
}

const NUMBERS = /^(?:NATP|POSP|INTEGERP|ZP|ZIP)$/;

/** Whether the body asks somewhere if the variable is an integer. */
export function isAskedForInteger(body: Term, variable: Term): boolean {
  return [...callsIn(body)].some(
    ([operator, argument]) =>
      NUMBERS.test(operator) && argument !== undefined && printTerm(argument) === printTerm(variable),
  );
}
