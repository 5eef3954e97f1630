/** What the harbor and its sessions tell of themselves, for the window. */
import { lastLogLines } from '../host/log-lines';
import type { CallHandlers } from './answer';
import type { WindowServices } from './window-services';

type LogCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `log:${string}`>>;

/** Lines of the harbor's log that are shown. */
const MOST_LINES = 2_000;

export function logCalls({ sessions, person, sessionLogs, logFolder, openFolder }: WindowServices): LogCalls {
  return {
    'log:session': ({ session }) => [...sessionLogs.of(sessions.known(session, person).id)],
    'log:read': () => lastLogLines(logFolder, MOST_LINES),
    'log:openFolder': async () => {
      await openFolder(logFolder);
      return null;
    },
  };
}
