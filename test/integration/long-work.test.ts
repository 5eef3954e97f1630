/** Long calls for every kind of client: queue, progress, and each way to end them. */
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import { PATIENT, type StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await sharedHarbor();
});
afterAll(() => harbor.stop());

const CLIENTS: readonly [string, () => Promise<Client>][] = [
  ['HTTP, 2025-11-25', () => harbor.client('legacy')],
  ['HTTP, 2026-07-28', () => harbor.client('modern')],
  ['stdio, 2025-11-25', () => harbor.stdioClient()],
  ['stdio, 2026-07-28', () => harbor.stdioClient({ era: 'modern' })],
];

/** A session of its own, in which the state can be seen to be kept. */
async function opened(client: Client): Promise<string> {
  const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' });
  await values(client, '(defvar *kept* :kept)', { session: structured.session });
  return structured.session;
}

const outcomes = async (client: Client, session: string) =>
  (await call<{ rows: { outcome: string }[] }>(client, 'history', { session, limit: 1 })).structured.rows;

it('lists the jobs that a queued evaluation waits for', async () => {
  const client = await harbor.client();
  const session = await opened(client);
  const evaluated = (code: string) =>
    call<{ job: string; queued?: string[] }>(client, 'eval', { code, session, wait_ms: 1 });
  const job = (action: string, of: string) =>
    call<{ outcome: string; queued?: string[]; values: string[] }>(client, 'job', { job: of, action });
  const first = (await evaluated('(loop (sleep 0.01))')).structured.job;
  const second = (await evaluated('*kept*')).structured.job;
  const third = await evaluated('(list *kept*)');
  expect(third.structured.queued).toEqual([first, second]);
  expect(third.text).toMatch(/; queued as job-\d+ behind /);
  expect(third.text).toMatch(
    new RegExp(` behind ${first} \\(loop \\(sleep 0\\.01\\)\\)(?:, running for \\d+ s)? and 1 more$`),
  );
  const told = await job('status', second);
  expect(told.structured.queued).toEqual([first]);
  expect(told.text).toContain(`behind ${first}`);
  expect((await job('output', second)).structured.queued).toEqual([first]);
  expect((await job('status', first)).structured.queued).toBeUndefined();
  await job('cancel', first);
  const ended = await job('wait', third.structured.job);
  expect(ended.structured).toMatchObject({ outcome: 'ok', values: ['(:KEPT)'] });
  expect(ended.structured.queued).toBeUndefined();
});

it('queues a call behind a running job, and either can be cancelled', async () => {
  const client = await harbor.client();
  const session = await opened(client);
  const job = (action: string, of: string) =>
    call<{ outcome: string; values: string[] }>(client, 'job', { job: of, action });
  const first = (await evaluate(client, '(loop (sleep 0.1))', { session, wait_ms: 0 })).structured.job ?? '';
  const asked = ['eval', 'load', 'run_tests'].map((tool) =>
    call<{ job: string; outcome: string; queued: string[] }>(client, tool, {
      session,
      ...(tool === 'eval' ? { code: '*kept*' } : { path: 'waits.lisp' }),
    }),
  );
  writeFileSync(path.join(harbor.project, 'waits.lisp'), '(defvar *loaded* t)');
  const waiting = await Promise.all(asked);
  for (const { structured, text, isError } of waiting) {
    expect({ outcome: structured.outcome, isError }).toEqual({ outcome: 'running', isError: false });
    expect(structured.queued[0]).toBe(first);
    expect(text).toContain(`; queued as ${structured.job} behind ${first} (loop (sleep 0.1))`);
  }
  const [value, , tests] = waiting.map(({ structured }) => structured.job);
  expect((await job('cancel', tests ?? '')).structured.outcome).toBe('interrupted');
  expect((await job('status', first)).structured.outcome).toBe('running');
  await job('cancel', first);
  expect((await job('wait', value ?? '')).structured).toMatchObject({ outcome: 'ok', values: [':KEPT'] });
});

it('queues inspections and expansions, and refuses checkpoints, while a job runs', async () => {
  const client = await harbor.client();
  const session = await opened(client);
  await call(client, 'checkpoint', { action: 'save', name: 'early', session });
  const first = (await evaluate(client, '(loop (sleep 0.1))', { session, wait_ms: 0 })).structured.job ?? '';
  const ask = (tool: string, args: Record<string, unknown>) =>
    call<{ evaluation: { job: string; queued: string[] } }>(client, tool, { session, ...args });
  const waiting = await Promise.all([
    ask('inspect', { code: '(list *kept*)' }),
    ask('describe', { form: '(when a b)' }),
  ]);
  for (const { structured, text, isError } of waiting) {
    expect(isError).toBe(false);
    expect(structured.evaluation.queued[0]).toBe(first);
    expect(text).toContain(`; queued as ${structured.evaluation.job} behind ${first} (loop (sleep 0.1))`);
  }
  for (const action of ['save', 'branch']) {
    const refused = await ask('checkpoint', { action });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain(`busy: ${session} is busy with ${first} (loop (sleep 0.1))`);
  }
});

