/**
 * Queries in parallel to evaluations in SBCL: they answer while code runs, and no user method breaks the
 * session.
 */
import { describe, expect, it } from 'vitest';
import { startImage } from './sbcl-fixture';
import { KnowingImage } from './sbcl-knowing';

describe('while an evaluation runs', () => {
  it('answers at once, and leaves the evaluation and its output alone', async () => {
    const sbcl = await KnowingImage.start();
    await sbcl.evaluate(`
      (defvar *stop* nil) (defclass loud () ())
      (defmethod print-object ((object loud) stream)
        (print :noise) (format *error-output* "noise") (setf *package* (find-package :cl)) (princ "LOUD" stream))
      (defvar *loud* (make-instance 'loud))`);
    const { settled } = await sbcl.image.running(
      '(princ "ready") (loop until *stop*) (package-name *package*)',
    );
    expect((await sbcl.describe('*loud*')).get('variable')?.value).toBe('LOUD');
    expect((await sbcl.find('completions', 'm-v-b')).total).toBe(1);
    await sbcl.inspector.inspect({ start: { last: true }, path: [], offset: 0 });
    await sbcl.image.image.interrupt(2, 'cooperative');
    const { output, outcome } = await settled;
    expect([outcome, output]).toEqual(['interrupted', [['stdout', 'ready']]]);
    expect((await sbcl.image.evaluate('(package-name *package*)')).values).toEqual([['"COMMON-LISP-USER"']]);
  });

  it('answers in the package of the session, whatever an evaluation has bound', async () => {
    const sbcl = await KnowingImage.start();
    await sbcl.evaluate('(defpackage :mine (:use :cl)) (in-package :mine) (defun f () 1)');
    expect(await sbcl.knowledge.describe({ symbol: 'f' })).toMatchObject({ symbol: 'F' });
  });
});

describe('a method of the image that a query needs', () => {
  const withMethod = async (body: string) => {
    const sbcl = await KnowingImage.start();
    await sbcl.evaluate(
      `(defun f () 1) (defmethod documentation ((name (eql 'f)) (type (eql 'function))) ${body})`,
    );
    return sbcl;
  };

  it.each([
    ['signals an error', '(error "on purpose")'],
    [
      'enters the debugger',
      '(invoke-debugger (make-condition (quote simple-condition) :format-control "x"))',
    ],
    ['breaks', '(break)'],
    ['exhausts the stack', '(labels ((f (n) (+ 1 (f n)))) (f 1))'],
    ['unsets the hooks', '(progn (setf sb-ext:*invoke-debugger-hook* nil) (error "on purpose"))'],
    ['ends its thread', '(sb-thread:abort-thread)'],
    ['throws to nowhere', "(throw 'nowhere 1)"],
    ['answers what is no string', "'not-a-string"],
    ['fills the heap', '(let ((all nil)) (loop (push (make-array 100000) all)))'],
  ])('that %s harms that answer only', async (_what, body) => {
    const sbcl = await withMethod(body);
    await sbcl.knowledge.describe({ symbol: 'f' }).catch((error: { code: string }) => {
      expect(['query_failed', 'took_too_long']).toContain(error.code);
    });
    expect((await sbcl.describe('car')).has('function')).toBe(true);
    expect((await sbcl.image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });

  it('that never ends is given up, and its thread too', async () => {
    const sbcl = await withMethod('(unwind-protect (loop (sleep 1)) (loop (sleep 1)))');
    await expect(sbcl.knowledge.describe({ symbol: 'f' })).rejects.toMatchObject({ code: 'took_too_long' });
    expect((await sbcl.describe('car')).has('function')).toBe(true);
    const threads = `(loop while (find "lisp-harbor query" (sb-thread:list-all-threads)
                                       :key #'sb-thread:thread-name :test #'equal)
                           do (sleep 0.05))`;
    expect((await sbcl.image.evaluate(threads)).outcome).toBe('ok');
  });
});

describe('an image that ends', () => {
  it('answers no more, and says why', async () => {
    const sbcl = await KnowingImage.start();
    await sbcl.evaluate(
      "(defun f () 1) (defmethod documentation ((n (eql 'f)) (type (eql 'function))) (loop))",
    );
    const waiting = expect(sbcl.knowledge.describe({ symbol: 'f' })).rejects.toMatchObject({
      code: 'image_lost',
    });
    await sbcl.image.evaluate('(sb-ext:exit :code 7 :abort t)');
    await waiting;
    await expect(sbcl.knowledge.describe({ symbol: 'f' })).rejects.toMatchObject({
      code: 'image_lost',
      message: expect.stringContaining('code 7'),
    });
  });
});

it('an answer that code in the image forges is refused when it does not fit', async () => {
  const image = await startImage();
  const forge = '(lisp-harbor-agent::send "answer" "id" 1 "value" (lisp-harbor-agent::object "symbol" 1))';
  await image.evaluate(
    `(defun f () 1) (defmethod documentation ((n (eql 'f)) (type (eql 'function))) ${forge} "genuine")`,
  );
  await expect(image.image.knowledge?.describe({ symbol: 'f' })).rejects.toMatchObject({
    code: 'query_failed',
  });
  expect((await image.image.knowledge?.describe({ symbol: 'car' }))?.symbol).toBe('CAR');
});
