/** ACL2's forms as data: read, printed, taken apart, made general. */
import { describe, expect, it } from 'vitest';
import { generalized } from '../../electron/images/acl2/suggestions/lemmas';
import {
  conjectureOf,
  printTerm,
  readTerm,
  type Term,
  termOf,
  variablesOf,
} from '../../electron/images/acl2/terms';

function read(text: string): Term {
  const term = readTerm(text);
  if (term === null) throw new Error(`${text} was not read`);
  return term;
}

describe('a form', () => {
  it.each([
    ['(EQUAL (APP X Y) NIL)', '(equal (app x y) nil)'],
    [
      `(F "A (b) \\" c" #\\( #\\Space |a B| '(A . B) (QUOTE X) 1/2 ())`,
      `(f "A (b) \\" c" #\\( #\\Space |a B| '(a . b) 'x 1/2 nil)`,
    ],
    ['FOO::BAR', 'foo::bar'],
  ])('%s is read and printed again', (text, printed) => {
    expect(printTerm(read(text))).toBe(printed);
  });

  it.each(['(EQUAL X', '(F X) Y)', 'X Y', '', '(F X ... Y)', ')', "'", '(F "x)'])(
    '%s is none, which is no error',
    (text) => {
      expect(readTerm(text)).toBeNull();
    },
  );

  it('is not read where it is too deep to reason about', () => {
    expect(readTerm('('.repeat(200_000) + ')'.repeat(200_000))).toBeNull();
  });

  it('knows its variables', () => {
    expect([...variablesOf(read(`(F X 1 :KEY "S" T NIL *C* '(Z) (G Y) #\\A -3/4)`))]).toEqual(['X', 'Y']);
  });

  it('is taken apart into hypotheses and a conclusion, and put together', () => {
    const { hypotheses, conclusion } = conjectureOf(
      read('(IMPLIES (AND (P X) (AND (Q X) T)) (IMPLIES (R X) (S X)))'),
    );
    expect(hypotheses.map(printTerm)).toEqual(['(p x)', '(q x)', '(r x)']);
    expect(printTerm(termOf({ hypotheses, conclusion }))).toBe('(implies (and (p x) (q x) (r x)) (s x))');
    expect(printTerm(termOf({ hypotheses: [], conclusion }))).toBe('(s x)');
  });
});

describe('a goal made general', () => {
  it.each([
    [
      'names what occurs twice, and the parts of pairs',
      '(IMPLIES (AND (CONSP X) (ORD (ISORT (CDR X)))) (ORD (INS (CAR X) (ISORT (CDR X)))))',
      '(implies (ord a) (ord (ins b a)))',
    ],
    [
      'puts what equals a variable in its place',
      '(IMPLIES (AND (CONSP X) (EQUAL (REV (REV (CDR X))) (CDR X)) (TRUE-LISTP (CDR X))) (EQUAL (REV (APP (REV (CDR X)) (LIST (CAR X)))) X))',
      '(implies (true-listp (rev a)) (equal (rev (app a (list b))) (cons b (rev a))))',
    ],
    [
      'keeps a side of the conclusion',
      '(IMPLIES (NOT (CONSP X)) (EQUAL (REV Y) (APP (REV Y) NIL)))',
      '(equal (rev y) (app (rev y) nil))',
    ],
    [
      'keeps a variable that is used whole as a pair',
      '(IMPLIES (CONSP X) (EQUAL (F X) (G (CAR X) X)))',
      '(equal (f (cons a b)) (g a (cons a b)))',
    ],
  ])('%s', (_what, goal, lemma) => {
    expect(printTerm(generalized(read(goal)))).toBe(lemma);
  });
});
