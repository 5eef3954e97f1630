/** The files below a folder, by their names: links are not followed, not even one that comes meanwhile, and the work is bounded. */
import { opendir } from 'node:fs/promises';
import path from 'node:path';
import { OpenedFolder } from './opened-folder';
import { realPath } from './real-path';

/** Entries that are looked at; nobody waits for more. */
const MOST_ENTRIES = 200_000;

/**
 * Paths relative to `folder`, those above before those below. Ends after `most` entries, folders included; what cannot be
 * read is left out.
 */
export async function* filesBelow(folder: string, most = MOST_ENTRIES): AsyncGenerator<string> {
  const root = realPath(folder);
  const waiting = [''];
  let left = most;
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    const opened = await OpenedFolder.open(path.join(root, below)).catch(() => null);
    if (!opened) continue;
    try {
      for await (const entry of await opendir(opened.at(''))) {
        left -= 1;
        if (left < 0) return;
        const name = path.join(below, entry.name);
        if (entry.isDirectory()) waiting.push(name);
        if (entry.isFile()) yield name;
      }
    } finally {
      await opened.close();
    }
  }
}
