/** The place that running code has reached: job status, a cancel, a limit and the debugger show it. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
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

const LISP = '(defun inner (n) (loop (sleep 0.01) (incf n))) (defun outer (n) (list (inner n)))';

it.each([
  { engine: 'ecl', code: LISP, run: '(outer 1)', place: /INNER.* < .*OUTER/ },
  { engine: 'abcl', code: LISP, run: '(outer 1)', place: /INNER.* < .*OUTER/ },
  {
    engine: 'clojure',
    code: '(defn inner [n] (Thread/sleep 10) (recur (inc n))) (defn outer [n] [(inner n)])',
    run: '(outer 1)',
    place: /user\/inner.* < user\/outer/,
  },
])(
  '$engine says where it is, and cannot break',
  async ({ engine, code, run, place }) => {
    const { structured } = await call<{ session: string }>(client, 'open_session', { engine });
    const { session } = structured;
    await call(client, 'eval', { code, session });
    const { job } = (await call<{ job: string }>(client, 'eval', { code: run, session, wait_ms: 100 }))
      .structured;
    const refused = await call(client, 'job', { job, action: 'break' });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringMatching(/^not_supported.*status/)]);
    await expect.poll(async () => (await call(client, 'job', { job, action: 'status' })).text).toMatch(place);
    expect((await call(client, 'job', { job, action: 'cancel' })).text).toMatch(place);
  },
  240_000,
);

it.each(sampled('where-code-is', ['ecl', 'abcl'], 1))(
  'a look at code of %s does not end its wait',
  async (engine) => {
    const { structured } = await call<{ session: string }>(client, 'open_session', { engine });
    const { session } = structured;
    const code =
      '(let ((begun (get-internal-real-time))) (sleep 2) (>= (- (get-internal-real-time) begun) (* 2 internal-time-units-per-second)))';
    const { job } = (await call<{ job: string }>(client, 'eval', { code, session, wait_ms: 100 })).structured;
    for (let turn = 0; turn < 3; turn += 1) await call(client, 'job', { job, action: 'status' });
    expect((await call(client, 'job', { job, action: 'wait' })).text).toMatch(/=> T/);
  },
  240_000,
);

it('an engine that cannot says so', async () => {
  const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'nbb' });
  const code = '(js/Promise. (fn [_]))';
  const begun = await call<{ job: string }>(client, 'eval', {
    code,
    session: structured.session,
    wait_ms: 100,
  });
  const { job } = begun.structured;
  expect((await call(client, 'job', { job, action: 'break' })).text).toContain('not_supported');
  expect((await call(client, 'job', { job, action: 'status' })).text).toContain('cannot be seen in nbb');
});
