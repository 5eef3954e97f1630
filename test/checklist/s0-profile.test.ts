/** Rows of Lisply's MCP wrapper: the profile `lisply` of a started harbor, in the wrapper's own words. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallResult, call } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import { type StartedHarbor, WAYS } from '../started-harbor';

interface Shown {
  session: string;
  shown: string;
  level: number;
  expects: string;
  job?: string;
}

let harbor: StartedHarbor;
let client: Client;
describe.each(sampled('s0-profile ways', WAYS, 1))('over %s', (way) => {
  beforeAll(async () => {
    harbor = await sharedHarbor();
    client = await harbor.over(way, 'lisply');
  });
  afterAll(() => harbor.stop());

  const evaluate = (code: string, more: Record<string, unknown> = {}) =>
    call(client, 'lisp_eval', { code, ...more });

  const type = (code: string): Promise<CallResult<Shown>> =>
    call<Shown>(client, 'lisp_eval', { code, mode: 'stdio' });

  describe('Lisply: the tools of its wrapper', () => {
    it('offers them under their own names', async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        ...['lisp_eval', 'ping_lisp', 'http_request', 'get_docs_list', 'get_docs', 'job'],
      ]);
    });

    it('S0-39 answers in mode http as the wrapper does', async () => {
      expect((await evaluate('(+ 1 2 3)', { mode: 'http' })).text).toBe('Result: 6, Stdout: ');
      expect((await evaluate('(progn (princ "hi") (values 1 2))')).text).toBe('Result: 1\n2, Stdout: hi');
      expect((await evaluate('(cl:package-name cl:*package*)', { package: 'keyword' })).text).toMatch(
        /"KEYWORD"/,
      );
      const failed = await evaluate('(error "x ~a" 1)');
      expect(failed.isError).toBe(true);
      expect(failed.text).toMatch(/^Error: SIMPLE-ERROR: x 1\n/);
      expect((await evaluate('(+ 1 2)')).text).toBe('Result: 3, Stdout: ');
      expect((await call(client, 'ping_lisp')).text).toBe('pong');
    });

    it('S0-23 S0-39 types at the prompt in mode stdio, and shows the levels of the debugger', async () => {
      expect(await type('(+ 1 2)')).toMatchObject({
        isError: false,
        structured: { level: 0, shown: '3\n* ' },
      });

      const one = await type('(restart-case (error "one") (go-on () :went-on))');
      expect(one).toMatchObject({ isError: true, structured: { level: 1 } });
      expect(one.text).toMatch(
        /debugger invoked on a SIMPLE-ERROR:\n {2}one[\s\S]*0: \[GO-ON\][\s\S]*\n0\] $/m,
      );
      const two = await type('(error "two")');
      expect(two).toMatchObject({
        isError: true,
        structured: { level: 2, shown: expect.stringMatching(/1\] $/) },
      });
      expect((await type('(* 6 7)')).structured).toMatchObject({ level: 2, shown: '42\n1] ' });

      const abort = /(\d+): \[ABORT\]/.exec(two.structured.shown)?.[1] ?? '';
      expect((await type(abort)).structured.level).toBeLessThan(2);
      const rest = await type('0');
      expect(rest.structured).toMatchObject({ level: 0 });
      expect((await evaluate('(+ 1 2)')).text).toBe('Result: 3, Stdout: ');
    });

    it('S0-23 takes no output for a debugger', async () => {
      const { structured, isError } = await type('(progn (format t "~&0] 1 > ELISP>~%") :fine)');
      expect({ ...structured, isError }).toMatchObject({ level: 0, isError: false, expects: 'form' });
      expect(structured.shown).toBe('0] 1 > ELISP>\n:FINE\n* ');
    });

    it('S0-39 gives code that reads what is typed next, and waits for the rest of a form', async () => {
      const reading = await type('(list (read-line) :read)');
      expect(reading.structured).toMatchObject({ expects: 'line', job: expect.stringMatching(/^job-/) });
      expect((await type('some words')).structured).toMatchObject({ shown: '("some words" :READ)\n* ' });
      expect((await type('(list 1')).structured).toMatchObject({ shown: '', expects: 'rest of a form' });
      expect((await type('2)')).structured).toMatchObject({ shown: '(1 2)\n* ', expects: 'form' });
    });

    it('S0-38 sends requests to the backend and to nothing else', async () => {
      const request = (args: Record<string, unknown>) => call(client, 'http_request', args);
      expect((await request({ path: '/lisply/ping-lisp' })).text).toBe('pong');
      await evaluate('(defparameter *here* 7)');
      const post = { method: 'POST', path: '/lisply/lisp-eval', body: '{"code":"*here*"}' };
      expect(JSON.parse((await request(post)).text)).toEqual({ success: true, result: '7', stdout: '' });
      const whole = await request({ ...post, body: '{"code":', rawResponse: true });
      expect(JSON.parse(whole.text)).toMatchObject({ status: 400 });
      expect((await request({ path: '/mcp' })).structured).toMatchObject({ status: 404 });
      for (const path of ['http://example.com/', '//example.com/', '/\\example.com', 'lisply/ping-lisp']) {
        const refused = await request({ path });
        expect([path, refused.isError, refused.text]).toEqual([
          path,
          true,
          expect.stringContaining('No other'),
        ]);
      }
    });

    it('S0-40 has the guides to engines for documents, and nothing beside them', async () => {
      expect((await call(client, 'get_docs_list')).text).toMatch(/^acl2: .*\n(?:.*\n)*sbcl: /);
      expect((await call(client, 'get_docs', { doc_id: 'sbcl' })).text).toMatch(/^# /);
      for (const doc_id of ['../../package', '../guides/sbcl', 'sbcl.md', '/etc/passwd', 'nope']) {
        const { isError, text } = await call(client, 'get_docs', { doc_id });
        expect([doc_id, isError]).toEqual([doc_id, true]);
        expect(text).toMatch(/^bad_arguments: There is no document .*There are: /);
      }
    });
  });
});
