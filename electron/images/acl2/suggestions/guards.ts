/** A guard conjecture that was not proved: a stronger guard, a lemma, or guards left for later. */
import type { Suggestion } from '../../../contract/proof';
import { type Definition, definitionOf } from './definition';
import type { Rule } from './failure';
import { missingType } from './hypotheses';
import { printTerm, type Term } from './term';

export const guardConjectures: Rule = (failure) => {
  const definition = definitionOf(failure);
  if (!definition || !/proof\s+of\s+the\s+guard\s+conjecture\s+for/.test(failure.printed)) return [];
  const goals = failure.checkpoints.filter(({ underInduction }) => !underInduction);
  const guards = goals.map(({ term }) => guardFor(term, definition.formals));
  const lemmas = goals.filter((_goal, at) => guards[at] === null);
  const later = definition.with(':VERIFY-GUARDS', 'NIL');
  return [
    ...strongerGuard(definition, distinct(guards)),
    ...lemmas.map(({ goal, term }) => ({
      kind: 'guard' as const,
      goal,
      text: `${goal} is what the guards of the functions called ask for: prove it first as a lemma, or strengthen the guard of ${printTerm(definition.name)} so that it follows.`,
      form: printTerm(['DEFTHM', `${definition.name}-GUARD-LEMMA`, term]),
    })),
    {
      kind: 'guard',
      goal: null,
      text: `Leave the guards for later: admit it without them, prove lemmas about it, then (verify-guards ${printTerm(definition.name)}).`,
      form: printTerm(later),
    },
  ];
};

/** All types together, before what the guard says by now: each part of a guard is guarded by those before it. */
function strongerGuard(definition: Definition, types: readonly Term[]): Suggestion[] {
  if (types.length === 0) return [];
  const given = definition.xarg(':GUARD') ?? 'T';
  const parts = given === 'T' ? types : [...types, given];
  const guard = parts.length === 1 ? (parts[0] ?? 'T') : ['AND', ...parts];
  return [
    {
      kind: 'guard',
      goal: null,
      text: `The calls in it ask for ${types.map(printTerm).join(' and ')}: a guard that says so would do.`,
      form: printTerm(definition.with(':GUARD', guard)),
    },
  ];
}

function distinct(types: readonly (Term | null)[]): Term[] {
  const given = types.filter((type) => type !== null);
  return [...new Map(given.map((type) => [printTerm(type), type])).values()];
}

/** A type of one formal that the conjecture comes down to. */
function guardFor(conjecture: Term, formals: readonly string[]): Term | null {
  const type = missingType({ term: conjecture });
  if (type === null || !formals.includes(type[1])) return null;
  return type;
}