it('answers many concurrent calls, each with its own value', async () => {
  const client = await harbor.client();
  const session = await opened(client);
  const codes = Array.from({ length: 20 }, (_, n) => `(sleep 0.1) (list ${n})`);
  const answers = await Promise.all(codes.map((code) => evaluate(client, code, { session })));
  expect(answers.map(({ structured }) => structured.values[0])).toEqual(codes.map((_, n) => `(${n})`));
});

it('status returns new output of a job, and offset 0 returns all output', async () => {
  const client = await harbor.client();
  const session = await opened(client);
  const flags = ['first', 'second'].map((name) => `${name}-${randomUUID()}`);
  const go = (flag: string | undefined) => writeFileSync(path.join(harbor.project, flag ?? ''), '');
  const wait = (flag: string | undefined) => `(loop until (probe-file "${flag}") do (sleep 0.01))`;
  const code = `(progn (princ "one ") ${wait(flags[0])} (princ "two ") ${wait(flags[1])} (princ "three ") t)`;
  const job = (action: string, args: object = {}) =>
    call<{ outcome: string; stdout: string }>(client, 'job', { job: name, action, ...args });
  const begun = await evaluate(client, code, { session, wait_ms: 0 });
  const name = begun.structured.job ?? '';
  // The first answer may have the first output.
  const texts = [begun.text];
  const untilSays = (word: string) =>
    expect
      .poll(async () => {
        texts.push((await job('status')).text.replace(/; note: It is in .*/, ''));
        return texts.join('\n');
      }, PATIENT)
      .toContain(word);
  await untilSays('one');
  expect((await job('status')).text).toMatch(
    new RegExp(`^; running as ${name}(?: · \\d+ ms)?(?:\n; note: It is in .*)?$`),
  );
  go(flags[0]);
  await untilSays('two');
  go(flags[1]);
  const last = await job('wait');
  expect(last.structured).toMatchObject({ outcome: 'ok', stdout: 'one two three ' });
  expect([...texts, last.text].join('\n').match(/one|two|three/g)).toEqual(['one', 'two', 'three']);
  expect((await job('output', { offset: 0 })).text).toContain('[output]\none two three');
});

it('sends progress notifications every few seconds if requested', { timeout: 60_000 }, async () => {
  const told = CLIENTS.map(async ([, open]) => {
    const client = await open();
    const session = await opened(client);
    const flag = randomUUID();
    const code = `(loop until (probe-file "${flag}") do (sleep 0.05))`;
    const messages: string[] = [];
    const onprogress = ({ message = '' }) => {
      messages.push(message);
      // What a test of seconds can say for sure: it was told twice while it ran.
      if (messages.length === 2) writeFileSync(path.join(harbor.project, flag), '');
    };
    await client.callTool({ name: 'eval', arguments: { code, session } }, { onprogress });
    return messages;
  });
  for (const messages of await Promise.all(told))
    for (const message of messages) expect(message).toMatch(/^running for \d+ s$/);
});

describe.each(CLIENTS)('a call over %s', (_way, open) => {
  it('is interrupted when its client cancels it, and keeps the state', async () => {
    const client = await open();
    const session = await opened(client);
    const abort = new AbortController();
    const code = '(loop (sleep 0.1))';
    const refused = expect(
      client.callTool({ name: 'eval', arguments: { code, session } }, { signal: abort.signal }),
    ).rejects.toThrow();
    await expect.poll(() => outcomes(client, session), PATIENT).toMatchObject([{ outcome: 'running' }]);
    abort.abort('enough');
    await refused;
    await expect.poll(() => outcomes(client, session), PATIENT).toMatchObject([{ outcome: 'interrupted' }]);
    expect(await values(client, '*kept*', { session })).toEqual([':KEPT']);
  });

  it('is interrupted by the tool job, and keeps the state', async () => {
    const client = await open();
    const session = await opened(client);
    const code = '(progn (princ "begun") (unwind-protect (loop (sleep 0.1)) (loop (sleep 0.1))))';
    const { structured } = await call<{ job: string }>(client, 'eval', { code, session, wait_ms: 0 });
    const cancelled = await call(client, 'job', { job: structured.job, action: 'cancel' });
    expect(cancelled).toMatchObject({ isError: false, structured: { outcome: 'interrupted' } });
    expect(await values(client, '*kept*', { session })).toEqual([':KEPT']);
  });
});

it('a closed stream ends an image that ignores interrupts, and the next result says so', {
  timeout: 300_000,
}, async () => {
  const client = await harbor.client('modern');
  const session = await opened(client);
  const abort = new AbortController();
  // An interrupt that comes before the code is deaf would end it and keep the image.
  const code = '(sb-sys:without-interrupts (close (open "deaf" :direction :output)) (loop (sleep 1)))';
  const refused = expect(
    client.callTool({ name: 'eval', arguments: { code, session } }, { signal: abort.signal }),
  ).rejects.toThrow();
  await expect.poll(() => existsSync(path.join(harbor.project, 'deaf')), PATIENT).toBe(true);
  abort.abort();
  await refused;
  // The image gets seconds of processor time to stop by itself, however long a busy machine takes to give them.
  await expect
    .poll(() => outcomes(client, session), { timeout: 240_000 })
    .toMatchObject([{ outcome: 'interrupted' }]);
  const next = await call<{ notes: string[] }>(client, 'eval', { code: '*kept*', session });
  expect(next.structured.notes.join()).toContain('ending its image');
});
