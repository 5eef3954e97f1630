/** Counterexamples to theorems that were not proved: they are true ones, they come soon, and run no code of the session's. */
import { describe, expect, it } from 'vitest';
import { proofOf, startImage } from './acl2-fixture';

/** The counterexample as it is told; null where there is none. */
async function against(code: string, image = startImage()): Promise<string | null> {
  const answer = await (await image).evaluate(code);
  const [first] = proofOf(answer).events.at(-1)?.suggestions ?? [];
  return first?.kind === 'counterexample' ? first.text : null;
}

describe('a counterexample', () => {
  it.each([
    ['(thm (equal (reverse (reverse x)) x))', 'x = 0: its sides are nil and 0'],
    ['(thm (implies (and (natp n) (natp m)) (< n m)))', 'n = 0, m = 0'],
    [
      '(thm (implies (and (integerp x) (integerp y)) (equal (- x y) (- y x))))',
      'x = 0, y = 1: its sides are -1 and 1',
    ],
    ['(thm (implies (stringp s) (equal (length s) 0)))', 's = "a": its sides are 1 and 0'],
    [
      '(defun f (x) (if (consp x) (+ 1 (f (cdr x))) 0)) (thm (implies (true-listp x) (< (f x) 2)))',
      'x = (1 0)',
    ],
  ])('of %s is %s', async (code, values) => {
    expect(await against(code)).toBe(`The theorem is false for ${values} (found by testing).`);
  });

  it('of a theorem without variables says that it is false', async () => {
    expect(await against('(thm (equal (+ 1 1) 3))')).toMatch(/is false.*its sides are 2 and 3/);
  });

  it.each([
    [
      'a theorem that is true',
      '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y)) (defun rev (x) (if (consp x) (app (rev (cdr x)) (list (car x))) nil)) (thm (equal (rev (app x y)) (app (rev y) (rev x))))',
    ],
    ['a function without a definition', '(defstub h (x) t) (thm (equal (h x) (h y)))'],
    [
      'a function that is only constrained',
      '(encapsulate (((c *) => *)) (local (defun c (x) (declare (ignore x)) 0)) (defthm c-natp (natp (c x)))) (thm (equal (c x) 1))',
    ],
  ])('is not told of %s', async (_what, code) => {
    expect(await against(code)).toBeNull();
  });

  it('is looked for in a bounded number of steps', async () => {
    const image = startImage();
    const slow = '(defun slow (n m) (if (zp n) m (slow (- n 1) (+ (slow (- n 1) m) 1))))';
    const huge = '(defun huge (x) (if (natp x) (expt (+ 2 x) (expt 10 (+ 50 x))) 3))';
    await (await image).evaluate(`${slow} ${huge}`);
    expect(await against('(thm (equal (slow (+ 90 n) m) (huge n)))', image)).toBeNull();
    expect((await (await image).evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });
});

/** ACL2's primitives on two arguments, also outside of their guards. */
const CALLS = `(car x) (cdr x) (consp x) (binary-+ x y) (binary-* x y) (unary-- x) (unary-/ x) (< x y) (equal x y) (integerp x)
(rationalp x) (complex-rationalp x) (acl2-numberp x) (stringp x) (symbolp x) (characterp x) (char-code x) (code-char x)
(coerce x 'list) (coerce x 'string) (complex x y) (realpart x) (imagpart x) (numerator x) (denominator x) (symbol-name x)
(symbol-package-name x) (cons x y) (if x y 'no)`;

const VALUES = ['nil', '0', '-1', "'a", "'(1 0)", '1/2', '"a"', '#\\A', "'(a . b)", '#c(0 1)', '\'("a")'];

/** Proves nothing, because nobody knows P: only where SIDES differ by our evaluator, there is a counterexample. */
const unless = (x: string, y: string, sides: string) =>
  `(thm (implies (and (equal x ${x}) (equal y ${y})) (if (equal ${sides}) (p x) nil)))`;

it.each(VALUES)('the evaluator of counterexamples agrees with ACL2 where x is %s', async (x) => {
  const image = await startImage();
  await image.evaluate('(defstub p (x) t) (set-guard-checking :none)');
  for (const y of VALUES) {
    const [[values] = []] = (await image.evaluate(`(let ((x ${x}) (y ${y})) (list ${CALLS}))`)).values;
    const agreeing = await against(unless(x, y, `(list ${CALLS}) '${values}`), Promise.resolve(image));
    expect(agreeing, `y is ${y}`).toBeNull();
  }
  expect(await against(unless(x, x, '(list x y) 1'), Promise.resolve(image))).toMatch(/is false/);
});
