/** Long calls of clients that take tasks (extension io.modelcontextprotocol/tasks), against a started harbor. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { wholeData } from '../evaluation';
import { LINE_WAYS } from '../line-ways';
import { type ModernCaller, modernCaller, TASKS } from '../modern-caller';
import { PATIENT, StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let caller: ModernCaller;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--tcp-port', '0'] });
});
afterAll(() => harbor.stop());
afterEach(() => caller.end());

/** Goes on once the test has made that file in the project. */
const waitingFor = (flag: string) => `(loop until (probe-file "${flag}") do (sleep 0.02))`;

const evaluate = async (code: string, args: Record<string, unknown> = {}) =>
  (await caller.ask('tools/call', { name: 'eval', arguments: { code, ...args } })).result ?? {};
const task = async (taskId: unknown) => (await caller.ask('tasks/get', { taskId })).result ?? {};
const status = async (taskId: unknown) => (await task(taskId)).status;
const values = async (code: string) => wholeData((await evaluate(code)).structuredContent);

describe.each(['HTTP', ...LINE_WAYS] as const)('over %s', (way) => {
  it('a call that outlives its limit is a task with the name of its job, whose end has the very result', async () => {
    caller = modernCaller(way, harbor, TASKS);
    const flag = `flag-${way}`;
    const created = await evaluate(`(princ "before") ${waitingFor(flag)} (* 6 7)`, { wait_ms: 0 });
    expect(created).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
    expect(created).not.toHaveProperty('structuredContent');
    expect(created.taskId).toMatch(/^job-\d+$/);
    expect(await status(created.taskId)).toBe('working');
    const job = { name: 'job', arguments: { job: created.taskId, action: 'output' } };
    const printed = async () => (await caller.ask('tools/call', job)).result?.structuredContent;
    await expect.poll(printed, PATIENT).toMatchObject({ outcome: 'running', output: 'before' });
    writeFileSync(path.join(harbor.project, flag), '');
    await expect.poll(() => status(created.taskId), PATIENT).toBe('completed');
    expect(await task(created.taskId)).toMatchObject({
      resultType: 'complete',
      result: {
        isError: false,
        structuredContent: { outcome: 'ok', forms: [{}, {}, { values: ['42'] }], stdout: 'before' },
      },
    });
  });

  it('a task that is cancelled interrupts its evaluation and keeps the state', async () => {
    caller = modernCaller(way, harbor, TASKS);
    await evaluate('(defvar *kept* :kept)');
    const { taskId } = await evaluate('(loop (sleep 0.1))', { wait_ms: 0 });
    expect((await caller.ask('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
    await expect.poll(() => status(taskId), PATIENT).toBe('cancelled');
    const ended = await task(taskId);
    expect(ended.statusMessage).toContain(taskId);
    expect(ended).not.toHaveProperty('result');
    const job = await caller.ask('tools/call', { name: 'job', arguments: { job: taskId, action: 'status' } });
    expect(job.result?.structuredContent).toMatchObject({ outcome: 'interrupted' });
    expect(await values('*kept*')).toMatchObject({ values: [':KEPT'] });
  });

  it('an error in Lisp is the result of a task that completed', async () => {
    caller = modernCaller(way, harbor, TASKS);
    const { taskId } = await evaluate('(sleep 0.2) (error "on purpose")', { wait_ms: 0 });
    await expect.poll(() => status(taskId), PATIENT).toBe('completed');
    expect((await task(taskId)).result).toMatchObject({
      isError: true,
      structuredContent: { outcome: 'error', condition: { message: 'on purpose' } },
    });
  });

  it('a condition that is to be held ends the task, for the tool that handles it', async () => {
    caller = modernCaller(way, harbor, TASKS);
    const { taskId } = await evaluate('(sleep 0.2) (error "held")', { wait_ms: 0, on_error: 'debug' });
    await expect.poll(() => status(taskId), PATIENT).toBe('completed');
    expect((await task(taskId)).result).toMatchObject({ structuredContent: { outcome: 'debugger' } });
    await caller.ask('tools/call', { name: 'debug', arguments: { action: 'abort' } });
  });

  it('a client that takes no tasks gets a job, and its requests for tasks are refused', async () => {
    caller = modernCaller(way, harbor, {});
    const answer = await evaluate('(loop (sleep 0.1))', { wait_ms: 0 });
    expect(answer).toMatchObject({ structuredContent: { outcome: 'running' } });
    const { job } = answer.structuredContent as { job: string };
    for (const [method, params] of [
      ['tasks/get', { taskId: job }],
      ['tasks/update', { taskId: job, inputResponses: {} }],
      ['tasks/cancel', { taskId: job }],
    ] as const)
      expect((await caller.ask(method, params)).error).toMatchObject({ code: -32021 });
    await caller.ask('tools/call', { name: 'job', arguments: { job, action: 'cancel' } });
  });
});

const HELD = '(sleep 0.2) (restart-case (error "which?") (use-ten () 10))';

describe('a task of a client that can ask a person', () => {
  const asking = { ...TASKS, elicitation: {} };

  async function held(): Promise<{ taskId: unknown; key: string; restarts: string[] }> {
    caller = modernCaller('stdio', harbor, asking);
    const { taskId } = await evaluate(HELD, { wait_ms: 0, on_error: 'debug' });
    await expect.poll(() => status(taskId), PATIENT).toBe('input_required');
    const [[key, request] = ['', undefined]] = Object.entries(
      (await task(taskId)).inputRequests as Record<string, { method: string; params: unknown }>,
    );
    expect(request).toMatchObject({ method: 'elicitation/create', params: { message: expect.any(String) } });
    const restarts = JSON.stringify(request).match(/[^"]*USE-TEN[^"]*/g) ?? [];
    return { taskId, key, restarts };
  }

  it('asks for a restart when its evaluation is held, and goes on with that', async () => {
    const { taskId, key, restarts } = await held();
    const inputResponses = { [key]: { action: 'accept', content: { restart: restarts[0] } } };
    const stale = { 'restart-0': { action: 'accept', content: { restart: restarts[0] } } };
    await caller.ask('tasks/update', { taskId, inputResponses: stale });
    expect(await status(taskId)).toBe('input_required');
    const { result } = await caller.ask('tasks/update', { taskId, inputResponses });
    expect(result).toMatchObject({ resultType: 'complete' });
    await expect.poll(() => status(taskId), PATIENT).toBe('completed');
    expect((await task(taskId)).result).toMatchObject({
      structuredContent: { outcome: 'ok', forms: [{}, { values: ['10'] }] },
    });
  });

  it('is left held by who declines, and tells so', async () => {
    const { taskId, key } = await held();
    await caller.ask('tasks/update', { taskId, inputResponses: { [key]: { action: 'decline' } } });
    await expect.poll(() => status(taskId), PATIENT).toBe('completed');
    expect((await task(taskId)).result).toMatchObject({ structuredContent: { outcome: 'debugger' } });
  });

  it('that is cancelled while it asks gives up what is held', async () => {
    const { taskId } = await held();
    await caller.ask('tasks/cancel', { taskId });
    await expect.poll(() => status(taskId), PATIENT).toBe('cancelled');
    expect(await values('(+ 1 1)')).toMatchObject({ values: ['2'] });
  });
});

describe('a task', () => {
  it('is nobody else’s', async () => {
    caller = modernCaller('HTTP', harbor, TASKS);
    const { taskId } = await evaluate('(sleep 0.3)', { wait_ms: 0 });
    const stranger = modernCaller('stdio', harbor, TASKS);
    expect((await stranger.ask('tasks/get', { taskId })).error).toMatchObject({ code: -32602 });
    await stranger.ask('tasks/cancel', { taskId });
    await stranger.end();
    await expect.poll(() => status(taskId), PATIENT).toBe('completed');
  });

  it('over TCP ends with its connection, whatever session it runs in', async () => {
    caller = modernCaller('HTTP', harbor, {});
    const passing = modernCaller('TCP', harbor, TASKS);
    const opened = await passing.ask('tools/call', { name: 'open_session', arguments: {} });
    const { structuredContent } = opened.result ?? {};
    const { session } = structuredContent as { session: string };
    const loop = { code: '(loop (sleep 0.1))', session, wait_ms: 0 };
    const created = await passing.ask('tools/call', { name: 'eval', arguments: loop });
    expect(created.result).toMatchObject({ resultType: 'task' });
    await passing.end();
    const look = { name: 'history', arguments: { session, limit: 1 } };
    const rows = async () => (await caller.ask('tools/call', look)).result?.structuredContent;
    await expect.poll(rows, PATIENT).toMatchObject({ rows: [{ outcome: 'interrupted' }] });
  });

  it('is told of as an extension in 2026-07-28 only', async () => {
    caller = modernCaller('HTTP', harbor, TASKS);
    const { result } = await caller.ask('server/discover');
    expect(result?.capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
    expect((await harbor.client()).getServerCapabilities()).not.toHaveProperty('extensions');
  });
});
