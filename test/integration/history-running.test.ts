/** What runs now is found as what has ended, and is one question: what waits for its turn, runs, or is held. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { PATIENT, StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;
let other: Client;

beforeAll(async () => {
  harbor = await StartedHarbor.start();
  client = await harbor.client();
  other = await harbor.stdioClient();
});
afterAll(async () => void (await harbor.stop()));

const NOW = { wait_ms: 0 };
const rows = async (query: Record<string, unknown>, who = client) =>
  (await call<{ rows: { id: number; outcome: string }[] }>(who, 'history', query)).structured.rows.map(
    ({ id, outcome }) => [id, outcome],
  );

it('all rows that have not ended are found by one question, mine or all, and by their texts', async () => {
  const open = async () =>
    (await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' })).structured.session;
  const [busy, debugged] = [await open(), await open()];
  const loop = '(progn (princ "needle in the output") (finish-output) (loop (sleep 1)))';
  const runs = (await evaluate(client, loop, { session: busy, ...NOW })).structured.id;
  const waits = (await evaluate(client, '(list :needle)', { session: busy, ...NOW })).structured.id;
  const holds = { session: debugged, on_error: 'debug' };
  const held = (await evaluate(client, '(error "no ~a" "needle")', holds)).structured.id;
  const theirs = (await evaluate(other, '(loop (sleep 1))', NOW)).structured.id;
  await evaluate(client, ':needle-that-ended');
  const mine = [
    [held, 'debugger'],
    [waits, 'running'],
    [runs, 'running'],
  ];
  expect(await rows({ outcome: 'running', mine: true })).toEqual(mine);
  expect(await rows({ outcome: 'running' })).toEqual([[theirs, 'running'], ...mine]);
  expect(await rows({ outcome: 'running', mine: true }, other)).toEqual([[theirs, 'running']]);
  await expect.poll(() => rows({ outcome: 'running', query: 'needle' }), PATIENT).toEqual(mine);
  expect(await rows({ query: 'no needle' })).toEqual([[held, 'debugger']]);
  expect(await rows({ query: 'needle in the output', session: busy })).toEqual([[runs, 'running']]);
  for (const id of [runs, waits, held]) await call(client, 'job', { job: `job-${id}`, action: 'cancel' });
  expect(await rows({ outcome: 'running', mine: true })).toEqual([]);
});
