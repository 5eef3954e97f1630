/**
 * Folders that stand in for the person's own: a `/tmp` that only one image sees, a HOME of its session's. Code writes there
 * as anywhere else, and what it wrote is nowhere for whoever looks for it. So what comes into them is told.
 */
import { statSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import path from 'node:path';
import type { PrivateEntries } from './launcher';

/** Names read of one folder: an image can make a great many. */
const MOST_NAMES = 2_000;

/** A folder as the image calls it, how long it lasts, and where this host finds it; null when it is gone. */
export interface PrivateFolder extends Pick<PrivateEntries, 'folder' | 'lasts'> {
  find(): Promise<string | null>;
}

export class PrivateFolders {
  readonly #folders: WatchedFolder[];

  constructor(folders: readonly PrivateFolder[]) {
    this.#folders = folders.map((folder) => new WatchedFolder(folder));
  }

  /** What has come since this was asked before; the first time nothing. Never rejects. */
  async news(): Promise<PrivateEntries[]> {
    const news = await Promise.all(this.#folders.map((folder) => folder.news().catch(() => [])));
    return news.flat();
  }
}

/** Its entries are read only when its own figures have changed, which costs one look. */
class WatchedFolder {
  readonly #folder: PrivateFolder;
  #figures = '';
  #names: ReadonlySet<string> | null = null;

  constructor(folder: PrivateFolder) {
    this.#folder = folder;
  }

  async news(): Promise<PrivateEntries[]> {
    const at = await this.#folder.find();
    if (at === null) return [];
    // A few microseconds here, where a thread that does it would take a tenth of an evaluation to hear of it and answer.
    const { mtimeNs, size } = statSync(at, { bigint: true });
    const figures = `${mtimeNs} ${size}`;
    if (figures === this.#figures) return [];
    const known = this.#names;
    const names = await visibleNames(at);
    this.#figures = figures;
    this.#names = new Set(names);
    const { folder, lasts } = this.#folder;
    const come = known === null ? [] : names.filter((name) => !known.has(name));
    return come.length === 0 ? [] : [{ folder, lasts, paths: come.map((name) => path.join(folder, name)) }];
  }
}

/** Without what programs keep for themselves. */
async function visibleNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder)) {
    if (!name.startsWith('.')) names.push(name);
    if (names.length >= MOST_NAMES) break;
  }
  return names;
}
