/** Sessions outlive their harbor: it is killed or stopped and started again on the same data folder. */
import { once } from 'node:events';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call, evaluate, values, wholeData } from '../evaluation';
import { NreplServer } from '../nrepl-server';
import { StartedHarbor, temporaryFolder } from '../started-harbor';
import { StdioLines } from '../stdio-client';

interface View {
  session: string;
  name: string;
  state: string;
  package: string;
  pid: number | null;
  limits: Record<string, number | null>;
  server?: string;
}

const data = temporaryFolder('data');
const project = temporaryFolder('project');
let harbor: StartedHarbor;
let client: Client;

const start = async (settings: Record<string, unknown> = {}) => {
  harbor = await StartedHarbor.start({ data, project, settings });
  client = await harbor.client();
};

/** The same data folder gets another harbor. */
async function again(signal: 'SIGKILL' | 'SIGTERM', settings: Record<string, unknown> = {}): Promise<void> {
  const ended = once(harbor.child, 'exit');
  harbor.child.kill(signal);
  await ended;
  await start(settings);
}

const open = async (args: Record<string, unknown>): Promise<string> =>
  (await call<{ session: string }>(client, 'open_session', args)).structured.session;

async function view(session: string): Promise<View | undefined> {
  const { structured } = await call<{ sessions: View[] }>(client, 'images');
  return structured.sessions.find((each) => each.session === session);
}

beforeAll(() => start());
afterAll(() => harbor.stop());

const DEFINITIONS = {
  sbcl: ['(defun twice (x) (* 2 x))', '(twice 21)', '42'],
  acl2: ['(defun twice (x) (* 2 x))', '(twice 21)', '42'],
  clojure: ['(defn twice [x] (* 2 x))', '(twice 21)', '42'],
  nbb: ['(defn twice [x] (* 2 x))', '(twice 21)', '42'],
} as const;

it('sessions of each engine are asleep, and come back under their handles when they are used', async () => {
  const handles: Record<string, string> = {};
  for (const [engine, [definition]] of Object.entries(DEFINITIONS)) {
    const session = await open({ engine, name: `my ${engine}` });
    handles[engine] = session;
    await evaluate(client, definition, { session });
  }
  await again('SIGKILL');
  for (const [engine, [, use, value]] of Object.entries(DEFINITIONS)) {
    const session = String(handles[engine]);
    expect(await view(session)).toMatchObject({ state: 'asleep', name: `my ${engine}`, pid: null });
    const { structured } = await evaluate(client, use, { session });
    expect(structured).toMatchObject({ session, values: [value] });
    expect(structured.notes?.join('\n')).toContain('because the harbor was started again');
    expect((await view(session))?.state).toBe('idle');
  }
});

it('name, package, limits, checkpoint and what was loaded are as they were', async () => {
  const limits = { cpu_seconds: 60, output_chars: 10_000 };
  const session = await open({ engine: 'sbcl', name: 'kept', limits });
  await evaluate(client, '(defpackage :kept (:use :cl)) (in-package :kept) (defvar *state* 1)', { session });
  await evaluate(client, '(setf *state* 2)', { session });
  await call(client, 'checkpoint', { action: 'save', name: 'two', session });
  await evaluate(client, '(defun after () (list *state* :after))', { session });
  const before = await view(session);
  await again('SIGKILL');
  expect(await view(session)).toMatchObject({ name: 'kept', package: 'KEPT', limits: before?.limits });
  const { structured } = await evaluate(client, '(after)', { session });
  expect(structured.values).toEqual(['(2 :AFTER)']);
  expect(structured.notes?.join('\n')).toContain('checkpoint two, and');
  expect(await view(session)).toMatchObject({ name: 'kept', package: 'KEPT', limits: before?.limits });
});

it('every tool wakes a session, not only eval', async () => {
  const session = await open({ engine: 'sbcl' });
  await evaluate(client, '(defun woken (x) "Documented." x)', { session });
  await again('SIGTERM');
  const described = await call(client, 'describe', { symbol: 'woken', session });
  expect(described.text).toContain('Documented.');
});

it('a session that slept twice is still there, and one that was closed is not', async () => {
  const [session, closed, closedAsleep] = [
    await open({ engine: 'sbcl' }),
    await open({ engine: 'sbcl' }),
    await open({ engine: 'sbcl' }),
  ];
  await evaluate(client, '(defvar *v* :there)', { session });
  await call(client, 'close_session', { session: closed });
  await again('SIGKILL');
  expect((await call(client, 'close_session', { session: closedAsleep })).isError).toBe(false);
  await again('SIGKILL');
  expect(await values(client, '*v*', { session })).toEqual([':THERE']);
  for (const gone of [closed, closedAsleep]) {
    const answer = await evaluate(client, '1', { session: gone });
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toContain(`no session ${gone}`);
  }
});

