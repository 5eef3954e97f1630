/** The folder of each session below the data folder: its image's HOME, where fasls and scratch files go. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

export class SessionFolders {
  readonly #root: string;

  /** `root` is used by this harbor alone; what an earlier run left there is removed by `clear`. */
  constructor(root: string) {
    this.#root = root;
  }

  async clear(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Answers the session's home, made if it is not there. */
  async make(session: string): Promise<string> {
    const home = path.join(this.#root, session, 'home');
    await mkdir(home, { recursive: true, mode: 0o700 });
    return home;
  }

  /** What a program still holds is left there, for `clear` at the next start. */
  async remove(session: string): Promise<void> {
    const folder = path.join(this.#root, session);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}
