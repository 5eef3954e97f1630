/** Tools over files as agents have them beside sessions: with `session`, paths are meant as that session tells them. */
import { z } from 'zod';
import type { Sessions } from '../../sessions/sessions';
import type { Caller, Tool } from '../tool';

/** The caller as one that works in the project of that session, which need not be awake.
 * @throws HarborError `unknown_session` */
export function inProjectOf(
  session: string | undefined,
  caller: Caller,
  sessions: Pick<Sessions, 'known'>,
): Caller {
  if (session === undefined) return caller;
  return { ...caller, project: sessions.known(session, caller.client).identity.project };
}

/** The same tool with one argument more, which it gets as well if it has one of that name. */
export function inSession(tool: Tool, sessions: Pick<Sessions, 'known'>): Tool {
  const asks = 'session' in tool.args.shape;
  return {
    ...tool,
    args: tool.args.extend({ session: z.string().optional() }),
    run: (given, caller) => {
      const { session, ...args } = given;
      return tool.run(asks ? given : args, inProjectOf(session as string | undefined, caller, sessions));
    },
  };
}
