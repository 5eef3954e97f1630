/** Functions that call each other: a measure of each by one argument, and by their order where the argument stays as it is. */
import type { Suggestion } from '../../../contract/proof';
import { type Change, changeOf } from './changes';
import { type Definition, mutualDefinitionsOf } from './definition';
import type { Rule } from './failure';
import { lacksMeasure, withoutTestForZero } from './measures';
import { printTerm, type Term } from './term';

/** Choices of an argument for each function; nobody would wait for more. */
const MOST_CHOICES = 200;

/** A call from one function to another, and how the chosen argument changes on the way. */
interface Step {
  from: string;
  to: string;
  change: Change;
}

export const measuresOfMutualRecursion: Rule = (failure) => {
  if (!lacksMeasure(failure)) return [];
  const definitions = mutualDefinitionsOf(failure);
  if (!definitions) return [];
  for (const places of choices(definitions)) {
    const found = measured(definitions, places);
    if (found) return [found];
  }
  return [];
};

/** For each function the place of one argument, in all combinations. */
function choices(definitions: readonly Definition[]): number[][] {
  return definitions.reduce<number[][]>(
    (chosen, { formals }) =>
      chosen.flatMap((places) => formals.map((_formal, at) => [...places, at])).slice(0, MOST_CHOICES),
    [[]],
  );
}

function measured(definitions: readonly Definition[], places: readonly number[]): Suggestion | null {
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
    text: `${isPart ? 'The calls take an argument apart' : 'The calls lower an argument'}${count === 1 ? '' : ' or leave it to a function that comes before'}: its size may be the measure of each.`,
    form: printTerm(['MUTUAL-RECURSION', ...forms]),
  };
}

/** Numbers of the functions, so that a call which leaves the argument goes to a lower one; null where none are so. */
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
