/** The folders of each session below the data folder, which its image may write to. */
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { realPath } from '../sandbox/real-path';
import { removeFolder } from '../sandbox/removed-folder';

export interface FoldersOfSession {
  /** The image's HOME, where fasls and scratch files go. */
  home: string;
  /** Where the image saves itself; what is finished is taken from there. */
  checkpoints: string;
}

export class SessionFolders {
  readonly #root: string;

  /** `root` is used by this harbor alone; what an earlier run left there is removed by `tidy`. */
  constructor(root: string) {
    // Sandboxes are made of real paths.
    this.#root = realPath(root);
  }

  /** Removes the folders of all sessions but these. */
  async tidy(sessions: ReadonlySet<string>): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    const others = (await readdir(this.#root)).filter((each) => !sessions.has(each));
    for (const each of others) await this.remove(each);
  }

  /** Answers the session's folders, made if they are not there. */
  async make(session: string): Promise<FoldersOfSession> {
    const folder = path.join(this.#root, session);
    const folders = { home: path.join(folder, 'home'), checkpoints: path.join(folder, 'checkpoints') };
    await Promise.all(Object.values(folders).map((each) => mkdir(each, { recursive: true, mode: 0o700 })));
    return folders;
  }

  /** What a program still holds is left there, for `tidy` at the next start. */
  async remove(session: string): Promise<void> {
    await removeFolder(path.join(this.#root, session)).catch(() => undefined);
  }
}
