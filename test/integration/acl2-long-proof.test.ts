/** A long proof as an agent sees it through a started harbor: progress while it waits, the job, the end. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EvaluationRecord } from '../../electron/tools/evaluation/record';
import { call, evaluate } from '../evaluation';
import { ENDLESS, PIGEONS } from '../pigeons';
import { PATIENT, StartedHarbor } from '../started-harbor';

/** Only GCL's prover can be asked; elsewhere there is the goal that it names. */
const ON_GCL = process.env.ACL2 === undefined;

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--engine', 'acl2'] });
});

afterAll(async () => {
  await harbor.stop();
});

it('becomes a job that says how far it has come, and is cancelled with the world as it was', async () => {
  const client = await harbor.client();
  const before = (await evaluate(client, PIGEONS)).structured.report?.proof?.command;
  const { structured } = await evaluate(client, ENDLESS, { wait_ms: 0 });
  const status = () => call<EvaluationRecord>(client, 'job', { job: structured.job, action: 'status' });
  await expect
    .poll(async () => (await status()).structured.progress, PATIENT)
    .toMatchObject({
      goal: 'Subgoal 1',
      checkpoints: ON_GCL ? [{ goal: 'Subgoal 2', text: '(EQUAL (APP X Y) Z)' }] : [],
    });
  expect((await status()).text).toContain('form 1 · Subgoal 1');
  const cancelled = await call<EvaluationRecord>(client, 'job', { job: structured.job, action: 'cancel' });
  expect(cancelled.structured).toMatchObject({
    outcome: 'interrupted',
    report: { proof: { command: before } },
  });
  expect(cancelled.structured.progress).toBeUndefined();
});

it('tells a caller that waits, every few seconds, until that goes away', async () => {
  const client = await harbor.client();
  await evaluate(client, PIGEONS);
  const heard: string[] = [];
  const gone = new AbortController();
  const waiting = client.callTool(
    { name: 'eval', arguments: { code: ENDLESS } },
    { signal: gone.signal, onprogress: ({ message = '' }) => void heard.push(message) },
  );
  await expect
    .poll(() => heard.at(-1), PATIENT)
    .toMatch(
      ON_GCL
        ? /^running for \d+ s · form 1 · Subgoal \d+ · \d+ steps/
        : /^running for \d+ s · form 1 · Subgoal \d+$/,
    );
  gone.abort();
  await expect(waiting).rejects.toThrow();
  await expect
    .poll(async () => (await call(client, 'history', { outcome: 'interrupted', limit: 1 })).text, PATIENT)
    .toContain('endless');
});
