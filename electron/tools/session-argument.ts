/** The `session` argument that most tools take: a handle of the caller's, or none for its default session. */
import type { Session } from '../sessions/session';
import type { Sessions } from '../sessions/sessions';
import type { Caller } from './tool';

/** @throws HarborError `unknown_session` */
export async function sessionOf(
  handle: string | undefined,
  caller: Caller,
  sessions: Sessions,
): Promise<{ session: Session; notes: string[] }> {
  if (handle === undefined) return caller.defaultSession();
  return { session: sessions.find(handle, caller.client), notes: [] };
}
