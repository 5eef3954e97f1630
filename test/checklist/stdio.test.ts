/** Rows about MCP over stdio, spoken line by line through the built entry. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvaluationRecord } from '../../electron/tools/evaluation/record';
import { call, wholeData } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import { PATIENT, type StartedHarbor, terminate, WAYS } from '../started-harbor';
import { type JsonRpcAnswer, StdioLines } from '../stdio-client';

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await sharedHarbor();
});
afterAll(() => harbor.stop());

const evalCall = (id: number, code: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'eval', arguments: { code } },
});

const structured = ({ result }: JsonRpcAnswer) =>
  wholeData(result?.structuredContent) as { values: string[]; session: string };

describe('MCP over stdio', () => {
  it('S1-6 S2-6 S1-12 answers line by line, nothing else on stdout, and ends with 0 at EOF', async () => {
    const stdio = new StdioLines(harbor);
    const { result } = await stdio.initialize();
    expect(result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(structured(await stdio.ask(evalCall(1, '(progn (print :noise) (+ 1 2 3))'))).values).toEqual([
      '6',
    ]);
    expect(await stdio.end()).toBe(0);
    expect(stdio.received).toEqual([]);
  });

  it('S1-42 S1-65 answers each of 200 pipelined requests once, with a result or an error', async () => {
    const stdio = new StdioLines(harbor);
    await stdio.initialize();
    const ids = Array.from({ length: 200 }, (_, index) => index);
    for (const id of ids) {
      const failing = id % 3 === 0 ? '(error "x")' : `(+ ${id} 1)`;
      stdio.send(id % 5 === 0 ? { jsonrpc: '2.0', id, method: 'no/such' } : evalCall(id, failing));
    }
    const answers = await stdio.answers(ids.length);
    expect(answers.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(ids);
    for (const answer of answers) {
      const id = Number(answer.id);
      if (id % 5 === 0) expect(answer.error?.code).toBe(-32601);
      else if (id % 3 === 0) expect(answer.result?.isError).toBe(true);
      else expect(structured(answer).values).toEqual([String(id + 1)]);
    }
    await stdio.end();
  });

  it('S1-69 keeps the six invariants over one connection', async () => {
    const stdio = new StdioLines(harbor);
    await stdio.initialize();
    const ask = async (id: number, code: string) =>
      (await stdio.ask(evalCall(id, code))).result as { structuredContent: EvaluationRecord };
    const evaluated = async (id: number, code: string) => (await ask(id, code)).structuredContent;
    expect(await evaluated(1, '(defun kept () :kept)')).toMatchObject({ package: 'CL-USER' });
    expect(await evaluated(2, '(error "on purpose")')).toMatchObject({ outcome: 'error' });
    expect(await evaluated(3, '(defpackage :quay (:use :cl)) (in-package :quay)')).toMatchObject({
      package: 'QUAY',
    });
    const parts = '(progn (princ 1) (princ 2 *error-output*) (warn "w") (values (cl-user::kept) *package*))';
    expect(await evaluated(4, parts)).toMatchObject({
      forms: [{ values: [':KEPT', '#<PACKAGE "QUAY">'] }],
      stdout: '1',
      stderr: '2',
      warnings: [{ message: 'w' }],
    });
    expect(stdio.received).toEqual([]);
    await stdio.end();
  });

  it('S1-63 S1-64 S1-66 refuses what is no request, and answers no notification', async () => {
    const stdio = new StdioLines(harbor);
    await stdio.initialize();
    expect((await stdio.ask('[1]')).error?.code).toBe(-32600);
    expect((await stdio.ask('"x"')).error?.code).toBe(-32600);
    expect((await stdio.ask('{not json')).error?.code).toBe(-32700);
    expect((await stdio.ask({ id: 9, method: 'ping' })).error?.code).toBe(-32600);
    stdio.send({ jsonrpc: '2.0', method: 'notifications/x' });
    expect(await stdio.ask({ jsonrpc: '2.0', id: 10, method: 'ping' })).toMatchObject({ id: 10, result: {} });
    await stdio.end();
  });

  it('S1-68 refuses requests before initialize', async () => {
    const stdio = new StdioLines(harbor);
    expect((await stdio.ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).error).toBeDefined();
    expect(await stdio.end()).toBe(0);
  });

  it('S1-71 S3-32 owns one session, which ends with it', async () => {
    const stdio = new StdioLines(harbor, ['--client', 'short-lived']);
    await stdio.initialize();
    const first = structured(await stdio.ask(evalCall(1, '(+ 1 2)'))).session;
    expect(structured(await stdio.ask(evalCall(2, '*'))).session).toBe(first);
    const images = await stdio.ask({
      jsonrpc: '2.0',
      id: 3,
      method: 'tools/call',
      params: { name: 'images', arguments: {} },
    });
    const now = images.result?.structuredContent as
      | { sessions: { session: string; pid: number }[] }
      | undefined;
    const pid = now?.sessions.find(({ session }) => session === first)?.pid;
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    const ended = once(stdio.child, 'exit');
    stdio.child.kill('SIGKILL');
    await ended;
    await expect.poll(() => existsSync(`/proc/${pid}`), PATIENT).toBe(false);
  });

  it('S4-6 answers tools/list as HTTP does', async () => {
    const stdio = new StdioLines(harbor);
    await stdio.initialize();
    const { result } = await stdio.ask({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const { tools } = await (await harbor.client()).listTools();
    expect(((result?.tools ?? []) as { name: string }[]).map(({ name }) => name)).toEqual(
      tools.map(({ name }) => name),
    );
    await stdio.end();
  });
});

describe('sessions over HTTP', () => {
  it('S3-8 S3-31 end with DELETE, process and all', async () => {
    const client = await harbor.client();
    const { structured: evaluated } = await call<{ session: string }>(client, 'eval', { code: '1' });
    const images = await call<{ sessions: { session: string; pid: number }[] }>(client, 'images');
    const pid = images.structured.sessions.find(({ session }) => session === evaluated.session)?.pid;
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    await terminate(client);
    await expect.poll(() => existsSync(`/proc/${pid}`), PATIENT).toBe(false);
  });
});

describe.each(WAYS)('sessions over %s', (way) => {
  it('S3-27 leave nothing of themselves behind', async () => {
    const client = await harbor.over(way);
    const run = async (session: string, code: string) =>
      (await call<{ values: string[] }>(client, 'eval', { session, code })).structured.values;
    const open = async () => (await call<{ session: string }>(client, 'open_session', {})).structured.session;
    const [a, b] = [await open(), await open()];
    await run(
      a,
      '(defpackage :left (:use :cl)) (defclass left::thing () ()) (defmethod print-object ((x integer) s) s)',
    );
    await call(client, 'close_session', { session: a });
    expect(await run(b, '(list (find-package :left) 7)')).toEqual(['(NIL 7)']);
  });

  it('S3-12 S3-24 S3-41 leak nothing into each other', async () => {
    const [a, b] = [await harbor.over(way), await harbor.over(way)];
    const run = async (client: typeof a, code: string) =>
      (await call<{ values: string[]; condition?: { type: string } }>(client, 'eval', { code })).structured;
    await run(a, '(defvar *counter* 100) (defun my-fn () :from-a) (defclass shared () ())');
    await run(b, '(defvar *counter* 999) (defun my-fn () :from-b)');
    expect((await run(a, '(list *counter* (my-fn))')).values).toEqual(['(100 :FROM-A)']);
    expect((await run(b, '(list *counter* (my-fn))')).values).toEqual(['(999 :FROM-B)']);
    await run(a, '(setf *print-base* 2 (readtable-case *readtable*) :preserve)');
    expect((await run(b, '(list 10 (quote foo))')).values).toEqual(['(10 FOO)']);
    expect((await run(b, '(find-class (quote shared) nil)')).values).toEqual(['NIL']);
  });
});
