/** What the window asks of newer versions. */
import type { CallHandlers } from './answer';
import type { WindowServices } from './window-services';

type UpdateCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `updates:${string}`>>;

export function updateCalls({ updates }: WindowServices): UpdateCalls {
  return {
    'updates:read': () => updates.view,
    'updates:look': async () => {
      await updates.look();
      return updates.view;
    },
    'updates:get': () => {
      updates.get();
      return updates.view;
    },
    'updates:install': ({ wanted }) => {
      updates.install(wanted);
      return updates.view;
    },
  };
}
