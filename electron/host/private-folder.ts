/** Makes folders that only their owner may open. */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes the folder and those above it that are missing; one that is there stays as it is. Node's own recursive mkdir
 * never returns in file systems such as /proc that answer ENOENT for a new folder.
 * @throws Error of the file system
 */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = path.dirname(folder);
  if (above !== folder) makePrivateFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it just now.
    if (!existsSync(folder)) throw error;
  }
}
