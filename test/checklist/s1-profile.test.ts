/** The profile of cl-mcp-server: its tool names, its arguments and its texts, to the byte. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import { type StartedHarbor, WAYS } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

describe.each(sampled('s1-profile ways', WAYS, 1))('over %s', (way) => {
  beforeAll(async () => {
    harbor = await sharedHarbor();
    client = await harbor.over(way, 'cl-mcp-server');
  });
  afterAll(() => harbor.stop());

  /** The first text of the answer; what the caller must know beside it comes in others. */
  async function text(code: string): Promise<string> {
    const { content } = await client.callTool({ name: 'evaluate-lisp', arguments: { code } });
    const [first] = content;
    return first?.type === 'text' ? first.text : '';
  }

  describe('cl-mcp-server: the profile', () => {
    it('S1-17 has its tools under its names', async () => {
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining(['evaluate-lisp', 'load-system', 'list-definitions', 'reset-session', 'job']),
      );
      expect(names).not.toContain('eval');
    });

    it('S1-5 evaluates code in a running instance', async () => {
      expect(await text('(+ 1 2 3)')).toBe('=> 6');
    });

    it('S1-50 tells standard output before the value', async () => {
      const code = '(progn (format t "Hello~%") 42)';
      const { isError } = await call(client, 'evaluate-lisp', { code });
      expect(isError).toBe(false);
      expect(await text(code)).toBe('[stdout]\nHello\n\n=> 42');
    });

    it('S1-55 says of code that does not end what SBCL says', async () => {
      expect(await text('(+ 1 2')).toMatch(/^\[ERROR\] END-OF-FILE\n[\s\S]*\[Backtrace\]\n0: /);
    });

    it.each([
      [
        '(progn (format *error-output* "Warning: something happened~%") :ok)',
        '[stderr]\nWarning: something happened\n\n=> :OK',
      ],
      [
        '(progn (warn "This is a warning") :completed)',
        '[warnings]\nWARNING: This is a warning\n\n=> :COMPLETED',
      ],
      ['42', '=> 42'],
      ['(print 1) (print 2) (print 3)', '[stdout]\n\n1 \n2 \n3 \n=> 3'],
      [
        '(progn (format t "out~%") (format *error-output* "err~%") (warn "w") 1)',
        '[stdout]\nout\n\n[stderr]\nerr\n\n[warnings]\nWARNING: w\n\n=> 1',
      ],
    ])('S1-51 prints %s as the document does', async (code, expected) => {
      expect(await text(code)).toBe(expected);
    });

    it.each([
      ['(floor 17 5)', '=> 3\n=> 2'],
      ['nil', '=> NIL'],
      ['(+ 1 1) (+ 2 2)', '=> 4'],
      ['"quoted"', '=> "quoted"'],
    ])('S1-84 prints the values of %s', async (code, expected) => {
      expect(await text(code)).toBe(expected);
    });

    it('S1-53 tells a condition by its type', async () => {
      const { isError } = await call(client, 'evaluate-lisp', { code: '(/ 1 0)' });
      expect(isError).toBe(true);
      const told = await text('(/ 1 0)');
      expect(told).toMatch(/^\[ERROR\] DIVISION-BY-ZERO\n/);
      expect(told).toMatch(/arithmetic error/i);
      expect(told).toMatch(/\[Backtrace\]\n0: /);
    });

    it('S1-19 lists definitions by kind', async () => {
      await call(client, 'reset-session');
      await text('(defun my-fn () 42) (defvar *my-var* 100)');
      const { text: listed } = await call(client, 'list-definitions');
      expect(listed).toBe('[Functions]\n- MY-FN ()\n\n[Variables]\n- *MY-VAR* = 100');
      for (const type of ['functions', 'function']) {
        expect((await call(client, 'list-definitions', { type })).text).toBe('[Functions]\n- MY-FN ()');
      }
    });

    it('S1-20 resets the session', async () => {
      await text('(defun my-fn () 42) (defvar *my-var* 100)');
      const reset = await call(client, 'reset-session');
      expect(reset.text.split('\nnote:')[0]).toBe(
        'Session reset. All definitions cleared.\nCurrent package: CL-USER',
      );
      expect((await call(client, 'list-definitions')).text).toBe('No user definitions.');
      expect(await text('(my-fn)')).toMatch(/^\[ERROR\] UNDEFINED-FUNCTION\n/);
      expect(await text('*my-var*')).toMatch(/^\[ERROR\] UNBOUND-VARIABLE\n/);
    });

    it('takes both names of a system and tells an unknown one', async () => {
      for (const key of ['system', 'system-name']) {
        const { text: told, isError } = await call(client, 'load-system', { [key]: 'no-such-system' });
        expect(isError).toBe(true);
        expect(told).toMatch(/no-such-system/i);
      }
    });

    it('looks back at the last error', async () => {
      await text('(defun deep () (error "looked back at") 1) (defun outer () (deep) 1) (outer)');
      expect((await call(client, 'describe-last-error')).text).toMatch(/SIMPLE-ERROR\nlooked back at/);
      expect((await call(client, 'get-backtrace', { 'max-frames': 2 })).text).toMatch(
        /^0: \(DEEP\)\n1: \(OUTER\)$/,
      );
    });

    it('shows as much, and waits as long, as its client set', async () => {
      expect((await call(client, 'configure-limits')).text).toContain('timeout: 45 seconds');
      await call(client, 'configure-limits', { 'max-output': 200 });
      expect(await text('(make-string 1000 :initial-element #\\x)')).toMatch(/^=> "x{100,200}/);
      expect((await text('(make-string 1000 :initial-element #\\x)')).length).toBeLessThan(300);
      const set = await call(client, 'configure-limits', { timeout: 1 });
      expect(set.text).toContain('Current limits:\n  timeout: 1 seconds\n  max-output: 200 characters');
      const running = await call(client, 'evaluate-lisp', { code: '(loop (sleep 1))' });
      const job = /Still running as (\S+):/.exec(running.text)?.[1];
      expect((await call(client, 'job', { job, action: 'cancel' })).text).toContain('interrupted');
      expect((await call(client, 'configure-limits', { timeout: -1 })).isError).toBe(true);
    });

    it('checks the syntax of code that it does not evaluate', async () => {
      const check = async (code: string) => (await call(client, 'validate-syntax', { code })).text;
      expect(await check('(defun f (x) x) #.(error "read") (f 1)')).toBe('✓ Syntax valid: 3 top-level forms');
      expect(await check('(defun f (x)\n  (list x)\n(defun g () 1)')).toMatch(
        /^✗ Syntax invalid\n\nError: The \( at line 1, .*\nApproximate location: line 1\nLikely fix: /,
      );
    });

    it('answers the questions of its later versions', async () => {
      await text(
        '(defclass point () ((x :initform 1))) (defun norm (p) p) (defun twice (p) (norm (norm p)))',
      );
      expect((await call(client, 'class-info', { class: 'point' })).text).toContain('STANDARD-CLASS');
      expect((await call(client, 'who-calls', { name: 'norm' })).text).toContain('TWICE');
      expect((await call(client, 'apropos-search', { pattern: 'twic' })).text).toContain('TWICE');
      expect((await call(client, 'macroexpand-form', { form: '(when 1 2)' })).text).toMatch(/\(IF 1/);
      expect((await call(client, 'compile-form', { code: '(car 1 2)' })).text).toContain('Warnings (1)');
      expect((await call(client, 'describe-symbol', { name: 'norm' })).text).toContain('NORM');
      expect((await call(client, 'memory-report')).isError).toBe(false);
    });
  });
});
