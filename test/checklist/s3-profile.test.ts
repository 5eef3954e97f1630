/** The profile of the ACL2 MCP Bridge: Common Lisp in a package of the session's own, and ACL2, over one connection. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallResult, call } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import { PATIENT, type StartedHarbor, terminate, WAYS } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await connected();
});
afterAll(() => harbor.stop());

function connected(): Promise<Client> {
  return harbor.client('legacy', { profile: 'acl2' });
}

function tool(
  name: string,
  args: Record<string, unknown> = {},
  from = client,
): Promise<CallResult<Record<string, unknown>>> {
  return call(from, name, args);
}

interface Listed {
  session: string;
  engine: string;
  client: string;
  pid: number;
}

/** The client's sessions, newest first. */
async function sessionsOf(from: Client): Promise<Listed[]> {
  const { structured } = await call<{ sessions: Listed[] }>(from, 'list_acl2_sessions');
  return structured.sessions.toReversed();
}

/** What eval_cl answers before any word about the output. */
async function value(code: string, from = client): Promise<string> {
  const { text, isError } = await tool('eval_cl', { code }, from);
  expect(isError).toBe(false);
  return text.split('\n')[0] ?? '';
}

describe('ACL2 MCP Bridge: the transport', () => {
  it('S3-3 S3-29 takes posted JSON for a session that initialize began, until DELETE', async () => {
    const { mcp, token } = harbor.ready;
    const post = (message: Record<string, unknown>, session?: string) =>
      fetch(`${mcp}/acl2`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(session ? { 'mcp-session-id': session } : {}),
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      });
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const begun = await post({ id: 1, method: 'initialize', params });
    const session = begun.headers.get('mcp-session-id') ?? '';
    expect(begun.headers.get('content-type')).toMatch(/^(application\/json|text\/event-stream)/);
    const asked = { name: 'eval_cl', arguments: { code: '(defvar *bound* 3)' } };
    expect((await post({ id: 2, method: 'tools/call', params: asked }, session)).status).toBe(200);
    const again = { name: 'eval_cl', arguments: { code: '(1+ *bound*)' } };
    expect(await (await post({ id: 3, method: 'tools/call', params: again }, session)).text()).toContain(
      '"text":"4"',
    );
    const headers = { authorization: `Bearer ${token}`, 'mcp-session-id': session };
    expect((await fetch(`${mcp}/acl2`, { method: 'DELETE', headers })).ok).toBe(true);
    expect((await post({ id: 4, method: 'tools/list' }, session)).status).toBe(404);
  });

  it('S3-43 has the tools of later versions beside those of the document', async () => {
    const names = (await client.listTools()).tools.map(({ name }) => name);
    for (const name of [
      'acl2_prove',
      'acl2_check_provable',
      'acl2_evaluate',
      'acl2_check_syntax',
      'acl2_undo',
    ])
      expect(names).toContain(name);
    for (const name of ['acl2_include_book', 'acl2_certify_book', 'eval_with_output', 'query_cl_package'])
      expect(names).toContain(name);
  });
});

const TRIED = sampled('s3-profile', WAYS, 1);

