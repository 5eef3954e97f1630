/** Unhandled conditions in SBCL: reported with type, message, restarts and frames, back at top level. */
import { expect, it } from 'vitest';
import { startImage } from './sbcl-fixture';

it.each([
  [
    '(nonexistent-function 1)',
    'UNDEFINED-FUNCTION',
    'The function COMMON-LISP-USER::NONEXISTENT-FUNCTION is undefined.',
  ],
  ['unbound-thing', 'UNBOUND-VARIABLE', 'The variable UNBOUND-THING is unbound.'],
  ['(+ 1 "hello")', 'TYPE-ERROR', 'is not of type\n  NUMBER'],
  ['(/ 1 0)', 'DIVISION-BY-ZERO', 'arithmetic error DIVISION-BY-ZERO signalled'],
  ['(aref #(1 2 3) 10)', 'SB-INT:INVALID-ARRAY-INDEX-ERROR', 'Invalid index 10'],
  ["(elt '(1) 3)", 'SB-KERNEL:INDEX-TOO-LARGE-ERROR', 'too large'],
  ['(+ 1 2', 'END-OF-FILE', 'end of file'],
  ['(+ 1 2))', 'SB-INT:SIMPLE-READER-ERROR', 'unmatched close parenthesis'],
  ['foo:bar', 'SB-INT:SIMPLE-READER-PACKAGE-ERROR', 'Package FOO does not exist.'],
  ['(error "x ~A" 1)', 'SIMPLE-ERROR', 'x 1'],
  ['(break "here")', 'SIMPLE-CONDITION', 'here'],
  ["(invoke-debugger (make-condition 'warning))", 'WARNING', 'WARNING'],
  ["(error 'sb-sys:interactive-interrupt)", 'SB-SYS:INTERACTIVE-INTERRUPT', 'Interactive interrupt'],
  ['(throw :nowhere 1)', 'SB-INT:SIMPLE-CONTROL-ERROR', 'nowhere'.toUpperCase()],
  ['(/ 1.0 0.0)', 'DIVISION-BY-ZERO', 'arithmetic error'],
  ['(sb-sys:sap-ref-64 (sb-sys:int-sap 0) 0)', 'SB-SYS:MEMORY-FAULT-ERROR', 'Unhandled memory fault'],
])('%s', async (code, type, message) => {
  const image = await startImage();
  const { outcome, condition } = await image.evaluate(code);
  expect(outcome).toBe('error');
  expect(condition?.type).toBe(type);
  expect(condition?.message).toContain(message);
  expect(condition?.frames[0]).toMatchObject({ index: 0, call: expect.stringMatching(/^\(/) });
  expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
});

it('lists the restarts down to the top level', async () => {
  const image = await startImage();
  const { condition } = await image.evaluate(
    '(restart-case (error "x") (retry-it () :report "Try it again." 1) (give-up () 2))',
  );
  expect(condition?.level).toBe(1);
  expect(condition?.restarts).toEqual([
    { index: 0, name: 'RETRY-IT', description: 'Try it again.', arguments: [] },
    { index: 1, name: 'GIVE-UP', description: 'GIVE-UP', arguments: [] },
    { index: 2, name: 'ABORT', description: 'Return to the top level.', arguments: [] },
  ]);
});

it("shows the user's frames only, twenty at most", async () => {
  const image = await startImage();
  const { condition } = await image.evaluate(
    '(defun down (n) (if (zerop n) (error "deep") (1+ (down (1- n))))) (down 50)',
  );
  const calls = condition?.frames.map((frame) => frame.call);
  expect(calls).toEqual(Array.from({ length: 20 }, (_, depth) => `(DOWN ${depth})`));
});

it('shows the form itself where no function of the user is on the stack', async () => {
  const image = await startImage();
  expect((await image.evaluate('(error "x")')).condition?.frames).toEqual([
    { index: 0, call: '(EVAL (ERROR "x"))' },
  ]);
});

it('says how to get Quicklisp where code expects it', async () => {
  const image = await startImage();
  const { condition, notes } = await image.evaluate('(ql:quickload :alexandria)');
  expect(condition?.type).toBe('SB-INT:SIMPLE-READER-PACKAGE-ERROR');
  expect(notes).toEqual([expect.stringContaining('Quicklisp is not loaded in this image.')]);
});

it('leaves handling to the code that handles', async () => {
  const image = await startImage();
  const { values } = await image.evaluate(
    '(handler-case (/ 1 0) (division-by-zero () :handled)) (ignore-errors (car 1))',
  );
  expect(values[0]).toEqual([':HANDLED']);
});

it('names a condition type as it is read in CL-USER, in whatever package', async () => {
  const image = await startImage();
  const { condition } = await image.evaluate(
    '(defpackage :mine (:use :cl)) (in-package :mine) (define-condition odd (error) ()) (error (quote odd))',
  );
  expect(condition?.type).toBe('MINE::ODD');
});

it('reports a condition whose own report fails', async () => {
  const image = await startImage();
  const { condition } = await image.evaluate(
    '(define-condition mute (error) () (:report (lambda (c s) (car c) (princ 1 s)))) (error (quote mute))',
  );
  expect(condition).toMatchObject({
    type: 'MUTE',
    message: expect.stringContaining('#<error printing a MUTE:'),
  });
});

it('returns to the top level by the abort restart', async () => {
  const image = await startImage();
  const { outcome, notes } = await image.evaluate('1 (abort) 2');
  expect(outcome).toBe('interrupted');
  expect(notes).toEqual(['The code returned to the top level by the ABORT restart.']);
});

it('has no debugger that waits for a terminal, whatever the code does to the hooks', async () => {
  const image = await startImage();
  const { condition } = await image.evaluate(
    '(setf sb-ext:*invoke-debugger-hook* nil *debugger-hook* nil) (error "unhooked")',
  );
  expect(condition?.message).toBe('unhooked');
  const inThread = await image.evaluate(`
    (sb-thread:join-thread
      (sb-thread:make-thread (lambda () (setf sb-ext:*invoke-debugger-hook* nil) (error "unhooked"))) :default :died)`);
  expect(inThread.outcome).toBe('ok');
});
