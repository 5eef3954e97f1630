/** Handles of sessions as completions offer them. */
import type { Sessions } from '../sessions/sessions';
import type { Viewer } from './visible-history';

/** Those the viewer may use; the one used last first, because it is the likeliest to be meant. */
export function sessionIds(sessions: Sessions, { client }: Viewer): string[] {
  return sessions
    .of(client)
    .toSorted((one, other) => other.newestRow - one.newestRow)
    .map(({ id }) => id);
}
