import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import { type StartedHarbor, WAYS } from '../started-harbor';
import { StdioLines } from '../stdio-client';

let harbor: StartedHarbor;
let client: Client;

describe.each(sampled('s1-evaluation ways', WAYS, 1))('over %s', (way) => {
  beforeAll(async () => {
    harbor = await sharedHarbor();
    client = await harbor.over(way);
  });
  afterAll(() => harbor.stop());

  describe('cl-mcp-server: evaluation', () => {
    it('S1-1 runs SBCL', async () => {
      expect(await values(client, '(lisp-implementation-type)')).toEqual(['"SBCL"']);
    });

    it('S1-7 S1-29 S1-45 keeps definitions for later evaluations', async () => {
      await evaluate(client, '(defun kept (x) (* 2 x))');
      expect(await values(client, '(kept 21)')).toEqual(['42']);
    });

    it('S1-8 answers an error and lives on', async () => {
      const { structured, isError } = await evaluate(client, '(error "on purpose")');
      expect(isError).toBe(true);
      expect(structured.condition).toMatchObject({ type: 'SIMPLE-ERROR', message: 'on purpose' });
      expect(await values(client, '(+ 1 2)')).toEqual(['3']);
    });

    it('S1-9 S1-49 tells values, stdout, stderr and warnings apart, in data and in text', async () => {
      const code = `(progn (format t "out") (format *error-output* "err") (warn "careful") (values 1 2))`;
      const { structured, text, isError } = await evaluate(client, code);
      expect(structured).toMatchObject({ values: ['1', '2'], stdout: 'out', stderr: 'err', outcome: 'ok' });
      expect(structured.warnings).toMatchObject([{ severity: 'warning', message: 'careful' }]);
      expect(text).toContain('[stdout]\nout');
      expect(text).toContain('[stderr]\nerr');
      expect(text).toContain('careful');
      expect(text).toContain('=> 1\n=> 2');
      expect(isError).toBe(false);
    });

    it('S1-16 tells agents to work interactively', () => {
      expect(client.getInstructions()).toMatch(/REPL-first/);
    });

    it('S1-38 records a warning and goes on', async () => {
      const { structured, isError } = await evaluate(client, '(warn "w") 1');
      expect(structured).toMatchObject({ outcome: 'ok', values: ['1'] });
      expect(structured.warnings).toHaveLength(1);
      expect(isError).toBe(false);
    });

    it('S1-39 S1-78 captures standard output', async () => {
      expect((await evaluate(client, '(format t "a")')).structured.stdout).toBe('a');
    });

    it('S1-40 sends error and trace output to stderr', async () => {
      const { structured } = await evaluate(client, '(defun traced (x) x) (trace traced) (traced 7)');
      expect(structured.stderr).toMatch(/TRACED 7/i);
      expect(structured.stdout).toBe('');
    });

    it('S1-41 never hangs on a query', async () => {
      const asked = await evaluate(client, '(read-line *query-io*)');
      expect(asked.structured.condition?.type).toBe('END-OF-FILE');
      expect((await evaluate(client, '(y-or-n-p "really?")')).structured.outcome).toBe('error');
    });

    it('S1-46 S1-47 stays in CL-USER, also after an error', async () => {
      await evaluate(client, '(car 1)');
      expect(await values(client, '(eq *package* (find-package :cl-user))')).toEqual(['T']);
    });

    it('S1-48 S1-79 keeps a package switch', async () => {
      await evaluate(client, '(defpackage :my-pkg (:use :cl)) (in-package :my-pkg)');
      expect(await values(client, '(package-name *package*)')).toEqual(['"MY-PKG"']);
      await evaluate(client, '(in-package :cl-user)');
    });

    it('S1-55 names the conditions of common mistakes', async () => {
      const mistakes: [string, RegExp][] = [
        ['(no-such-function)', /^UNDEFINED-FUNCTION$/],
        ['no-such-variable', /^UNBOUND-VARIABLE$/],
        ['(+ 1 "hello")', /TYPE-ERROR$/],
        ['(/ 1 0)', /^DIVISION-BY-ZERO$/],
        ['(aref (vector 1 2 3) 10)', /INVALID-ARRAY-INDEX-ERROR$/],
        ['(read-from-string "(+ 1 2")', /^END-OF-FILE$/],
      ];
      for (const [code, type] of mistakes) {
        const { structured, isError } = await evaluate(client, code);
        expect(structured.condition?.type, code).toMatch(type);
        expect(isError).toBe(true);
      }
    });

    it('S1-22 says that Quicklisp is missing, and how to load it', async () => {
      const { structured, text, isError } = await evaluate(client, '(ql:quickload :alexandria)');
      expect(structured.notes.join('\n')).toContain('Quicklisp is not loaded in this image');
      expect(text).toContain('Quicklisp is not loaded in this image');
      expect(isError).toBe(true);
    });

    it('S1-23 shows what DESCRIBE and APROPOS print', async () => {
      const described = await evaluate(client, "(describe 'mapcar)");
      expect(described.structured.stdout).toMatch(/MAPCAR names a compiled function/);
      expect(described.text).toContain(described.structured.stdout.trimEnd());
      expect((await values(client, '(apropos-list "MAKE-HASH-TABLE" :cl)'))[0]).toMatch(/MAKE-HASH-TABLE/);
    });

    it('S1-27 calls the definition that was made last', async () => {
      await evaluate(client, '(defun format-result (x) (format nil "=> ~S" x))');
      expect(await values(client, '(format-result 42)')).toEqual(['"=> 42"']);
      const { structured } = await evaluate(client, '(defun format-result (x) (format nil "=> ~A" x))');
      // Who defines anew what the session has defined means to.
      expect(structured.warnings).toEqual([]);
      expect(await values(client, '(format-result "hello")')).toEqual(['"=> hello"']);
    });

    it('S1-52 S1-54 parts output from values, and begins no report with a bare error', async () => {
      const printed = await evaluate(client, '(progn (format t "Hello") 42)');
      expect(printed.text).toMatch(/Hello\n+=> 42/);
      expect((await evaluate(client, '(/ 1 0)')).text).not.toMatch(/^\s*Error:/);
    });

    it('S1-56 reports twenty frames at most', async () => {
      const code = '(defun down (n) (if (zerop n) (error "deep") (1+ (down (1- n))))) (down 500)';
      const { structured, text } = await evaluate(client, code);
      expect(structured.condition?.frames).toHaveLength(20);
      expect(text.match(/^\d+: \(DOWN/gm)).toHaveLength(10);
    });

    it('S1-72 S1-73 keeps each evaluation with its session, package, result, output and condition', async () => {
      const code = '(progn (print :out) (format *error-output* "err") (warn "w") (error "kept"))';
      const { structured } = await evaluate(client, code);
      const { evaluation } = (await call<{ evaluation: object }>(client, 'history', { id: structured.id }))
        .structured;
      expect(evaluation).toMatchObject({
        session: structured.session,
        package: 'CL-USER',
        code,
        outcome: 'error',
        stdout: '\n:OUT ',
        stderr: 'err',
        warnings: [{ message: 'w' }],
        condition: { type: 'SIMPLE-ERROR', message: 'kept' },
      });
    });

    it('S1-81 prints circular structure', async () => {
      expect(await values(client, '(let ((x (list 1))) (setf (cdr x) x))')).toEqual(['#1=(1 . #1#)']);
    });

    it('S1-85 runs the examples', async () => {
      expect(await values(client, '(defun square (x) (* x x))')).toEqual(['SQUARE']);
      expect(await values(client, '(square 5)')).toEqual(['25']);
      expect(
        await values(client, '(defvar *counter* 0) (incf *counter*) (incf *counter*) *counter*'),
      ).toEqual(['2']);
      expect(
        await values(client, '(defmacro with-timing (&body body) `(progn ,@body)) (with-timing 1 2)'),
      ).toEqual(['2']);
      const point = `(defclass point () ((x :initarg :x :accessor point-x)))
      (let ((p (make-instance 'point :x 2.5))) (setf (point-x p) 5.0) (point-x p))`;
      expect(await values(client, point)).toEqual(['5.0']);
    });

    it('S2-43 S2-44 evaluates what the reader evaluates, unless safe_read refuses it', async () => {
      expect(await values(client, '#.(+ 1 2)')).toEqual(['3']);
      const refused = await evaluate(client, '#.(+ 1 2)', { safe_read: true });
      expect(refused.structured).toMatchObject({ outcome: 'error', forms: [] });
      expect(refused.text).toContain('Reader evaluation (#.)');
    });
  });

  describe('the same over HTTP and stdio', () => {
    const scenarios: [code: string, shown: string, isError: boolean][] = [
      ['(+ 1 2 3)', '=> 6', false],
      ['(values 1 2)', '=> 1\n=> 2', false],
      ['(progn (format t "Hello~%") 42)', '[stdout]\nHello\n=> 42', false],
      ['(progn (warn "careful") :completed)', 'careful', false],
      ['(/ 1 0)', 'arithmetic error DIVISION-BY-ZERO', true],
      ['(nonexistent-function)', 'UNDEFINED-FUNCTION', true],
      ['(+ 1 2', 'The ( at line 1, column 1 is not closed', true],
    ];

    it.each(scenarios)('S1-77 S1-75 S1-62 %s', async (code, shown, isError) => {
      const overHttp = await evaluate(client, code);
      expect({ isError: overHttp.isError, shown: overHttp.text.includes(shown) }).toEqual({
        isError,
        shown: true,
      });
      const stdio = new StdioLines(harbor);
      await stdio.initialize();
      const params = { name: 'eval', arguments: { code } };
      const { result } = await stdio.ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const [first] = (result?.content ?? []) as { text: string }[];
      expect({ isError: result?.isError === true, shown: first?.text.includes(shown) }).toEqual({
        isError,
        shown: true,
      });
      await stdio.end();
    });
  });
});
