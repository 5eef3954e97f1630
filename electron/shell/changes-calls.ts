/** What a session did to the world, as the window shows it, and what a person keeps of that or takes back. */
import type { CallHandlers } from './answer';
import type { WindowServices } from './window-services';

type ChangesCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `changes:${string}`>>;

export function changesCalls({ person, sessions, changes, written }: WindowServices): ChangesCalls {
  const find = ({ session }: { session: string }) => sessions.find(session, person);
  return {
    'changes:view': async ({ since, ...args }) => changes.view(await find(args), since),
    'changes:inFile': async ({ path, ...args }) => changes.inFile(await find(args), path),
    'changes:write': async ({ path, definitions, ...args }) => ({
      path: await written.definitions(await find(args), path, definitions),
    }),
    'changes:revert': async ({ since, key, ...args }) =>
      changes.revert(await find(args), { since, key }, person),
    'changes:revertFile': async ({ path, kept, hash, ...args }) => {
      const session = await find(args);
      if (kept === null) await written.remove(session, path, hash);
      else await written.putBack(session, path, kept, hash);
      return null;
    },
  };
}
