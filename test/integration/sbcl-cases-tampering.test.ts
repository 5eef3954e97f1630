/**
 * Code that changes what the agent and SBCL depend on: packages, functions of CL, streams, variables, the
 * wire.
 */
import { describe } from 'vitest';
import { testCases } from './sbcl-cases';

/** Redefines a function of CL without its lock. */
const redefine = (definition: string) => `(sb-ext:unlock-package :cl) ${definition} (list 1 2)`;

/** Writes `text`, as FORMAT makes it, to the wire: `count` times, without evaluating anything between. */
const writing = (text: string, count: number) => `(let* ((piece (format nil "${text}"))
       (most (floor 100000 (length piece)))
       (pieces (sb-ext:string-to-octets (format nil "~V@{~A~:*~}" most piece))))
  (loop for left = ${count} then (- left most) while (plusp left)
        do (sb-sys:with-pinned-objects (pieces)
             (sb-unix:unix-write 3 pieces 0 (* (min left most) (length piece)))))
  :written)`;

const without = (code: string) => `(sb-ext:without-package-locks ${code})`;

describe('packages', () => {
  testCases([
    {
      what: "the agent's deleted",
      code: '(delete-package :lisp-harbor-agent) (list 1 2)',
      outcome: 'ok',
      values: ['(1 2)'],
    },
    {
      what: 'CL-USER deleted',
      code: '(delete-package :cl-user) (cl:list 1 2)',
      outcome: 'ok',
      values: ['(1 2)'],
    },
    {
      what: 'the current one deleted',
      code: '(defpackage :mine (:use :cl)) (in-package :mine) (delete-package *package*)',
      outcome: 'ok',
      values: ['T'],
    },
    {
      what: 'CL deleted',
      code: without('(delete-package :cl)'),
      outcome: 'error',
      type: 'SB-KERNEL:SIMPLE-PACKAGE-ERROR',
    },
    {
      what: 'the Gray streams deleted',
      code: without('(delete-package :sb-gray)'),
      outcome: 'error',
      type: 'SB-KERNEL:SIMPLE-PACKAGE-ERROR',
    },
    {
      what: 'SB-IMPL deleted',
      code: `${without('(delete-package :sb-impl)')} (list 1 2)`,
      outcome: 'ok',
      values: ['(1 2)'],
    },
    {
      what: 'CL-USER renamed',
      code: '(rename-package :cl-user :mine) (list 1 2)',
      outcome: 'ok',
      values: ['(1 2)'],
    },
    {
      what: 'CL renamed',
      code: `${without('(rename-package :cl :other)')} (list 1 2)`,
      outcome: 'ok',
      values: ['(1 2)'],
    },
  ]);
});

describe('functions of CL', () => {
  testCases([
    {
      what: 'CAR, which is locked',
      code: '(defun car (x) x)',
      outcome: 'error',
      type: 'SYMBOL-PACKAGE-LOCKED-ERROR',
    },
    { what: 'CAR', code: redefine('(defun car (x) (error "~A" x))'), outcome: 'ok', values: ['(1 2)'] },
    { what: 'EVAL, removed', code: redefine("(fmakunbound 'eval)"), outcome: 'ok', values: ['(1 2)'] },
    { what: 'EVAL', code: redefine('(defun eval (x) (error "~A" x))'), outcome: 'ok', values: ['(1 2)'] },
    { what: 'READ', code: redefine('(defun read (&rest a) a 42)'), outcome: 'ok', values: ['(1 2)'] },
    {
      what: 'PRIN1',
      code: redefine('(defun prin1 (&rest a) (error "~A" a))'),
      outcome: 'ok',
      values: ['(1 2)'],
    },
    {
      what: 'FORMAT',
      code: redefine('(defun format (&rest a) a (car 1))'),
      outcome: 'ok',
      values: ['(1 2)'],
    },
    {
      what: 'PRINT-OBJECT of everything',
      code: `${without('(defmethod print-object ((x t) s) (error "~A" s))')} (list 1 "a")`,
      outcome: 'ok',
      values: ['(1 "a")'],
    },
    {
      what: 'WRITE-STRING',
      code: redefine('(defun write-string (&rest a) (error "~A" a))'),
      outcome: 'crashed',
      note: /because its runtime reported a fatal error/,
      lost: true,
    },
    {
      what: 'a symbol of CL uninterned',
      code: "(sb-ext:unlock-package :cl) (unintern 'car :cl) (list 1 2)",
      outcome: 'ok',
      values: ['(1 2)'],
    },
  ]);
});

