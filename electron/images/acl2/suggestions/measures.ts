/** A recursion that ACL2 could not see the end of: measures by how the arguments change. */
import type { Suggestion } from '../../../contract/proof';
import { type Definition, definitionOf } from './definition';
import type { Rule } from './failure';
import {
  type Call,
  callsIn,
  isCall,
  isVariable,
  printTerm,
  replaced,
  sameTerm,
  type Term,
  variablesOf,
} from './term';

export const measures: Rule = (failure) => {
  if (!/proof of the measure conjecture\s+for/.test(failure.printed)) return [];
  const definition = definitionOf(failure);
  if (!definition || definition.recursions.length === 0) return [];
  const found = definition.formals.flatMap((formal, at) => measuresOf(definition, formal, at));
  return found.length > 0 ? found : [unknownMeasure(definition)];
};

/** By one argument, if every recursion changes it in the same way. */
function measuresOf(definition: Definition, formal: string, at: number): Suggestion[] {
  const changes = definition.recursions.map((call) => changeOf(formal, call[at + 1]));
  const [change] = changes;
  if (change === undefined || change === 'none' || changes.some((each) => each !== change)) return [];
  if (change === 'part')
    return [
      suggestion(
        definition,
        `Each recursion takes ${printTerm(formal)} apart: its size may be the measure. The test that leads there must say that there is something to take apart, as (consp ${printTerm(formal)}) does.`,
        ['ACL2-COUNT', formal],
      ),
    ];
  if (change === 'down')
    return [
      suggestion(
        definition,
        `Each recursion lowers ${printTerm(formal)}: a natural number may be the measure, if the recursion ends where (zp ${printTerm(formal)}) holds. A test for 0 alone does not end it for other values.`,
        ['NFIX', formal],
        (test) => (isTestForZero(test, formal) ? ['ZP', formal] : null),
      ),
    ];
  return bounds(definition.body, formal).map((bound) =>
    suggestion(
      definition,
      `Each recursion raises ${printTerm(formal)} towards ${printTerm(bound)}: what lies between them may be the measure. Both have to be integers where the recursion goes on.`,
      ['NFIX', ['-', bound, formal]],
      (test) =>
        isBelow(test, formal, bound) ? ['AND', ['INTEGERP', formal], ['INTEGERP', bound], test] : null,
    ),
  );
}

/** @param stricter the test that must take the place of the present one, or the measure would not go down; null: none */
function suggestion(
  definition: Definition,
  text: string,
  measure: Term,
  stricter: (test: Call) => Term | null = () => null,
): Suggestion {
  const test = [...callsIn(definition.body)].find((call) => stricter(call) !== null);
  const body = test === undefined ? definition.body : replaced(definition.body, test, stricter(test) ?? test);
  const form = definition.withBody(body)?.with(':MEASURE', measure);
  return { kind: 'measure', goal: null, text, form: form === undefined ? null : printTerm(form) };
}

function isTestForZero([operator, ...operands]: Call, formal: string): boolean {
  return /^(?:EQUAL|EQL|=)$/.test(operator) && operands.includes(formal) && operands.includes('0');
}

function isBelow([operator, left = 'NIL', right = 'NIL']: Call, formal: string, bound: Term): boolean {
  return operator === '<' && left === formal && sameTerm(right, bound);
}

function unknownMeasure({ name, recursions }: Definition): Suggestion {
  const call = recursions[0] ? ` ${printTerm(recursions[0])}` : '';
  return {
    kind: 'measure',
    goal: null,
    text: `No argument of ${printTerm(name)} gets smaller in every recursion${call}: give an ordinal that does with (declare (xargs :measure ...)), or ask whether it ends at all.`,
    form: null,
  };
}

/** How an argument is made of the formal: a part of it, a lower or a higher number, or neither. */
function changeOf(formal: string, argument: Term | undefined): 'part' | 'down' | 'up' | 'none' {
  if (!isCall(argument)) return 'none';
  const [operator, ...operands] = argument;
  if (!operands.includes(formal)) return isPart(operator) ? changeOf(formal, operands[0]) : 'none';
  if (isPart(operator)) return 'part';
  const number = operands.map(Number).find((operand) => !Number.isNaN(operand));
  if (operator === '1-' || (operator === '-' && operands[0] === formal && number !== undefined && number > 0))
    return 'down';
  if (operator === '1+') return 'up';
  if (operator !== '+' || number === undefined || number === 0) return 'none';
  return number > 0 ? 'up' : 'down';
}

function isPart(operator: string): boolean {
  return /^(?:C[AD]{1,4}R|REST|FIRST|LAST|BUTLAST)$/.test(operator);
}

/** What the formal is compared with: variables and constants that stand over it in a test. */
function bounds(body: Term, formal: string): Term[] {
  return [...callsIn(body)].flatMap(([operator, left, right]) => {
    const upper = operator === '<' || operator === '<=' ? [left, right] : [right, left];
    if (!/^(?:[<>]=?|=|EQUAL|EQL)$/.test(operator) || upper[0] !== formal || upper[1] === undefined)
      return [];
    return isVariable(upper[1]) || variablesOf(upper[1]).size > 0 ? [upper[1]] : [];
  });
}