describe.each(TRIED)('ACL2 MCP Bridge: Common Lisp in a package of the session, over %s', (way) => {
  beforeAll(async () => {
    client = await harbor.over(way, 'acl2');
  });

  it('S3-1 lists both families of tools', async () => {
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['eval_cl', 'load_file', 'define_function', 'get_package', 'reset_cl']),
    );
    expect(names).toEqual(expect.arrayContaining(['admit', 'check_theorem', 'verify_guards', 'query_event']));
    expect(names).toEqual(
      expect.arrayContaining(['start_acl2_session', 'list_acl2_sessions', 'stop_acl2_session']),
    );
  });

  it('S3-14 evaluates any code: all values, all forms, and the output', async () => {
    expect((await tool('eval_cl', { code: '(+ 1 2)' })).text).toBe('3');
    expect(await call(client, 'eval_cl', { code: '(values 1 2 3)' })).toMatchObject({
      text: '1\n2\n3',
      isError: false,
    });
    expect((await tool('eval_cl', { code: '(defvar *a* 1) (incf *a*) (format t "printed") *a*' })).text).toBe(
      '2\n\nOutput:\nprinted',
    );
    const failed = await tool('eval_cl', { code: '(error "on purpose")' });
    expect(failed.isError).toBe(true);
    expect(failed.text).toContain('SIMPLE-ERROR');
    expect(failed.text).toContain('on purpose');
  });

  it('S3-9 S3-10 is in a package named after the session', async () => {
    expect(await value('(package-name *package*)')).toMatch(/^"SESSION-[0-9A-F-]{36}"$/i);
  });

  it('S3-17 tells the name of that package', async () => {
    const { text } = await tool('get_package');
    expect(text).toMatch(/^SESSION-[0-9A-F-]{36}$/i);
    expect(`"${text}"`).toBe(await value('(package-name *package*)'));
  });

  it('S3-11 S3-26 interns what is defined there', async () => {
    await tool('eval_cl', { code: '(defun foo () 1)' });
    const { text: own } = await tool('get_package');
    expect(await value('(package-name (symbol-package (quote foo)))')).toBe(`"${own}"`);
    expect(await value(`(${own}::foo)`)).toBe('1');
  });

  it('S3-25 uses COMMON-LISP only, and is current again on each call', async () => {
    expect(await value('(mapcar (function package-name) (package-use-list *package*))')).toBe(
      '("COMMON-LISP")',
    );
    const { text: own } = await tool('get_package');
    expect(await value('(in-package :cl-user) (package-name *package*)')).toBe('"COMMON-LISP-USER"');
    expect(await value('(package-name *package*)')).toBe(`"${own}"`);
  });

  it('S3-16 defines functions from their parts', async () => {
    const defined = await tool('define_function', { name: 'square', lambda_list: '(x)', body: '(* x x)' });
    expect(defined.isError).toBe(false);
    expect(await value('(square 7)')).toBe('49');
    const wrong = await tool('define_function', { name: 'wrong', lambda_list: '(x &optional)) ', body: 'x' });
    expect(wrong.isError).toBe(true);
    expect((await tool('define_function', { name: 'bad', lambda_list: '(1)', body: '2' })).isError).toBe(
      true,
    );
  });

  it('loads a file of the project', async () => {
    writeFileSync(path.join(harbor.project, 'loaded.lisp'), '(defun from-file () :loaded)\n');
    expect((await tool('load_file', { path: 'loaded.lisp' })).isError).toBe(false);
    expect(await value('(from-file)')).toBe(':LOADED');
    expect((await tool('load_file', { path: 'missing.lisp' })).isError).toBe(true);
  });

  it('keeps its package when it is reset, with nothing in it', async () => {
    const before = (await tool('get_package')).text;
    await tool('eval_cl', { code: '(defvar *x* 42)' });
    expect((await tool('reset_cl')).isError).toBe(false);
    expect((await tool('get_package')).text).toBe(before);
    expect((await tool('eval_cl', { code: '*x*' })).text).toContain('UNBOUND-VARIABLE');
  });

  it('S3-13 is gone when the session is', async () => {
    const other = await connected();
    const { text: name } = await tool('get_package', {}, other);
    const { pid } = (await sessionsOf(other))[0] ?? {};
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    expect(await value(`(find-package "${name}")`)).toBe('NIL');
    await terminate(other);
    await expect.poll(() => existsSync(`/proc/${pid}`), PATIENT).toBe(false);
  });
});

