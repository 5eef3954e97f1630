/** The folders of each session in the data folder, which its image may write to. */

import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { SystemFolder } from '../contract/knowledge';
import type { Image } from '../images/image';
import { removeFolder } from '../sandbox/folder-tree';
import { realPath } from '../sandbox/paths';
import type { Session } from './session/session';

export interface FoldersOfSession {
  /** The HOME of the image, for fasls and scratch files. */
  home: string;
  /** Where the image writes its checkpoints; complete ones are moved away. */
  checkpoints: string;
}

export class SessionFolders {
  readonly #root: string;

  /** @param root is used only by this harbor; `tidy` removes leftovers */
  constructor(root: string) {
    // Sandboxes need real paths.
    this.#root = realPath(root);
  }

  /** Removes the folders of all other sessions. */
  async tidy(sessions: ReadonlySet<string>): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    const others = (await readdir(this.#root)).filter((each) => !sessions.has(each));
    for (const each of others) await this.remove(each);
  }

  /** Returns the folder that contains the session's folders. */
  of(session: string): string {
    return path.join(this.#root, session);
  }

  /** Creates the folders of the session if necessary and returns them. */
  async make(session: string): Promise<FoldersOfSession> {
    const folder = this.of(session);
    const folders = { home: path.join(folder, 'home'), checkpoints: path.join(folder, 'checkpoints') };
    await Promise.all(Object.values(folders).map((each) => mkdir(each, { recursive: true, mode: 0o700 })));
    return folders;
  }

  /** Removes the folder. Files still in use remain until `tidy` at the next start. */
  async remove(session: string): Promise<void> {
    await removeFolder(this.of(session)).catch(() => undefined);
  }
}

/** Maximum folders that one image may report: each is looked up on disk. */
const MOST_FOLDERS = 2000;
const LONGEST_PATH = 4096;

/**
 * Returns the source folders of systems that sessions of the project have loaded, as their images report
 * them. A lost image or one without an answer in time reports none.
 */
export async function loadedSystemFolders(
  sessions: readonly Session[],
  project: string,
): Promise<(SystemFolder & { session: string })[]> {
  const pending = sessions
    .filter(({ identity, state }) => identity.project === project && state !== 'lost')
    .map(async (session) => {
      const folders = await foldersOf(session).catch(() => []);
      return folders.map((each) => ({ ...each, session: session.id }));
    });
  return (await Promise.all(pending)).flat();
}

async function foldersOf(session: Session): Promise<readonly SystemFolder[]> {
  const knowledge: Image['knowledge'] = session.ability('knowledge');
  const folders = (await knowledge?.systemFolders?.()) ?? [];
  return folders.filter(({ folder }) => folder.length <= LONGEST_PATH).slice(0, MOST_FOLDERS);
}
