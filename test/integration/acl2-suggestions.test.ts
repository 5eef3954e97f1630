/** Suggestions of a real ACL2's failures, tried there: those that are forms are admitted, or were not to be promised. */
import { describe, expect, it } from 'vitest';
import type { Suggestion } from '../../electron/contract/proof';
import { proofSections } from '../../electron/tools/prover/proof-text';
import { proofOf, startImage } from './acl2-fixture';

const LISTS = `(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))
(defun rev (x) (if (consp x) (app (rev (cdr x)) (list (car x))) nil))`;
const SORT = `(defun ins (a x) (if (consp x) (if (<= a (car x)) (cons a x) (cons (car x) (ins a (cdr x)))) (list a)))
(defun isort (x) (if (consp x) (ins (car x) (isort (cdr x))) nil))
(defun ord (x) (if (consp x) (if (consp (cdr x)) (and (<= (car x) (cadr x)) (ord (cdr x))) t) t))`;

/** Evaluates what fails; answers the image and the suggestions. */
async function failed(code: string) {
  const image = await startImage();
  const answer = await image.evaluate(code);
  expect(answer.outcome).toBe('error');
  const suggestions = proofOf(answer).events.at(-1)?.suggestions ?? [];
  return { image, answer, suggestions };
}

function formOf(suggestions: readonly Suggestion[], kind: Suggestion['kind']): string {
  const form = suggestions.find((suggestion) => suggestion.kind === kind)?.form;
  if (!form) throw new Error(`No form of the kind ${kind} in ${JSON.stringify(suggestions)}`);
  return form;
}

describe('a suggestion', () => {
  it.each<[string, Suggestion['kind'], string]>([
    ['a missing hypothesis', 'hypothesis', `${LISTS} (defthm rev-rev (equal (rev (rev x)) x))`],
    ['a number that may be none', 'hypothesis', '(defthm plus-0 (equal (+ x 0) x))'],
    [
      'a natural number',
      'hypothesis',
      '(defun sum (n) (if (zp n) 0 (+ n (sum (- n 1))))) (defthm gauss (equal (* 2 (sum n)) (* n (+ n 1))))',
    ],
    ['a disabled function', 'theory', `${SORT} (in-theory (disable ins)) (defthm sorts (ord (isort x)))`],
    ['a measure that goes down', 'measure', '(defun down (n) (if (equal n 0) 0 (+ 1 (down (- n 1)))))'],
    ['a measure between two', 'measure', '(defun up (n m) (if (< n m) (up (+ n 1) m) n))'],
    [
      'a measure of two arguments, one after the other',
      'measure',
      '(defun ack (m n) (cond ((equal m 0) (+ n 1)) ((zp n) (ack (- m 1) 1)) (t (ack (- m 1) (ack m (- n 1))))))',
    ],
    [
      'a measure of two arguments together',
      'measure',
      '(defun mrg (x y) (cond ((endp x) y) ((endp y) x) ((<= (car x) (car y)) (cons (car x) (mrg (cdr x) y))) (t (cons (car y) (mrg x (cdr y))))))',
    ],
    [
      'a measure up to where it ends',
      'measure',
      '(defun up (i n) (if (>= i n) nil (cons i (up (+ 1 i) n))))',
    ],
    [
      'measures of functions that call each other',
      'measure',
      '(mutual-recursion (defun leaves (x) (if (consp x) (of-all x) (list x))) (defun of-all (x) (if (consp x) (append (leaves (car x)) (of-all (cdr x))) nil)))',
    ],
    ['a guard', 'guard', '(defun f (x) (declare (xargs :guard t)) (car x))'],
    [
      'a guard that the given one needs',
      'guard',
      '(defun f (x) (declare (xargs :guard (consp (cdr x)))) (if (cadr x) (car x) 0))',
    ],
  ])('of %s is right', async (_what, kind, code) => {
    const { image, suggestions } = await failed(code);
    expect(await image.evaluate(formOf(suggestions, kind))).toMatchObject({ outcome: 'ok' });
  });

  it('of a lemma lets the proof go through', async () => {
    const theorem = '(defthm rev-app (equal (rev (app x y)) (app (rev y) (rev x))))';
    const { image, suggestions } = await failed(`${LISTS} ${theorem}`);
    expect((await image.evaluate(formOf(suggestions, 'lemma'))).outcome).toBe('ok');
    const again = await image.evaluate(theorem);
    const next = proofOf(again).events.at(-1)?.suggestions ?? [];
    if (again.outcome === 'error') {
      expect((await image.evaluate(formOf(next, 'lemma'))).outcome).toBe('ok');
      expect((await image.evaluate(theorem)).outcome).toBe('ok');
    }
  });

  it('says that it was not tried, and a success has none', async () => {
    const { image, answer } = await failed('(defthm a (equal (append x nil) x))');
    const text = proofSections(proofOf(answer)).join('\n');
    expect(text).toContain('suggestions, computed from the failure; not proved unless they say so:\n');
    expect(text).toContain('hypothesis: Subgoal *1/1');
    expect(text).toContain('(defthm a (implies (true-listp x) (equal (append x nil) x)))');
    expect(proofOf(await image.evaluate('(thm (equal x x))')).events[0]?.suggestions).toBeUndefined();
  });

  it('is about the package ACL2 wherever the session is', async () => {
    const { suggestions } = await failed(
      '(defpkg "P" (union-eq *acl2-exports* *common-lisp-symbols-from-main-lisp-package*)) (in-package "P") (defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y)) (defthm a (equal (app x nil) x))',
    );
    expect(formOf(suggestions, 'hypothesis')).toBe(
      '(defthm p::a (implies (true-listp p::x) (equal (p::app p::x nil) p::x)))',
    );
  });
});
