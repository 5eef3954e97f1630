/** Attempts in parallel: sessions that began with one state, and their comparison. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

interface Comparison {
  sessions: { session: string; evaluations: number; failed: number; milliseconds: number; tests?: object }[];
  alike: string[];
  differing: { title: string; texts: Record<string, string | null> }[];
}

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());

const branch = async (session: string) =>
  (await call<{ session: string }>(client, 'checkpoint', { action: 'branch', session })).structured.session;

it('S5-30 compares what sessions that began with one state have made of it', async () => {
  const start = await evaluate(client, '(defun sail () (keel)) (defun keel () 1)');
  const first = start.structured.session;
  const [second, third] = [await branch(first), await branch(first)];
  const attempt = (session: string, code: string) => evaluate(client, code, { session });
  await attempt(second, '(defun keel () 2) (defun mast () 0)');
  await attempt(third, '(defun keel () 4) (defun mast () 0)');
  await attempt(second, '(error "no")');
  await attempt(third, '(sleep 0.3)');
  const { structured, text } = await call<Comparison>(client, 'checkpoint', {
    ...{ action: 'compare', sessions: [second, third] },
  });
  expect(structured.alike).toEqual(['defun mast']);
  expect(structured.differing).toEqual([
    { title: 'defun keel', texts: { [second]: '(defun keel () 2)', [third]: '(defun keel () 4)' } },
  ]);
  const [one, other] = structured.sessions;
  expect([one?.evaluations, one?.failed, other?.evaluations, other?.failed]).toEqual([2, 1, 2, 0]);
  expect(other?.milliseconds).toBeGreaterThan(300);
  expect(text).toMatch(/keel \(\) 4/);
  for (const sessions of [[], [second], [second, second], [second, 'sbcl-nowhere']]) {
    const { isError } = await call(client, 'checkpoint', {
      action: 'compare',
      ...(sessions && { sessions }),
    });
    expect([sessions, isError]).toEqual([sessions, true]);
  }
  for (const session of [first, second, third]) await call(client, 'close_session', { session });
});
