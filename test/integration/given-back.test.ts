/** What becomes of a Lisp session whose conversation over HTTP was given back, through a started harbor. */
import { expect, it, onTestFinished } from 'vitest';
import { MAX_SESSIONS } from '../../electron/endpoints/mcp/mcp-sessions';
import { call, evaluate, values } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';

it('S3-30 S3-33 it goes on with its state, for its client to find and use by its handle', async () => {
  const harbor = await sharedHarbor();
  onTestFinished(async () => void (await harbor.stop()));
  const first = await harbor.client();
  const { session } = (await evaluate(first, '(defvar *kept* 42)')).structured;
  const id = first.transport?.sessionId ?? '';
  // Gone without a DELETE, as most clients go.
  await first.close();
  const later = await harbor.client();
  for (let count = 1; count < MAX_SESSIONS; count += 1) await (await harbor.client()).close();
  const { mcp, token } = harbor.ready;
  const headers = { authorization: `Bearer ${token}`, 'mcp-session-id': id };
  expect((await fetch(mcp, { method: 'DELETE', headers })).status).toBe(404);
  const { sessions } = (await call<{ sessions: object[] }>(later, 'images')).structured;
  expect(sessions).toMatchObject([{ session, state: 'idle', generation: 1 }]);
  expect(await values(later, '*kept*', { session })).toEqual(['42']);
});
