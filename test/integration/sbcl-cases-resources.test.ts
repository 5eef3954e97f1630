/**
 * Exhausted stack, heap, foreign memory and arithmetic: a condition, or an image that is reported as lost.
 */
import { describe, expect, it } from 'vitest';
import { testCases } from './sbcl-cases';
import { evaluate, sessionsFixture } from './sessions-fixture';

const STACK = 'SB-KERNEL::CONTROL-STACK-EXHAUSTED';
const HEAP = 'LISP-HARBOR-AGENT:HEAP-LIMIT-REACHED';
const DAMAGE = /^A memory fault happened/;

describe('the control stack', () => {
  testCases([
    {
      what: 'recursion without end',
      code: '(defun deep (n) (+ 1 (deep n))) (deep 0)',
      outcome: 'error',
      type: STACK,
    },
    {
      what: 'the same, handled fifty times',
      code: '(defun deep (n) (+ 1 (deep n))) (dotimes (i 50 :done) (handler-case (deep 1) (storage-condition () 2)))',
      outcome: 'ok',
      values: [':DONE'],
    },
    {
      what: 'three hundred thousand open parentheses',
      code: '(read-from-string (make-string 300000 :initial-element #\\())',
      outcome: 'error',
      type: STACK,
    },
    {
      what: 'a deep form as code',
      code: `${'(identity '.repeat(100_000)}1${')'.repeat(100_000)}`,
      outcome: 'error',
      type: 'SB-KERNEL::BINDING-STACK-EXHAUSTED',
    },
    {
      what: 'a macro that expands into itself',
      code: "(defmacro again () (macroexpand '(again))) (again)",
      outcome: 'error',
      type: STACK,
    },
    {
      what: 'a report of a condition that recurs',
      code: `(define-condition deep (error) () (:report (lambda (c s) (princ c s) (princ 1 s)))) (error 'deep)`,
      outcome: 'error',
      type: 'DEEP',
    },
  ]);
});

describe('the heap', () => {
  testCases([
    {
      what: 'one huge allocation',
      code: '(make-array 10000000000)',
      outcome: 'error',
      type: 'SB-KERNEL::HEAP-EXHAUSTED-ERROR',
    },
    {
      what: 'vectors that fill it',
      code: '(let ((all nil)) (loop (push (make-array 1000) all)))',
      outcome: 'error',
      type: HEAP,
    },
    {
      what: 'conses that fill it',
      code: '(let ((all nil)) (loop (push 1 all)))',
      outcome: 'error',
      type: HEAP,
    },
    {
      what: 'strings that a variable holds',
      code: '(defvar *all* nil) (unwind-protect (loop (push (make-string 100) *all*)) (setf *all* nil))',
      outcome: 'error',
      type: HEAP,
    },
    {
      what: 'a handler that goes on filling',
      code: '(let ((all nil)) (loop (ignore-errors (loop (push (make-array 1000) all)))))',
      outcome: 'error',
      type: HEAP,
    },
    { what: 'a number larger than the heap', code: '(ash 1 4000000000)', outcome: 'error', type: HEAP },
    {
      what: 'large vectors that take most of it, which are not copied',
      code: `(let ((bytes (floor (* 70/100 (sb-ext:dynamic-space-size)) 200)))
               (length (loop repeat 200 collect (make-array bytes :element-type '(unsigned-byte 8)))))`,
      outcome: 'ok',
      values: ['200'],
    },
    {
      what: 'large vectors that take more than is there',
      code: `(let ((bytes (floor (sb-ext:dynamic-space-size) 200)))
               (length (loop repeat 300 collect (make-array bytes :element-type '(unsigned-byte 8)))))`,
      outcome: 'error',
      type: HEAP,
    },
    {
      what: 'garbage without end, held by nobody',
      code: '(dotimes (i 20000 :done) (make-array 10000))',
      outcome: 'ok',
      values: [':DONE'],
    },
    {
      what: 'a full collection of millions of conses',
      code: '(defvar *big* (loop repeat 2000000 collect (list 1))) (sb-ext:gc :full t) (length *big*)',
      outcome: 'ok',
      values: ['2000000'],
    },
    {
      what: 'an allocation that forbids collecting',
      code: '(sb-sys:without-gcing (let ((all nil)) (loop (push (make-array 100) all))))',
      outcome: 'crashed',
      note: /^SBCL exited with code 1 because its heap was full\.$/,
      lost: true,
    },
    {
      what: 'hooks emptied in one evaluation, the heap filled in it',
      code: '(setf sb-ext:*after-gc-hooks* nil) (let ((all nil)) (loop (push (make-array 1000) all)))',
      outcome: 'crashed',
      note: /^SBCL exited with code 1 because its heap was full\.$/,
      lost: true,
    },
  ]);
});

