/** The arguments of tools: checked before a tool runs; and `session`, which most of them take. */
import { z } from 'zod';
import { HarborError } from '../contract/errors';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';
import type { Caller, Tool } from './tool';

/** @throws HarborError `bad_arguments`, naming each member that is wrong */
export function checkedArguments<A extends z.ZodObject>(
  { name, args }: Pick<Tool<A>, 'name' | 'args'>,
  given: unknown,
): z.output<A> {
  const parsed = args.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  throw new HarborError('bad_arguments', `Arguments of ${name} are wrong:\n${z.prettifyError(parsed.error)}`);
}

/** The session of that handle, or the caller's default one.
 * @throws HarborError `unknown_session`, or `cancelled` when the caller went away while its session was opened */
export async function sessionOf(
  handle: string | undefined,
  caller: Caller,
  sessions: Sessions,
): Promise<{ session: Session; notes: string[] }> {
  if (handle !== undefined) return { session: await sessions.find(handle, caller.client), notes: [] };
  const opened = await caller.defaultSession();
  if (caller.signal.aborted) throw new HarborError('cancelled', 'The call was cancelled before it began.');
  return opened;
}
