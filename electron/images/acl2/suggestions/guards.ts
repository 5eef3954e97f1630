/** A guard conjecture that was not proved: a stronger guard, a lemma, or guards left for later. */
import { definitionOf } from './definition';
import type { Rule } from './failure';
import { missingType } from './hypotheses';
import { printTerm, type Term } from './term';

export const guardConjectures: Rule = (failure) => {
  const definition = definitionOf(failure);
  if (!definition || !/proof of the guard conjecture\s+for/.test(failure.printed)) return [];
  const found = failure.checkpoints.flatMap(({ goal, term, underInduction }) => {
    if (underInduction) return [];
    const guard = guardFor(term, definition.formals);
    if (guard === null)
      return [
        {
          kind: 'guard' as const,
          goal,
          text: `${goal} is what the guards of the functions called ask for: prove it first as a lemma, or strengthen the guard of ${printTerm(definition.name)} so that it follows.`,
          form: printTerm(['DEFTHM', `${definition.name}-GUARD-LEMMA`, term]),
        },
      ];
    const given = definition.xarg(':GUARD') ?? 'T';
    const form = definition.with(':GUARD', given === 'T' ? guard : ['AND', given, guard]);
    return [
      {
        kind: 'guard' as const,
        goal,
        text: `A guard with ${printTerm(guard)} would give ${goal}.`,
        form: printTerm(form),
      },
    ];
  });
  const later = definition.with(':VERIFY-GUARDS', 'NIL');
  return [
    ...found,
    {
      kind: 'guard',
      goal: null,
      text: `Or leave the guards for later: admit it without them, prove lemmas about it, then (verify-guards ${printTerm(definition.name)}).`,
      form: printTerm(later),
    },
  ];
};

/** A type of one formal that the conjecture comes down to. */
function guardFor(conjecture: Term, formals: readonly string[]): Term | null {
  const type = missingType({ term: conjecture });
  if (type === null || !formals.includes(type[1])) return null;
  return type;
}