describe('foreign memory and functions', () => {
  testCases([
    {
      what: 'a null pointer',
      code: '(sb-sys:sap-ref-64 (sb-sys:int-sap 0) 0)',
      outcome: 'error',
      type: 'SB-SYS:MEMORY-FAULT-ERROR',
      note: DAMAGE,
    },
    {
      what: 'a null pointer whose fault is handled',
      code: '(handler-case (sb-sys:sap-ref-64 (sb-sys:int-sap 0) 0) (error () :handled))',
      outcome: 'ok',
      values: [':HANDLED'],
      output: /CORRUPTION WARNING/,
    },
    {
      what: 'strlen of a null pointer',
      code: '(alien-funcall (extern-alien "strlen" (function unsigned-long unsigned-long)) 0)',
      outcome: 'error',
      type: 'SB-SYS:MEMORY-FAULT-ERROR',
      note: DAMAGE,
    },
    {
      what: 'a foreign function that is not there',
      code: '(alien-funcall (extern-alien "no_such_function" (function int)))',
      outcome: 'error',
      type: 'SB-KERNEL::UNDEFINED-ALIEN-FUNCTION-ERROR',
    },
    {
      what: 'abort() of C',
      code: '(alien-funcall (extern-alien "abort" (function void)))',
      outcome: 'crashed',
      note: /because its runtime reported a fatal error/,
      lost: true,
    },
  ]);
});

describe('arithmetic', () => {
  testCases([
    { what: 'division by zero', code: '(/ 1 0)', outcome: 'error', type: 'DIVISION-BY-ZERO' },
    { what: 'a float trap', code: '(/ 1.0 0.0)', outcome: 'error', type: 'DIVISION-BY-ZERO' },
    { what: 'a float overflow', code: '(* 1e38 1e38)', outcome: 'error', type: 'FLOATING-POINT-OVERFLOW' },
    {
      what: 'a number of three million digits, printed',
      code: '(ash 1 10000000)',
      outcome: 'ok',
      values: ['#<printing stopped>'],
      note: /took too long to print/,
    },
  ]);
});

it('the same image goes through all of it again and again', async () => {
  const session = await sessionsFixture().open();
  const abuse = [
    ['(labels ((down (n) (1+ (down n)))) (down 0))', STACK],
    ['(make-array 10000000000)', 'SB-KERNEL::HEAP-EXHAUSTED-ERROR'],
    ['(let ((all nil)) (loop (push (make-array 1000) all)))', HEAP],
    ['(sb-sys:sap-ref-64 (sb-sys:int-sap 0) 0)', 'SB-SYS:MEMORY-FAULT-ERROR'],
  ] as const;
  for (let round = 0; round < 5; round += 1) {
    for (const [code, type] of abuse) {
      expect((await evaluate(session, code).settled).condition?.type).toBe(type);
    }
  }
  expect((await evaluate(session, '(+ 1 2)').settled).forms[0]?.values).toEqual(['3']);
  expect(session.view().generation).toBe(1);
});
