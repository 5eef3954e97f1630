/** Suggestions for definitions whose end or guards were not proved. */
import { describe, expect, it } from 'vitest';
import { suggested } from './acl2-failures';

describe('a definition whose end was not proved', () => {
  const printed = 'The proof of the measure conjecture\nfor F has failed.';
  it.each([
    [
      '(DEFUN F (X Y) (IF (< X Y) (F (+ X 1) Y) X))',
      '(defun f (x y) (declare (xargs :measure (nfix (- y x)))) (if (and (integerp x) (integerp y) (< x y)) (f (+ x 1) y) x))',
    ],
    [
      '(DEFUN F (X) (DECLARE (XARGS :GUARD T)) (IF (EQUAL X 0) 0 (F (- X 1))))',
      '(defun f (x) (declare (xargs :measure (nfix x))) (declare (xargs :guard t)) (if (zp x) 0 (f (- x 1))))',
    ],
    [
      '(DEFUN F (A X) (IF (EQUAL X A) 0 (F A (CDR X))))',
      '(defun f (a x) (declare (xargs :measure (acl2-count x))) (if (equal x a) 0 (f a (cdr x))))',
    ],
    [
      '(DEFUN F (X Y) (COND ((ENDP X) Y) ((P X) (F (CDR X) Y)) (T (F X (CDR Y)))))',
      '(defun f (x y) (declare (xargs :measure (+ (acl2-count x) (acl2-count y)))) (cond ((endp x) y) ((p x) (f (cdr x) y)) (t (f x (cdr y)))))',
    ],
    [
      '(DEFUN F (M N) (COND ((EQUAL M 0) N) ((ZP N) (F (- M 1) 1)) (T (F (- M 1) (F M (- N 1))))))',
      '(defun f (m n) (declare (xargs :measure (make-ord 1 (+ 1 (nfix m)) (nfix n)))) (cond ((zp m) n) ((zp n) (f (- m 1) 1)) (t (f (- m 1) (f m (- n 1))))))',
    ],
    [
      '(DEFUN F (X Y) (IF (>= X Y) NIL (F (+ X 1) Y)))',
      '(defun f (x y) (declare (xargs :measure (nfix (- y x)))) (if (or (not (integerp x)) (not (integerp y)) (>= x y)) nil (f (+ x 1) y)))',
    ],
    [
      '(MUTUAL-RECURSION (DEFUN F (X) (IF (ATOM X) X (G X))) (DEFUN G (Y) (F (CDR Y))))',
      '(mutual-recursion (defun f (x) (declare (xargs :measure (+ 1 (* 2 (acl2-count x))))) (if (atom x) x (g x))) (defun g (y) (declare (xargs :measure (* 2 (acl2-count y)))) (f (cdr y))))',
    ],
    ['(DEFUN F (X) (IF (P X) 0 (F (G X))))', 'ACL2 does not see that (g x) is smaller '],
  ])('%s', (form, suggestion) => {
    expect(suggested({ form, printed })).toEqual([`measure: ${suggestion}`]);
  });
});

describe('a definition whose guards were not proved', () => {
  const printed = 'The proof of the guard conjecture for F has failed.';
  const later =
    'guard: (defun f (x) (declare (xargs :verify-guards nil)) (declare (xargs :guard (p x))) (car x))';

  it('wants a stronger guard', () => {
    expect(
      suggested({
        form: '(DEFUN F (X) (DECLARE (XARGS :GUARD (P X))) (CAR X))',
        top: ['(TRUE-LISTP X)'],
        printed,
      }),
    ).toEqual(['guard: (defun f (x) (declare (xargs :guard (and (true-listp x) (p x)))) (car x))', later]);
  });

  it('wants a lemma', () => {
    expect(
      suggested({
        form: '(DEFUN F (X) (DECLARE (XARGS :GUARD (P X))) (CAR X))',
        top: ['(Q (G X))'],
        printed,
      }),
    ).toEqual(['guard: (defthm f-guard-lemma (q (g x)))', later]);
  });
});
