/** Suggestions that small values refute, or that are about what is not there, are not told. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Suggestion } from '../../electron/contract/proof';
import { proofOf, startImage } from './acl2-fixture';

const LISTS = `(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))
(defun rev (x) (if (consp x) (app (rev (cdr x)) (list (car x))) nil))`;

async function suggestionsAfter(form: string, before = ''): Promise<Suggestion[]> {
  const image = await startImage();
  if (before) await image.evaluate(before);
  const evaluated = await image.evaluate(form);
  expect(evaluated.outcome).toBe('error');
  expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  return proofOf(evaluated).events.at(-1)?.suggestions ?? [];
}

const forms = (suggestions: readonly Suggestion[]) => suggestions.flatMap(({ form }) => form ?? []);
const texts = (suggestions: readonly Suggestion[]) => suggestions.map(({ text }) => text).join('\n');

it.each([
  ['symbols, and asks for numbers', '(defun g (x) (declare (xargs :guard (symbolp x))) (+ x 1))'],
  ['by its type', '(defun g (x) (declare (type symbol x)) (+ x 1))'],
  [
    'anything, and asks for two types',
    '(defun g (f x) (declare (xargs :guard t)) (if f (+ x 1) (symbol-name x)))',
  ],
])('no guard is suggested that allows nothing: of one that allows %s', async (_what, form) => {
  const suggestions = await suggestionsAfter(form);
  expect(forms(suggestions).filter((each) => each.includes(':guard (and'))).toEqual([]);
  expect(texts(suggestions)).toMatch(/require \(.*No tested value .*Prove/);
  expect(texts(suggestions)).not.toContain('wrong');
});

it.each([
  [
    'of a part',
    '(defun g (x) (declare (xargs :guard (consp x))) (+ 1 (car x)))',
    'is false for x = (nil), so no lemma',
  ],
  [
    'that is NIL',
    '(defun g (x) (declare (xargs :guard (natp x))) (/ 10 x))',
    'is false, so no lemma can prove it',
  ],
])('no lemma about guards is suggested that is false: %s', async (_what, form, why) => {
  const suggestions = await suggestionsAfter(form);
  expect(forms(suggestions).filter((each) => each.startsWith('(defthm'))).toEqual([]);
  expect(texts(suggestions)).toContain(why);
});

it('no lemma is suggested about the function that was not admitted', async () => {
  const suggestions = await suggestionsAfter(
    "(defun g (x) (declare (xargs :guard (natp x))) (if (zp x) 'a (+ 1 (g (- x 1)))))",
  );
  expect(forms(suggestions)).toEqual([expect.stringContaining(':verify-guards nil')]);
});

it('what small values do not refute is suggested as before', async () => {
  const guard = await suggestionsAfter('(defun g (x) (declare (xargs :guard t)) (+ 1 x))');
  expect(forms(guard)[0]).toBe('(defun g (x) (declare (xargs :guard (acl2-numberp x))) (+ 1 x))');
  const lemma = await suggestionsAfter('(thm (equal (rev (app x y)) (app (rev y) (rev x))))', LISTS);
  expect(forms(lemma)).toContain('(defthm app-of-rev (equal (app (rev y) nil) (rev y)))');
  const hypothesis = await suggestionsAfter('(thm (equal (app x nil) x))', LISTS);
  expect(forms(hypothesis)).toContain('(thm (implies (true-listp x) (equal (app x nil) x)))');
});

it('a guard of which no small value is known stays as it is suggested', async () => {
  const odd = "(defun oddity (x) (declare (xargs :guard t)) (equal x '(no one tries this)))";
  const suggestions = await suggestionsAfter(
    '(defun g (x n) (declare (xargs :guard (oddity x))) (list x (+ 1 n)))',
    odd,
  );
  expect(forms(suggestions)[0]).toContain(':guard (and (acl2-numberp n) (oddity x))');
});

it('of a file that is loaded they are tried as well', async () => {
  const image = await startImage();
  const file = path.join(image.request.project, 'g.lisp');
  writeFileSync(
    file,
    '(in-package "ACL2")\n(defun g (x) (declare (xargs :guard (consp x))) (+ 1 (car x)))\n',
  );
  const loaded = await image.evaluate(image.image.loader?.loadCode({ file }) ?? '');
  const suggestions = proofOf(loaded).events.at(-1)?.suggestions ?? [];
  expect(texts(suggestions)).toContain('is false for x = (nil)');
});

it('a guard of a stobj, of which no value can be tested, is not called wrong', async () => {
  const suggestions = await suggestionsAfter(
    '(defun sum-mem (i st) (declare (xargs :stobjs st :guard (and (natp i) (<= i 16)))) (if (zp i) 0 (+ (memi (1- i) st) (sum-mem (1- i) st))))',
    '(defstobj st (mem :type (array (unsigned-byte 8) (16)) :initially 0) (pcc :type (integer 0 *) :initially 0))',
  );
  expect(suggestions.length).toBeGreaterThan(0);
  expect(texts(suggestions)).not.toMatch(/wrong|holds of nothing/);
});
