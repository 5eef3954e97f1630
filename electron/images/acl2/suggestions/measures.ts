/** Suggests measures for functions whose termination ACL2 could not prove, by how the arguments change. */
import type { Suggestion } from '../../../contract/proof';
import {
  type Call,
  callsIn,
  conjectureOf,
  isCall,
  isVariable,
  printTerm,
  replaced,
  sameTerm,
  type Term,
  termOf,
  variablesOf,
  withoutPackage,
} from '../terms';
import { type Definition, definitionOf, mutualDefinitionsOf } from './definitions';
import { type Failure, goalHint, type Rule } from './failure';
import type { ProofIdea } from './proof-ideas';

/** Reports whether ACL2 failed to prove termination. */
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

/** @param changes changes of each formal in all recursive calls */
type Way = (definition: Definition, changes: readonly (readonly Change[])[]) => Suggestion[];

const goesDown: readonly Change[] = ['part', 'down', 'divided'];

/** Measure by one argument that every recursive call decreases. */
const oneFormal: Way = (definition, changes) =>
  definition.formals.flatMap((formal, at) => {
    const own = changes[at] ?? [];
    if (!own.every((change) => goesDown.includes(change)) || isMixed(own)) return [];
    return [suggestion(definition, reasonOf(formal, own), sizeOf(formal, own), [formal])];
  });

/** Sizes of parts and of numbers cannot be combined. */
function isMixed(changes: readonly Change[]): boolean {
  return changes.includes('part') && changes.some((change) => change === 'down' || change === 'divided');
}

function reasonOf(formal: string, changes: readonly Change[]): string {
  const name = printTerm(formal);
  if (changes.includes('part'))
    return `Each recursive call takes ${name} apart, so its size may be the measure. The test before the call must ensure that there is something to take apart, as (consp ${name}) does.`;
  const natural = `a natural number may be the measure if the recursion stops where (zp ${name}) holds. A test for 0 alone does not stop it for other values.`;
  if (!changes.includes('divided')) return `Each recursive call decreases ${name}: ${natural}`;
  return `Each recursive call divides ${name}: ${natural} The proof needs (include-book "arithmetic-5/top" :dir :system) first.`;
}

function sizeOf(formal: string, changes: readonly Change[]): Term {
  return changes.includes('part') ? ['ACL2-COUNT', formal] : ['NFIX', formal];
}

/**
 * Measure by a sum of arguments, if each recursive call decreases one and leaves the others unchanged, as in
 * a merge.
 */
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
  const text = `Each recursive call decreases one of ${names.map(printTerm).join(', ')} and leaves the others unchanged, so the sum of their sizes may be the measure.`;
  const sizes = taken.map(({ formal, own }) => sizeOf(formal, own));
  return [suggestion(definition, text, ['+', ...sizes], names)];
};

/**
 * Lexicographic measure: one argument, and where it is unchanged a second one, as in Ackermann's function.
 */
const lexicographic: Way = (definition, changes) =>
  definition.formals.flatMap((first, at) => {
    const outer = changes[at] ?? [];
    if (!outer.every((change) => change === 'same' || goesDown.includes(change)) || isMixed(outer)) return [];
    return definition.formals.flatMap((second, place) => {
      const inner = (changes[place] ?? []).filter((_change, index) => outer[index] === 'same');
      const ends = inner.length > 0 && inner.length < outer.length;
      if (!ends || second === first || !inner.every((change) => goesDown.includes(change))) return [];
      // If the second argument never increases, the sum is sufficient.
      if ((changes[place] ?? []).every((change) => change === 'same' || goesDown.includes(change))) return [];
      const measure = ['MAKE-ORD', '1', ['+', '1', sizeOf(first, outer)], sizeOf(second, inner)];
      const text = `Each recursive call decreases ${printTerm(first)}, or leaves it unchanged and decreases ${printTerm(second)}, so an ordinal of both may be the measure.`;
      return [suggestion(definition, text, measure, [first, second])];
    });
  });

/**
 * Measure by the difference between an argument and its bound, if every recursive call increases the
 * argument.
 */
const upwards: Way = (definition, changes) =>
  definition.formals.flatMap((formal, at) => {
    if (!(changes[at] ?? []).every((change) => change === 'up')) return [];
    return bounds(definition.body, formal).map(({ test, bound }) => {
      const text = `Each recursive call increases ${printTerm(formal)} towards ${printTerm(bound)}, so the difference may be the measure. Both must be integers where the recursion continues.`;
      const unknown = [formal, bound].filter((each) => !isTestedForInteger(definition.body, each));
      const body =
        unknown.length === 0
          ? definition.body
          : replaced(definition.body, test, withIntegers(test, formal, unknown));
      return measured(definition, body, text, ['NFIX', ['-', bound, formal]]);
    });
  });

