/** Evaluation in SBCL: values, variables, packages and reading. */
import { describe, expect, it } from 'vitest';
import { startImage } from './sbcl-fixture';

describe('values', () => {
  it('has all values of every form, each beside its code', async () => {
    const image = await startImage();
    const { outcome, forms } = await image.evaluate('(+ 1 2) (floor 17 5)\n  "s" (values) ; done\n');
    expect(outcome).toBe('ok');
    const read = { package: 'COMMON-LISP-USER' };
    expect(forms).toEqual([
      { code: '(+ 1 2)', values: ['3'], read },
      { code: '(floor 17 5)', values: ['3', '2'], read },
      { code: '"s"', values: ['"s"'], read },
      { code: '(values)', values: [], read },
    ]);
  });

  it('has no forms for code without any', async () => {
    const image = await startImage();
    const { outcome, forms } = await image.evaluate(' ; only a remark\n #| and another |# ');
    expect(outcome).toBe('ok');
    expect(forms).toEqual([]);
  });

  it('keeps definitions and the REPL variables from one evaluation to the next', async () => {
    const image = await startImage();
    await image.evaluate('(defun square (x) (* x x)) (square 5)');
    expect((await image.evaluate('(list * (square 6))')).values).toEqual([['(25 36)']]);
    await image.evaluate('(values 1 2)');
    expect((await image.evaluate('(list + /)')).values).toEqual([['((VALUES 1 2) (1 2))']]);
    expect((await image.evaluate('(list *** -)')).values).toEqual([['((25 36) (LIST *** -))']]);
  });

  it('evaluates at DEBUG 3, where no caller is merged away', async () => {
    const image = await startImage();
    const { condition } = await image.evaluate(
      '(defun inner (x) (car x)) (defun outer (y) (inner y)) (outer 5)',
    );
    expect(condition?.frames.map((frame) => frame.call).slice(-2)).toEqual(['(INNER 5)', '(OUTER 5)']);
  });
});

describe('packages', () => {
  it('begins in CL-USER and persists across evaluations and errors', async () => {
    const image = await startImage();
    expect(image.image.package).toBe('CL-USER');
    const made = await image.evaluate('(defpackage :mine (:use :cl)) (in-package :mine) (car 1)');
    expect(made).toMatchObject({ outcome: 'error', package: 'MINE' });
    expect((await image.evaluate('(package-name *package*)')).values).toEqual([['"MINE"']]);
    expect(image.image.package).toBe('MINE');
  });

  it('takes a package for one call and leaves the session its own', async () => {
    const image = await startImage();
    await image.evaluate('(defpackage :guest (:use :cl))');
    const called = await image.evaluate("(package-name *package*) (in-package :keyword) 'x", {
      package: 'guest',
    });
    expect(called).toMatchObject({
      package: 'CL-USER',
      values: [['"GUEST"'], ['#<COMMON-LISP:PACKAGE "KEYWORD">'], [':X']],
    });
    expect((await image.evaluate('(package-name *package*)')).values).toEqual([['"COMMON-LISP-USER"']]);
  });

  it('names a package that does not exist', async () => {
    const image = await startImage();
    const { outcome, condition, forms } = await image.evaluate('(print 1)', { package: 'NOWHERE' });
    expect(outcome).toBe('error');
    expect(forms).toEqual([]);
    expect(condition?.message).toContain('"NOWHERE"');
  });

  it('starts a session in a package of its own that uses CL only', async () => {
    const image = await startImage({ package: 'SESSION-0b7e' });
    expect(image.image.package).toBe('SESSION-0b7e');
    const { values } = await image.evaluate(
      "(mapcar #'package-name (package-use-list *package*)) (symbol-package 'x)",
    );
    expect(values).toEqual([['("COMMON-LISP")'], ['#<PACKAGE "SESSION-0b7e">']]);
  });

  it('returns to CL-USER when the current package is deleted, even when that is CL-USER', async () => {
    const image = await startImage();
    await image.evaluate('(defpackage :gone (:use :cl)) (in-package :gone)');
    expect(await image.evaluate('(delete-package *package*)')).toMatchObject({
      outcome: 'ok',
      package: 'CL-USER',
    });
    expect(await image.evaluate('(delete-package :cl-user)')).toMatchObject({
      outcome: 'ok',
      package: 'CL-USER',
    });
    expect((await image.evaluate("(list 'a (+ 1 2))")).values).toEqual([['(A 3)']]);
  });
});

describe('reading', () => {
  it('reports an incomplete form and keeps the values before it', async () => {
    const image = await startImage();
    const { outcome, condition, values, notes } = await image.evaluate('(+ 1 2) (+ 1 2');
    expect({ outcome, type: condition?.type, values }).toEqual({
      outcome: 'error',
      type: 'END-OF-FILE',
      values: [['3']],
    });
    expect(notes).toEqual(['The code ends inside the form that begins at character 8.']);
  });

  it('refuses reader evaluation when asked to', async () => {
    const image = await startImage();
    expect((await image.evaluate('#.(+ 1 2)')).values).toEqual([['3']]);
    const refused = await image.evaluate('(setf *read-eval* t) #.(+ 1 2)', { safeRead: true });
    expect(refused).toMatchObject({ outcome: 'error', values: [['T']] });
    expect(refused.condition?.message).toContain('*READ-EVAL*');
    expect(refused.notes).toEqual([expect.stringContaining('Reader evaluation (#.)')]);
    expect((await image.evaluate('#.(+ 2 2)')).values).toEqual([['4']]);
  });

  it('reads each form after the ones before it have run', async () => {
    const image = await startImage();
    const { values } = await image.evaluate('(defpackage :later (:use :cl) (:export #:x)) (quote later:x)');
    expect(values).toEqual([['#<PACKAGE "LATER">'], ['LATER:X']]);
  });
});