describe('streams and variables', () => {
  testCases([
    {
      what: 'standard output set to NIL',
      code: "(set '*standard-output* nil)",
      outcome: 'error',
      type: 'SIMPLE-TYPE-ERROR',
    },
    {
      what: 'standard output set to a dead end',
      code: '(setf *standard-output* (make-broadcast-stream)) (print 1)',
      outcome: 'ok',
      output: /^$/,
    },
    {
      what: 'standard streams closed',
      code: '(close *standard-output*) (close *error-output*) (close *standard-input*) (print 1)',
      outcome: 'ok',
    },
    {
      what: "SBCL's own streams set to NIL",
      code: '(setf sb-impl::*stdout* nil sb-impl::*stdin* nil sb-impl::*tty* nil) (print 1)',
      outcome: 'ok',
      output: /^\n1 $/,
    },
    {
      what: 'descriptors 1 and 2 closed',
      code: '(sb-unix:unix-close 1) (sb-unix:unix-close 2) (print 1)',
      outcome: 'ok',
      output: /^\n1 $/,
    },
    {
      what: '*PACKAGE* set to NIL',
      code: "(set '*package* nil)",
      outcome: 'error',
      type: 'SIMPLE-TYPE-ERROR',
    },
    {
      what: '*PACKAGE* unbound',
      code: "(makunbound '*package*)",
      outcome: 'error',
      type: 'SYMBOL-PACKAGE-LOCKED-ERROR',
    },
    {
      what: '*READTABLE* set to NIL',
      code: "(set '*readtable* nil)",
      outcome: 'error',
      type: 'SIMPLE-TYPE-ERROR',
    },
    {
      what: 'a readtable that preserves case',
      code: '(setf (readtable-case *readtable*) :preserve) (LIST 1 2)',
      outcome: 'ok',
      values: ['(1 2)'],
      unsaid: /printing/i,
    },
    {
      what: 'a readtable that inverts case',
      code: '(setf (readtable-case *readtable*) :invert) (error "no")',
      outcome: 'error',
      type: 'SIMPLE-ERROR',
      unsaid: /printing/i,
    },
    {
      what: 'a reader macro that errs on every parenthesis but the next ones',
      code: '(let ((*readtable* (copy-readtable))) (set-macro-character #\\( (lambda (s c) (error "~A ~A" s c))) (read-from-string "("))',
      outcome: 'error',
      type: 'SIMPLE-ERROR',
    },
    {
      what: 'the evaluation’s own number forgotten',
      code: '(setf lisp-harbor-agent::*current* nil) 1',
      outcome: 'ok',
      values: ['1'],
    },
  ]);
});

describe('the wire', () => {
  testCases([
    {
      what: 'closed',
      code: '(sb-unix:unix-close 3) (print 1)',
      outcome: 'crashed',
      note: /because code in it broke its connection/,
      lost: true,
    },
    {
      what: 'written to',
      code: `(flet ((forge (text) (sb-unix:unix-write 3 (sb-ext:string-to-octets (format nil "~A~%" text)) 0 (1+ (length text)))))
        (forge "not json") (forge "[]") (forge "{\\"event\\":\\"input-wanted\\",\\"id\\":1}") (forge "{\\"event\\":\\"hello\\"}") :on)`,
      outcome: 'ok',
      values: [':ON'],
    },
    {
      what: 'written to without end, in short lines',
      code: writing('junk~%', 400_000),
      outcome: 'crashed',
      note: /SBCL was killed because code in it wrote invalid data to its connection with the harbor: it sent 101 invalid messages/,
      lost: true,
    },
    {
      what: 'written to in depth',
      code: writing('[', 60_000_000),
      outcome: 'crashed',
      note: /connection with the harbor: it wrote a line of more than/,
      lost: true,
    },
    {
      what: 'given a line of countless values',
      code: `${writing('[],', 2_000_000)} ${writing('~%', 1)} (sleep 1000)`,
      outcome: 'crashed',
      note: /connection with the harbor: a line that it wrote cannot be an event: it has more than/,
      lost: true,
    },
    {
      what: 'inherited by nobody',
      code: '(alien-funcall (extern-alien "system" (function int c-string)) "test ! -e /proc/self/fd/3")',
      outcome: 'ok',
      values: ['0'],
    },
  ]);
});
