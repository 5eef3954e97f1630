/**
 * Removes a folder in which code may write, and whose programs may run still: what is removed lies in that very folder,
 * whatever link takes the place of one in it meanwhile.
 */
import { randomUUID } from 'node:crypto';
import { opendir, rename, rmdir, unlink } from 'node:fs/promises';
import { systemCode } from './file-refusals';
import type { OpenedFolder } from './opened-folder';
import { closing, inFolderOf } from './opened-path';

/** Nothing happens where there is none. @throws MovedError, or the system's error, when some of it stays
 * @param real its real path */
export async function removeFolder(real: string): Promise<void> {
  try {
    await inFolderOf(real, async (parent, name) => {
      await closing(await parent.folder(name), emptied);
      await rmdir(parent.at(name));
    });
  } catch (error) {
    unlessGone(error);
  }
}

function unlessGone(error: unknown): void {
  if (systemCode(error) !== 'ENOENT') throw error;
}

/** Folders further below come to the top one by one, so that none is too deep. */
async function emptied(top: OpenedFolder): Promise<void> {
  const waiting = await clearedOut(top, top);
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const below = await closing(await top.folder(name), (folder) => clearedOut(folder, top));
    await rmdir(top.at(name));
    waiting.push(...below);
  }
}

/** Removes its files, and moves its folders to the top. Answers their names there. */
async function clearedOut(folder: OpenedFolder, top: OpenedFolder): Promise<string[]> {
  const folders: string[] = [];
  for await (const entry of await opendir(folder.at(''))) {
    // Not rm(): that empties the folder which has come where the file was, by its name.
    if (!entry.isDirectory()) await unlink(folder.at(entry.name)).catch(unlessGone);
    else if (folder === top) folders.push(entry.name);
    else {
      const name = randomUUID();
      await rename(folder.at(entry.name), top.at(name));
      folders.push(name);
    }
  }
  return folders;
}
