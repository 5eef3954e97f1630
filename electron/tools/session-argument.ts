/** The `session` argument that most tools take: a handle of the caller's, or none for its default session. */
import { HarborError } from '../contract/errors';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';
import type { Caller } from './tool';

/** @throws HarborError `unknown_session`, or `cancelled` when the caller went away while its session was opened */
export async function sessionOf(
  handle: string | undefined,
  caller: Caller,
  sessions: Sessions,
): Promise<{ session: Session; notes: string[] }> {
  if (handle !== undefined) return { session: sessions.find(handle, caller.client), notes: [] };
  const opened = await caller.defaultSession();
  if (caller.signal.aborted) throw new HarborError('cancelled', 'The call was cancelled before it began.');
  return opened;
}