it('calls that come while a session wakes share its one image', async () => {
  const session = await open({ engine: 'sbcl' });
  await evaluate(client, '(defvar *calls* 0)', { session });
  await again('SIGKILL');
  const calls = Array.from({ length: 5 }, () => evaluate(client, '(incf *calls*)', { session }));
  const told = (await Promise.all(calls)).map(({ structured }) => structured.values[0]);
  expect(told.toSorted()).toEqual(['1', '2', '3', '4', '5']);
});

it('a session with a server that somebody else runs is connected with it again', async () => {
  const server = await NreplServer.onNbb(temporaryFolder('server'));
  onTestFinished(() => server.stop());
  await again('SIGTERM', { servers: [{ kind: 'nrepl', host: '127.0.0.1', port: server.port }] });
  const session = await open({ attach: { kind: 'nrepl', port: server.port } });
  await evaluate(client, '(def kept-by-server 7)', { session });
  await again('SIGKILL', { servers: [{ kind: 'nrepl', host: '127.0.0.1', port: server.port }] });
  expect(await view(session)).toMatchObject({ state: 'asleep', server: `127.0.0.1:${server.port}` });
  expect(await values(client, 'kept-by-server', { session })).toEqual(['7']);
});

describe('a conversation', () => {
  const evaluated = async (stdio: StdioLines, id: string, code: string) => {
    const params = { name: 'eval', arguments: { code } };
    const { result } = await stdio.ask({ jsonrpc: '2.0', id, method: 'tools/call', params });
    return wholeData(result?.structuredContent) as { session: string; values: string[]; notes?: string[] };
  };

  it('over stdio goes on in its own session, and is told', async () => {
    const [one, other] = [new StdioLines(harbor), new StdioLines(harbor)];
    for (const stdio of [one, other]) await stdio.initialize();
    const first = await evaluated(one, 'a', '(defun mine () :one)');
    const second = await evaluated(other, 'a', '(defun mine () :other)');
    await again('SIGKILL');
    const firstAgain = await evaluated(one, 'b', '(mine)');
    expect(firstAgain).toMatchObject({ session: first.session, values: [':ONE'] });
    expect(firstAgain.notes?.join('\n')).toContain('because the harbor was started again');
    expect(await evaluated(other, 'b', '(mine)')).toMatchObject({
      session: second.session,
      values: [':OTHER'],
    });
    for (const stdio of [one, other]) await stdio.end();
    expect(await view(first.session)).toBeUndefined();
  });

  it('over HTTP goes on in the session that it had, when it had one alone', async () => {
    const key = `alone-${Date.now()}`;
    const token = await harbor.token(key);
    const alone = await harbor.client('legacy', { token });
    const { structured } = await evaluate(alone, '(defun mine () :alone)');
    await again('SIGKILL');
    const back = await harbor.client('legacy', { token });
    expect((await evaluate(back, '(mine)')).structured).toMatchObject({
      session: structured.session,
      values: [':ALONE'],
    });
  });

  it('in ClojureScript, because SBCL was missing, moves to SBCL unless it defined something', async () => {
    const missing = { sbclCommand: ['/nowhere/sbcl'] };
    await again('SIGTERM', missing);
    const client = async (token: string) => harbor.client('legacy', { token });
    const [empty, used] = [await harbor.token('empty'), await harbor.token('used')];
    const first = await evaluate(await client(empty), '(+ 1 2)');
    expect(first.structured).toMatchObject({ engine: 'nbb', values: ['3'] });
    for (const word of ['ClojureScript', 'SBCL', 'apt install sbcl']) expect(first.text).toContain(word);
    const { structured: defining } = await evaluate(await client(used), '(def kept 7)');
    await again('SIGTERM', missing);
    const still = await evaluate(await client(empty), '(+ 1 2)');
    expect(still.structured.session).toBe(first.structured.session);

    await again('SIGTERM');
    const moved = await evaluate(await client(empty), '(lisp-implementation-type)');
    expect(moved.structured).toMatchObject({ engine: 'sbcl', values: ['"SBCL"'] });
    expect(moved.text).toContain(first.structured.session);
    expect(await view(first.structured.session)).toBeUndefined();
    const kept = await evaluate(await client(used), 'kept');
    expect(kept.structured).toMatchObject({ session: defining.session, engine: 'nbb', values: ['7'] });
  });

  it('over HTTP that cannot be told from another begins anew and is told of both', async () => {
    const key = `two-${Date.now()}`;
    const token = await harbor.token(key);
    const two = [await harbor.client('legacy', { token }), await harbor.client('legacy', { token })];
    const sessions: string[] = [];
    for (const each of two) sessions.push((await evaluate(each, '(defun mine () 1)')).structured.session);
    await again('SIGKILL');
    const back = await harbor.client('legacy', { token });
    const { structured } = await evaluate(back, '1');
    expect(sessions).not.toContain(structured.session);
    for (const each of sessions) expect(structured.notes?.join('\n')).toContain(each);
  });
});

it('a person may want none back', async () => {
  const session = await open({ engine: 'sbcl' });
  await again('SIGTERM', { sessionsComeBack: false });
  expect(await view(session)).toBeUndefined();
  await again('SIGTERM');
  expect(await view(session)).toBeUndefined();
});
