/** Where the systems have their sources that the sessions of a project have loaded, as the images say. */
import type { Image } from '../images/image';
import type { Session } from './session';

/** An image that is gone, or does not answer in time, has loaded nothing. */
export async function loadedSystemFolders(sessions: readonly Session[], project: string): Promise<string[]> {
  const asked = sessions
    .filter(({ identity, state }) => identity.project === project && state !== 'lost')
    .map((session) => foldersOf(session).catch(() => []));
  return (await Promise.all(asked)).flat();
}

async function foldersOf(session: Session): Promise<readonly string[]> {
  const knowledge: Image['knowledge'] = session.ability('knowledge');
  return (await knowledge?.systemFolders?.()) ?? [];
}
