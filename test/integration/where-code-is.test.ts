/** The place that running code has reached: job status, a cancel, a limit and the debugger show it. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../evaluation';
import { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'] });
  client = await harbor.client();
  const code =
    '(defvar *go-on* nil) (defun inner (n) (loop until *go-on* do (sleep 0.01) (incf n))) (defun outer (n) (list (inner n)))';
  await call(client, 'eval', { code });
}, 120_000);
afterAll(() => harbor.stop());

const PLACE = /\(INNER .*\) < \(OUTER 1\)/;

async function running(): Promise<string> {
  const { structured } = await call<{ job: string }>(client, 'eval', { code: '(outer 1)', wait_ms: 100 });
  return structured.job;
}

it('job status and cancel say where it is', async () => {
  const job = await running();
  expect((await call(client, 'job', { job, action: 'status' })).text).toMatch(PLACE);
  expect((await call(client, 'job', { job, action: 'cancel' })).text).toMatch(PLACE);
});

it('limit_ms says where it was, own calls first', async () => {
  const limited = await call(client, 'eval', { code: '(outer 1)', limit_ms: 300 });
  expect(limited.text).toMatch(PLACE);
  expect((await call(client, 'eval', { code: '(loop)', limit_ms: 300 })).text).toMatch(/\(LOOP\)/);
});

it('break suspends it in the debugger, where it can be looked at, and CONTINUE goes on', async () => {
  const job = await running();
  const { text } = await call(client, 'job', { job, action: 'break' });
  expect(text).toMatch(/CONTINUE[\s\S]*INNER[\s\S]*OUTER/);
  await call(client, 'eval', { code: '(setf *go-on* t)', level: 1 });
  const { text: ended } = await call(client, 'debug', { action: 'restart', restart: 'CONTINUE' });
  expect(ended).toMatch(/=> \(NIL\)/);
  const late = await call(client, 'job', { job, action: 'break' });
  expect([late.isError, late.text]).toEqual([true, expect.stringContaining('bad_arguments')]);
});

it('an engine that cannot says so', async () => {
  const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'nbb' });
  const code = '(js/Promise. (fn [_]))';
  const begun = await call<{ job: string }>(client, 'eval', {
    code,
    session: structured.session,
    wait_ms: 100,
  });
  const { text } = await call(client, 'job', { job: begun.structured.job, action: 'break' });
  expect(text).toContain('not_supported');
});