/** Adds to the test that these terms are integers where the recursion continues. */
function withIntegers(test: Call, formal: string, unknown: readonly Term[]): Term {
  const integers = unknown.map((each) => ['INTEGERP', each]);
  const goesOn = test[0] === (test[1] === formal ? '<' : '>');
  if (goesOn) return ['AND', ...integers, test];
  return ['OR', ...integers.map((each) => ['NOT', each]), test];
}

const WAYS: readonly Way[] = [oneFormal, sum, lexicographic, upwards];

/** @param lowered formals whose test for 0 must become ZP */
function suggestion(
  definition: Definition,
  text: string,
  measure: Term,
  lowered: readonly string[],
): Suggestion {
  return measured(definition, lowered.reduce(withoutTestForZero, definition.body), text, measure);
}

function withoutTestForZero(body: Term, formal: string): Term {
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

function unknownMeasure({ name, formals, recursions }: Definition): Suggestion {
  const call = isCall(recursions[0]) ? ` ${printTerm(recursions[0])}` : '';
  const other = recursions.flatMap((each) => each.slice(1)).find((each) => isOfFormal(each, formals));
  const smaller = other && isCall(other) ? variablesOf(other).values().next().value : undefined;
  const seen =
    smaller === undefined
      ? `No argument of ${printTerm(name)} decreases in every recursive call${call}.`
      : `ACL2 does not see that ${printTerm(other ?? 'NIL')} is smaller than ${printTerm(smaller)}: if it is, prove that as a :linear rule about acl2-count.`;
  return {
    kind: 'measure',
    goal: null,
    text: `${seen} Supply a measure with (declare (xargs :measure ...)), or check whether the function terminates.`,
    form: null,
  };
}

/**
 * How an argument differs from the formal in its place: a part of it, a decremented or incremented number, a
 * number made smaller by division, unchanged, or anything else.
 */
type Change = 'part' | 'down' | 'divided' | 'up' | 'same' | 'other';

const PARTS = /^(?:C[AD]{1,4}R|REST|FIRST|LAST|BUTLAST)$/;

/**
 * Operators whose value is less than the argument at this place, if that is a natural number and the call is
 * not a division by 1.
 */
const DIVISIONS: ReadonlyMap<string, number> = new Map(
  Object.entries({ FLOOR: 1, TRUNCATE: 1, ASH: 1, LOGCDR: 1, MOD: 2, REM: 2 }),
);

function changeOf(formal: string, argument: Term | undefined): Change {
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

/** Returns comparisons of the formal with a term that has a variable, and that term. */
function bounds(body: Term, formal: string): { test: Call; bound: Term }[] {
  return [...callsIn(body)].flatMap((test) => {
    const [operator, left, right] = test;
    if (!COMPARISON.test(operator) || left === undefined || right === undefined) return [];
    const bound = left === formal ? right : right === formal ? left : null;
    return bound !== null && (isVariable(bound) || variablesOf(bound).size > 0) ? [{ test, bound }] : [];
  });
}

const NUMBERS = /^(?:NATP|POSP|INTEGERP|ZP|ZIP)$/;

/** Reports whether the body tests that the variable is an integer. */
function isTestedForInteger(body: Term, variable: Term): boolean {
  return [...callsIn(body)].some(
    ([operator, argument]) =>
      NUMBERS.test(operator) && argument !== undefined && printTerm(argument) === printTerm(variable),
  );
}

/** Reports whether the argument is a call, of a function that takes nothing apart, on one of the formals. */
function isOfFormal(argument: Term, formals: readonly string[]): boolean {
  const [formal, ...others] = variablesOf(argument);
  return (
    isCall(argument) &&
    formal !== undefined &&
    others.length === 0 &&
    formals.includes(formal) &&
    changeOf(formal, argument) === 'other'
  );
}

/**
 * Returns lemmas that say that functions in the arguments of recursive calls do not increase the size, as of HALF in
 * (msort (half x)); for a goal about such a call alone, also that it is smaller under the hypotheses of the goal.
 */
export function measureLemmas(failure: Failure): ProofIdea[] {
  if (!lacksMeasure(failure)) return [];
  const lemmas = new Map<string, Term>();
  let goal: string | null = null;
  for (const checkpoint of failure.checkpoints) {
    const { hypotheses, conclusion } = conjectureOf(checkpoint.term);
    const [smaller, larger] = isCall(conclusion, '<') ? conclusion.slice(1).map(sizedIn) : [];
    if (checkpoint.underInduction || !isCall(smaller) || !isVariable(larger) || smaller.length !== 2)
      continue;
    if (PARTS.test(smaller[0])) continue;
    goal ??= checkpoint.goal;
    const name = `${withoutPackage(smaller[0])}-ACL2-COUNT`;
    const call = [smaller[0], larger];
    const isRecursive = failure.functions.some(({ name, recursive }) => name === call[0] && recursive);
    const rule = linearRule(name, ['<=', ['ACL2-COUNT', call], ['ACL2-COUNT', larger]]);
    lemmas.set(name, isRecursive ? [...rule, ':HINTS', goalHint(':INDUCT', call)] : rule);
    if (sameTerm(call, smaller))
      lemmas.set(
        `${name}-LESS`,
        linearRule(
          `${name}-LESS`,
          termOf({ hypotheses, conclusion: ['<', ['ACL2-COUNT', call], ['ACL2-COUNT', larger]] }),
        ),
      );
  }
  const forms = [...lemmas]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([, form]) => printTerm(form));
  const form = forms.pop();
  if (form === undefined) return [];
  const text = 'The arguments of the recursive calls are smaller, which ACL2 does not see.';
  return [{ kind: 'lemma', goal, text, form, before: forms }];
}

/** Returns the term whose size it is; undefined if it is no size. */
function sizedIn(term: Term): Term | undefined {
  return isCall(term, 'ACL2-COUNT') ? term[1] : undefined;
}

function linearRule(name: string, formula: Term): readonly Term[] {
  return ['DEFTHM', name, formula, ':RULE-CLASSES', ':LINEAR'];
}

/** Maximum combinations of arguments to try. */
const MOST_CHOICES = 200;

/** A call from one function to another, and the change of the chosen argument. */
interface Step {
  from: string;
  to: string;
  change: Change;
}

/**
 * Suggests a measure for each function of a clique: one argument, and the order of the functions where that
 * argument stays the same.
 */
export const measuresOfMutualRecursion: Rule = (failure) => {
  if (!lacksMeasure(failure)) return [];
  const definitions = mutualDefinitionsOf(failure);
  if (!definitions) return [];
  for (const places of choices(definitions)) {
    const found = withMeasures(definitions, places);
    if (found) return [found];
  }
  return [];
};

/** Returns the combinations of one argument position for each function. */
function choices(definitions: readonly Definition[]): number[][] {
  return definitions.reduce<number[][]>(
    (chosen, { formals }) =>
      chosen.flatMap((places) => formals.map((_formal, at) => [...places, at])).slice(0, MOST_CHOICES),
    [[]],
  );
}

function withMeasures(definitions: readonly Definition[], places: readonly number[]): Suggestion | null {
  const placeOf = new Map(definitions.map(({ name }, at) => [name, places[at] ?? 0]));
  const steps = definitions.flatMap(({ name, formals, recursions }) =>
    recursions.map((call) => ({
      from: name,
      to: call[0],
      change: changeOf(formals[placeOf.get(name) ?? 0] ?? '', call[(placeOf.get(call[0]) ?? 0) + 1]),
    })),
  );
  const kinds = new Set(steps.map(({ change }) => change).filter((change) => change !== 'same'));
  const ranks = ranksOf(definitions, steps);
  const isPart = kinds.has('part');
  if (ranks === null || kinds.size !== 1 || !(isPart || kinds.has('down'))) return null;
  const count = Math.max(...ranks.values()) + 1;
  const forms = definitions.map((definition, at) => {
    const formal = definition.formals[places[at] ?? 0] ?? '';
    const size: Term = [isPart ? 'ACL2-COUNT' : 'NFIX', formal];
    const rank = ranks.get(definition.name) ?? 0;
    const scaled: Term = count === 1 ? size : ['*', String(count), size];
    const measure = rank === 0 ? scaled : ['+', String(rank), scaled];
    const body = withoutTestForZero(definition.body, formal);
    return (definition.withBody(body) ?? definition).with(':MEASURE', measure);
  });
  return {
    kind: 'measure',
    goal: null,
    text: `${isPart ? 'The calls take an argument apart' : 'The calls decrease an argument'}${count === 1 ? '' : ' or pass it unchanged to a function of lower rank'}, so its size may be the measure of each.`,
    form: printTerm(['MUTUAL-RECURSION', ...forms]),
  };
}

/**
 * Ranks the functions so that a call with an unchanged argument goes to a lower rank; null if that is
 * impossible.
 */
function ranksOf(
  definitions: readonly Definition[],
  steps: readonly Step[],
): ReadonlyMap<string, number> | null {
  const ranks = new Map<string, number>();
  const staying = steps.filter(({ change }) => change === 'same');
  for (let rank = 0; ranks.size < definitions.length; rank += 1) {
    const free = definitions.filter(
      ({ name }) => !ranks.has(name) && staying.every(({ from, to }) => from !== name || ranks.has(to)),
    );
    if (free.length === 0) return null;
    for (const { name } of free) ranks.set(name, rank);
  }
  return ranks;
}
