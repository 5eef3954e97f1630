/** A recursion that ACL2 could not see the end of: measures by how the arguments change. */
import type { Suggestion } from '../../../contract/proof';
import { bounds, type Change, changeOf, isAskedForInteger } from './changes';
import { type Definition, definitionOf } from './definition';
import type { Failure, Rule } from './failure';
import { type Call, callsIn, isCall, printTerm, replaced, type Term } from './term';

/** Whether ACL2 failed to see that a recursion ends. */
export function lacksMeasure({ printed }: Failure): boolean {
  return /proof\s+of\s+the\s+measure\s+conjecture|No\s+:MEASURE\s+was\s+supplied/.test(printed);
}

export const measures: Rule = (failure) => {
  if (!lacksMeasure(failure)) return [];
  const definition = definitionOf(failure);
  if (!definition || definition.recursions.length === 0) return [];
  const changes = definition.formals.map((formal, at) =>
    definition.recursions.map((call) => changeOf(formal, call[at + 1])),
  );
  const found = WAYS.flatMap((way) => way(definition, changes));
  return found.length > 0 ? found : [unknownMeasure(definition)];
};

/** @param changes of each formal, those of every recursion */
type Way = (definition: Definition, changes: readonly (readonly Change[])[]) => Suggestion[];

const goesDown: readonly Change[] = ['part', 'down', 'divided'];

/** By one argument, if every recursion makes it smaller. */
const oneFormal: Way = (definition, changes) =>
  definition.formals.flatMap((formal, at) => {
    const own = changes[at] ?? [];
    if (!own.every((change) => goesDown.includes(change)) || isMixed(own)) return [];
    return [suggestion(definition, reasonOf(formal, own), sizeOf(formal, own), [formal])];
  });

/** Parts have another size than numbers. */
function isMixed(changes: readonly Change[]): boolean {
  return changes.includes('part') && changes.some((change) => change === 'down' || change === 'divided');
}

function reasonOf(formal: string, changes: readonly Change[]): string {
  const name = printTerm(formal);
  if (changes.includes('part'))
    return `Each recursion takes ${name} apart: its size may be the measure. The test that leads there must say that there is something to take apart, as (consp ${name}) does.`;
  const natural = `a natural number may be the measure, if the recursion ends where (zp ${name}) holds. A test for 0 alone does not end it for other values.`;
  if (!changes.includes('divided')) return `Each recursion lowers ${name}: ${natural}`;
  return `Each recursion makes ${name} smaller by division: ${natural} The proof needs (include-book "arithmetic-5/top" :dir :system) first.`;
}

function sizeOf(formal: string, changes: readonly Change[]): Term {
  return changes.includes('part') ? ['ACL2-COUNT', formal] : ['NFIX', formal];
}

/** By the arguments together, if each recursion makes one smaller and leaves the others: as a merge does. */
const sum: Way = (definition, changes) => {
  const taken = definition.formals.flatMap((formal, at) => {
    const own = changes[at] ?? [];
    const only = own.every((change) => change === 'same' || goesDown.includes(change));
    return only && own.some((change) => change !== 'same') && own.includes('same') ? [{ formal, own }] : [];
  });
  const always = definition.recursions.every((_call, index) =>
    taken.some(({ own }) => own[index] !== 'same'),
  );
  if (taken.length < 2 || !always || taken.some(({ own }) => isMixed(own))) return [];
  const names = taken.map(({ formal }) => formal);
  const text = `Each recursion makes one of ${names.map(printTerm).join(', ')} smaller and leaves the others: their sizes together may be the measure.`;
  const sizes = taken.map(({ formal, own }) => sizeOf(formal, own));
  return [suggestion(definition, text, ['+', ...sizes], names)];
};

/** By one argument, and where that stays by a second one: as Ackermann's function does. */
const lexicographic: Way = (definition, changes) =>
  definition.formals.flatMap((first, at) => {
    const outer = changes[at] ?? [];
    if (!outer.every((change) => change === 'same' || goesDown.includes(change)) || isMixed(outer)) return [];
    return definition.formals.flatMap((second, place) => {
      const inner = (changes[place] ?? []).filter((_change, index) => outer[index] === 'same');
      const ends = inner.length > 0 && inner.length < outer.length;
      if (!ends || second === first || !inner.every((change) => goesDown.includes(change))) return [];
      // Where the second is never given anew, their sum will do.
      if ((changes[place] ?? []).every((change) => change === 'same' || goesDown.includes(change))) return [];
      const measure = ['MAKE-ORD', '1', ['+', '1', sizeOf(first, outer)], sizeOf(second, inner)];
      const text = `Each recursion makes ${printTerm(first)} smaller, or leaves it and makes ${printTerm(second)} smaller: an ordinal of both may be the measure.`;
      return [suggestion(definition, text, measure, [first, second])];
    });
  });

/** By what lies between an argument and its bound, if every recursion raises it. */
const upwards: Way = (definition, changes) =>
  definition.formals.flatMap((formal, at) => {
    if (!(changes[at] ?? []).every((change) => change === 'up')) return [];
    return bounds(definition.body, formal).map(({ test, bound }) => {
      const text = `Each recursion raises ${printTerm(formal)} towards ${printTerm(bound)}: what lies between them may be the measure. Both have to be integers where the recursion goes on.`;
      const unknown = [formal, bound].filter((each) => !isAskedForInteger(definition.body, each));
      const body =
        unknown.length === 0
          ? definition.body
          : replaced(definition.body, test, withIntegers(test, formal, unknown));
      return measured(definition, body, text, ['NFIX', ['-', bound, formal]]);
    });
  });

/** The test, and that these are integers where the recursion goes on. */
function withIntegers(test: Call, formal: string, unknown: readonly Term[]): Term {
  const integers = unknown.map((each) => ['INTEGERP', each]);
  const goesOn = test[0] === (test[1] === formal ? '<' : '>');
  if (goesOn) return ['AND', ...integers, test];
  return ['OR', ...integers.map((each) => ['NOT', each]), test];
}

const WAYS: readonly Way[] = [oneFormal, sum, lexicographic, upwards];

/** @param lowered formals of which a test for 0 must become one for all that is no positive number */
function suggestion(
  definition: Definition,
  text: string,
  measure: Term,
  lowered: readonly string[],
): Suggestion {
  return measured(definition, lowered.reduce(withoutTestForZero, definition.body), text, measure);
}

export function withoutTestForZero(body: Term, formal: string): Term {
  const test = [...callsIn(body)].find((call) => isTestForZero(call, formal));
  return test === undefined ? body : replaced(body, test, ['ZP', formal]);
}

function measured(definition: Definition, body: Term, text: string, measure: Term): Suggestion {
  const form = definition.withBody(body)?.with(':MEASURE', measure);
  return { kind: 'measure', goal: null, text, form: form === undefined ? null : printTerm(form) };
}

function isTestForZero([operator, ...operands]: Call, formal: string): boolean {
  return /^(?:EQUAL|EQL|=)$/.test(operator) && operands.includes(formal) && operands.includes('0');
}

function unknownMeasure({ name, recursions }: Definition): Suggestion {
  const call = isCall(recursions[0]) ? ` ${printTerm(recursions[0])}` : '';
  return {
    kind: 'measure',
    goal: null,
    text: `No argument of ${printTerm(name)} gets smaller in every recursion${call}: give an ordinal that does with (declare (xargs :measure ...)), or ask whether it ends at all.`,
    form: null,
  };
}
