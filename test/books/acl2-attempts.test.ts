/** Suggestions that need books are offered only if they prove the theorem, with what has to be included. */
import { expect, it } from 'vitest';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import { engineOptions, proofOf, startImage } from '../integration/acl2-fixture';

const engine = new Acl2Engine({ ...engineOptions, books: process.env.ACL2_BOOKS });

/** Theorems that fail, and what proves them. */
const CLOSED = [
  ['(thm (equal (* a b c) (* c b a)))', /^\(include-book "arithmetic\/top" :dir :system\)$/, /proved/],
  [
    '(thm (implies (and (rationalp x) (rationalp y) (< 0 x) (< 0 y) (< x y)) (< (* x x) (* y y))))',
    /arithmetic|nonlinearp/,
    /proved/,
  ],
  ["(thm (equal (apply$ 'inc (list 3)) 4))", /\(warrant inc\)/, /projects\/apply\/top.*\(defwarrant inc\)/],
] as const;

it('what closes the goal with a book comes first', async () => {
  const session = await startImage({ engine });
  await session.evaluate('(defun inc (x) (declare (xargs :guard t)) (+ 1 (ifix x)))');
  for (const [form, proof, text] of CLOSED) {
    const evaluated = await session.evaluate(form);
    const [first] = proofOf(evaluated).events.at(-1)?.suggestions ?? [];
    expect([form, first?.form, first?.text]).toEqual([
      form,
      expect.stringMatching(proof),
      expect.stringMatching(text),
    ]);
    expect(first?.text).toContain('Tried: it is proved.');
  }
  const { report } = await session.evaluate('(+ 1 2)');
  expect(report?.proof?.command).toBe(1);
}, 120_000);
