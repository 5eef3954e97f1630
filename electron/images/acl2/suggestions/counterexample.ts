/** A theorem that is false for small values (resources/lisp/acl2/counterexamples.lisp): nothing else can help it. */
import type { Rule } from './failure';
import { printTerm, readTerm } from './term';

export const counterexample: Rule = ({ counterexample: found }) => {
  if (!found) return [];
  const values = found.bindings.map(({ variable, value }) => `${inSmall(variable)} = ${inSmall(value)}`);
  const where = values.length > 0 ? `for ${values.join(', ')}` : 'as it stands';
  const because = found.sides === null ? '' : `: its sides are ${found.sides.map(inSmall).join(' and ')}`;
  return [
    {
      kind: 'counterexample',
      goal: null,
      text: `The theorem is false ${where}${because} (found by testing).`,
      form: null,
    },
  ];
};

/** As it is written; what is too long to be read stays as it came. */
function inSmall(text: string): string {
  const term = readTerm(text);
  return term === null ? text : printTerm(term);
}
