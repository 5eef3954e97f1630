/** What a session's code has tapped. */
import { objectHandle } from '../sessions/object-handle';
import type { CallHandlers } from './answer';
import type { WindowServices } from './window-services';

type TapsCalls = Pick<CallHandlers, 'taps:read' | 'taps:forget'>;

export function tapsCalls({ person, sessions }: WindowServices): TapsCalls {
  return {
    'taps:read': async ({ session: id }) => {
      const session = await sessions.find(id, person);
      const taps = await session.ability('taps').read();
      return taps.map(({ object, ...tap }) => ({ ...tap, handle: objectHandle(object, session.generation) }));
    },
    'taps:forget': async ({ session: id }) => {
      const session = await sessions.find(id, person);
      await session.ability('taps').forget();
      return null;
    },
  };
}
