import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluate, values } from '../evaluation';
import { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'] });
  client = await harbor.client();
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

  it('S1-39 captures standard output', async () => {
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

  it('S1-48 keeps a package switch', async () => {
    await evaluate(client, '(defpackage :my-pkg (:use :cl)) (in-package :my-pkg)');
    expect(await values(client, '(package-name *package*)')).toEqual(['"MY-PKG"']);
    await evaluate(client, '(in-package :cl-user)');
  });

  it('S1-37 S1-44 survives serious conditions', async () => {
    const cases = [
      '(error "x")',
      '(car 1)',
      '(labels ((f (n) (+ 1 (f n)))) (f 1))',
      '(make-array 100000000000)',
      '(break)',
      '(invoke-debugger (make-condition (quote simple-error) :format-control "x"))',
      '(sb-thread:join-thread (sb-thread:make-thread (lambda () (error "in a thread"))) :default nil)',
    ];
    for (const code of cases) {
      await evaluate(client, code);
      expect(await values(client, '(+ 1 2)'), `after ${code}`).toEqual(['3']);
    }
  });

  it('S1-55 names the conditions of common mistakes', async () => {
    const mistakes: [string, RegExp][] = [
      ['(no-such-function)', /^UNDEFINED-FUNCTION$/],
      ['no-such-variable', /^UNBOUND-VARIABLE$/],
      ['(+ 1 "hello")', /TYPE-ERROR$/],
      ['(/ 1 0)', /^DIVISION-BY-ZERO$/],
      ['(aref (vector 1 2 3) 10)', /INVALID-ARRAY-INDEX-ERROR$/],
      ['(+ 1 2', /^END-OF-FILE$/],
    ];
    for (const [code, type] of mistakes) {
      const { structured, isError } = await evaluate(client, code);
      expect(structured.condition?.type, code).toMatch(type);
      expect(isError).toBe(true);
    }
  });
});
