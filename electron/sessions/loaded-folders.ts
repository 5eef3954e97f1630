/** Where the systems have their sources that the sessions of a project have loaded, as the images say. */
import type { SystemFolder } from '../contract/knowledge';
import type { Image } from '../images/image';
import type { Session } from './session/session';

/** What one image may claim: each folder is looked for on disk. */
const MOST_FOLDERS = 2000;
const LONGEST_PATH = 4096;

/** An image that is gone, or does not answer in time, has loaded nothing. `session` is the handle of the one that says so. */
export async function loadedSystemFolders(
  sessions: readonly Session[],
  project: string,
): Promise<(SystemFolder & { session: string })[]> {
  const asked = sessions
    .filter(({ identity, state }) => identity.project === project && state !== 'lost')
    .map(async (session) => {
      const folders = await foldersOf(session).catch(() => []);
      return folders.map((each) => ({ ...each, session: session.id }));
    });
  return (await Promise.all(asked)).flat();
}

async function foldersOf(session: Session): Promise<readonly SystemFolder[]> {
  const knowledge: Image['knowledge'] = session.ability('knowledge');
  const folders = (await knowledge?.systemFolders?.()) ?? [];
  return folders.filter(({ folder }) => folder.length <= LONGEST_PATH).slice(0, MOST_FOLDERS);
}
