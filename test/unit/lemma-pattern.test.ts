/** Patterns of formulas: what they match, and how near. */
import { describe, expect, it } from 'vitest';
import { LemmaPattern } from '../../electron/images/acl2/lemma-pattern';
import { readTerm, type Term } from '../../electron/images/acl2/terms';

function term(text: string): Term {
  const read = readTerm(text);
  if (read === null) throw new Error(`${text} is no term`);
  return read;
}

const fitOf = (pattern: string, formula: string) => new LemmaPattern(term(pattern)).placeIn(term(formula));
const place = (pattern: string, formula: string) => fitOf(pattern, formula)?.place ?? null;

describe('a pattern', () => {
  it.each([
    ['(equal (len (append ? ?)) ?)', '(equal (len (append x y)) (+ (len x) (len y)))'],
    ['(EQUAL (LEN (BINARY-APPEND ? ?)) ?)', '(equal (len (append x y)) z)'],
    ['(append ?x nil)', '(implies (true-listp x) (equal (append x nil) x))'],
    ['(member ? (append ? ?))', '(iff (member a (append x y)) (or (member a x) (member a y)))'],
    ['(f ?)', '(implies (p x) (and (q x) (f x)))'],
    ['(f ?)', '(not (f x))'],
    ['(equal (len ?) ?)', '(implies (true-listp x) (equal (len (rev x)) (len x)))'],
    [
      '(implies (true-listp ?x) (equal (len ?) (len ?x)))',
      '(implies (true-listp x) (equal (len (rev x)) (len x)))',
    ],
    ['(equal (f ?a ?b) (f ?b ?a))', '(equal (f x (car y)) (f (car y) x))'],
    ['(equal (f x y) (f y x))', '(equal (f a b) (f b a))'],
    ['(member ?x (append ? ?))', '(member-equal a (acl2::append x y))'],
    ["(equal (f 'nil) ?)", '(equal (f nil) 3)'],
    ['(bitops::ash 1 ?)', '(ash 1 n)'],
    ['(equal (?f (append ? ?)) ?)', '(equal (len (append x y)) (+ (len x) (len y)))'],
    ['(equal (? (append ? ?)) ?)', '(equal (rev (append x y)) (append (rev y) (rev x)))'],
    ['(|Odd| ?)', '(|Odd| x)'],
  ])('%s has as its conclusion %s', (pattern, formula) => {
    expect(place(pattern, formula)).toBe('conclusion');
  });

  it.each([
    ['(equal (len (append ? ?)) ?)', '(equal n (len (append x y)))', 'other-side'],
    ['(append ?x nil)', '(equal x (append x nil))', 'part'],
    ['(true-listp ?)', '(implies (and (natp n) (true-listp x)) (p x))', 'hypothesis'],
    ['(f ?x ?x)', '(equal (f a b) (f b b))', 'part'],
  ])('%s in %s is found in a %s', (pattern, formula, where) => {
    expect(place(pattern, formula)).toBe(where);
  });

  it.each([
    ['(equal (expt ?r (+ ?i ?j)) ?)', '(equal (expt r (+ i j)) (* (expt r i) (expt r j)))', 0],
    ['(equal (expt ?r (+ ?i ?j)) ?)', '(equal (expt 2 (+ 1 i)) (* 2 (expt 2 i)))', 2],
    ['(nth ? (append ? ?))', '(equal (nth (len a) (append a b)) (car b))', 1],
  ])('%s finds in %s something special in place of variables: %i', (pattern, formula, special) => {
    expect(fitOf(pattern, formula)?.special).toBe(special);
  });

  it.each([
    ['(f ?x ?x)', '(equal (f a b) 1)'],
    ['(equal (f ?a ?b) (f ?b ?a))', '(equal (f x y) (f x y))'],
    ['(len (append ? ?))', '(equal (len (append x y z)) n)'],
    ['(f 1)', '(equal (f 2) 1)'],
    ['(|Odd| ?)', '(odd x)'],
    ['(f "A")', '(f "B")'],
    ["(f 'a)", "(f 'b)"],
  ])('%s is not in %s', (pattern, formula) => {
    expect(place(pattern, formula)).toBe(null);
  });

  it('that could fit in more ways than there is time for is given up', () => {
    const nested = (depth: number, end: string): string =>
      depth === 0 ? end : `(equal ${nested(depth - 1, end)} ${nested(depth - 1, end)})`;
    const began = performance.now();
    expect(place(nested(6, '(f a b)'), nested(6, '(f c c)').replace('(f c c)', '(f c d)'))).toBe(null);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('names what a formula must call', () => {
    const pattern = new LemmaPattern(term("(equal (len (binary-append ?x '(a b))) (? n))"));
    expect(pattern.names).toEqual(['EQUAL', 'LEN', 'APPEND']);
  });
});