describe('ACL2 MCP Bridge: theorem proving', () => {
  it('S3-20 admits, refuses, verifies guards and answers questions', async () => {
    const admitted = await tool('admit', {
      code: '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))',
    });
    expect(admitted).toMatchObject({ isError: false });
    expect(admitted.text).toMatch(/^Event admitted successfully\n/);

    const refused = await tool('admit', { code: '(defthm x=y (equal x y))' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/^Admission FAILED/);
    expect(refused.text).toMatch(/key checkpoints at the top level:\n\s+Goal/);

    await tool('admit', {
      code: '(defun firsts (x) (declare (xargs :guard (alistp x) :verify-guards nil)) (if (endp x) nil (cons (caar x) (firsts (cdr x)))))',
    });
    expect(await tool('verify_guards', { function_name: 'firsts' })).toMatchObject({ isError: false });
    const shown = await tool('query_event', { name: 'append' });
    expect(shown.text).toMatch(/DEFMACRO\s+APPEND/);
    expect((await tool('query_event', { name: 'no-such-event' })).isError).toBe(true);
  });

  it('answers provable for what THM proves, and adds nothing', async () => {
    const proved = await tool('check_theorem', {
      code: '(defthm assoc-app (equal (app (app a b) c) (app a (app b c))) :rule-classes nil)',
    });
    expect(proved.text).toMatch(/^Provable/);
    expect(proved.isError).toBe(false);
    expect((await tool('query_event', { name: 'assoc-app' })).isError).toBe(true);
    const refuted = await tool('check_theorem', { code: '(equal (app a b) (app b a))' });
    expect(refuted.isError).toBe(true);
    expect(refuted.text).toMatch(/^Not provable: The theorem is false for a = nil, b = 0: /);
    const refused = await tool('check_theorem', { code: '(equal (no-such-function a) a)' });
    expect(refused.text).toMatch(/^Not proved: ACL2 did not accept the conjecture/);
    const hinted = await tool('check_theorem', {
      code: '(equal (app (app a b) c) (app a (app b c)))',
      hints: '(("Goal" :do-not-induct t))',
    });
    expect(hinted.isError).toBe(true);
    expect(hinted.text).toMatch(/^Not proved: the search gave up/);
  });

  it('calls proved what THM proves among events, and fails nothing for that', async () => {
    const both = await tool('admit', { code: '(defun same (x) x) (thm (equal (same x) x))' });
    expect(both).toMatchObject({ isError: false, text: expect.stringMatching(/^Proved; /) });
  });

  it('calls nothing admitted that left no event', async () => {
    const { isError, text } = await tool('admit', { code: '(+ 1 2)' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^Admission FAILED/);
  });

  it('undoes commands', async () => {
    await tool('admit', { code: '(defun one (x) x)' });
    await tool('admit', { code: '(defun two (x) x)' });
    expect((await tool('acl2_undo', { count: 1 })).isError).toBe(false);
    expect((await tool('query_event', { name: 'two' })).isError).toBe(true);
    expect((await tool('query_event', { name: 'one' })).isError).toBe(false);
    await tool('acl2_undo', { name: 'one' });
    expect((await tool('query_event', { name: 'one' })).isError).toBe(true);
  });

  it('takes one event out and keeps those after it', async () => {
    await tool('admit', { code: '(defun first-one (x) x) (defun unrelated (x) (cons x x))' });
    const undone = await tool('acl2_undo', { name: 'first-one', keep_later: true });
    expect(undone.isError).toBe(false);
    expect((await tool('query_event', { name: 'first-one' })).isError).toBe(true);
    expect((await tool('query_event', { name: 'unrelated' })).isError).toBe(false);
  });

  it('certifies a book, and says why one does not certify', async () => {
    const book = (name: string, text: string) =>
      writeFileSync(path.join(harbor.project, name), `(in-package "ACL2")\n${text}\n`);
    book('good.lisp', '(defun twice (x) (+ x x)) (defthm twice-0 (equal (twice 0) 0))');
    book('bad.lisp', '(defthm wrong (equal x y) :rule-classes nil)');
    expect((await tool('acl2_certify_book', { file_path: 'good' })).isError).toBe(false);
    expect(existsSync(path.join(harbor.project, 'good.cert'))).toBe(true);
    expect((await tool('acl2_certify_book', { file_path: 'bad' })).isError).toBe(true);
    expect((await tool('acl2_certify_book', { file_path: 'missing' })).text).toMatch(/missing/);
    expect((await tool('acl2_include_book', { book_path: 'good.lisp', code: '(twice 4)' })).text).toMatch(
      /=> 8/,
    );
  });

  it('reads forms without evaluating them', async () => {
    expect((await tool('acl2_check_syntax', { code: '(defun f (x) x) (f 1)' })).text).toBe(
      'ACL2 reads 2 forms and translates them.',
    );
    expect((await tool('acl2_check_syntax', { code: '(defun f (x) x' })).isError).toBe(true);
    expect((await tool('query_event', { name: 'f' })).isError).toBe(true);
  });

  it('S3-21 S3-22 starts, lists and stops ACL2 sessions, each a process with a world of its own', async () => {
    const opened = await tool('start_acl2_session', { name: 'second' });
    const session_id = String(opened.structured.session);
    expect(opened.text).toBe(`Session ${session_id} created`);
    await tool('admit', { code: '(defun only-there (x) x)', session_id });
    expect((await tool('query_event', { name: 'only-there' })).isError).toBe(true);
    expect((await tool('query_event', { name: 'only-there', session_id })).isError).toBe(false);

    const listed = await tool('list_acl2_sessions');
    expect(listed.text).toMatch(new RegExp(`^${session_id} acl2 second: idle · \\d+ MiB$`, 'm'));
    const sessions = await sessionsOf(client);
    const pids = sessions.filter(({ engine }) => engine === 'acl2').map(({ pid }) => pid);
    expect([new Set(pids).size, pids.length >= 2]).toEqual([pids.length, true]);
    const stopped = sessions.find(({ session }) => session === session_id)?.pid;
    expect((await tool('stop_acl2_session', { session_id })).text).toMatch(`Session ${session_id} ended`);
    await expect.poll(() => existsSync(`/proc/${stopped}`), PATIENT).toBe(false);
    expect((await tool('admit', { code: '(defun g (x) x)', session_id })).isError).toBe(true);
  });
});
