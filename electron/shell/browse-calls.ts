/** What the window asks of the names in a session's image. */
import type { CallHandlers } from './answer';
import type { WindowServices } from './window-services';

type BrowseCalls = Pick<CallHandlers, 'browse:describe' | 'browse:find'>;

export function browseCalls({ person, sessions }: WindowServices): BrowseCalls {
  const find = ({ session }: { session: string }) => sessions.find(session, person);
  return {
    'browse:describe': async ({ name, ...args }) =>
      (await find(args)).ability('knowledge').describe({ symbol: name }),
    'browse:find': async ({ kind, name, limit, ...args }) =>
      (await find(args)).ability('knowledge').find({ kind, query: name, limit }),
  };
}
