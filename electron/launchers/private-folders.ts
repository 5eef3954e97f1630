/**
 * Watches folders that replace the user's own: a `/tmp` that only one image sees, and a HOME of its session.
 * Code writes there successfully, but the user would not find the files, so new entries are reported.
 */
import { statSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import path from 'node:path';
import type { PrivateEntries } from './launcher';

/** Maximum number of names to read of one folder. */
const MOST_NAMES = 2_000;

/** A folder as the image names it, its lifetime, and its path on the host; null if it is gone. */
export interface PrivateFolder extends Pick<PrivateEntries, 'folder' | 'lasts'> {
  find(): Promise<string | null>;
}

export class PrivateFolders {
  readonly #folders: WatchedFolder[];

  constructor(folders: readonly PrivateFolder[]) {
    this.#folders = folders.map((folder) => new WatchedFolder(folder));
  }

  /** Returns entries that appeared since the last call; none on the first call. Never rejects. */
  async newEntries(): Promise<PrivateEntries[]> {
    const newEntries = await Promise.all(this.#folders.map((folder) => folder.newEntries().catch(() => [])));
    return newEntries.flat();
  }
}

/** Reads the entries only if the time of the folder's last change, or its size, differs. */
class WatchedFolder {
  readonly #folder: PrivateFolder;
  #figures = '';
  #names: ReadonlySet<string> | null = null;

  constructor(folder: PrivateFolder) {
    this.#folder = folder;
  }

  async newEntries(): Promise<PrivateEntries[]> {
    const at = await this.#folder.find();
    if (at === null) return [];
    // Synchronous: takes a few microseconds; a thread would take a tenth of an evaluation.
    const { ctimeMs, size } = statSync(at);
    const figures = `${ctimeMs} ${size}`;
    if (figures === this.#figures) return [];
    const known = this.#names;
    const names = await visibleNames(at);
    this.#figures = figures;
    this.#names = new Set(names);
    const { folder, lasts } = this.#folder;
    const added = known === null ? [] : names.filter((name) => !known.has(name));
    return added.length === 0 ? [] : [{ folder, lasts, paths: added.map((name) => path.join(folder, name)) }];
  }
}

/** Names without a leading dot. */
async function visibleNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder)) {
    if (!name.startsWith('.')) names.push(name);
    if (names.length >= MOST_NAMES) break;
  }
  return names;
}
