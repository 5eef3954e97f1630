/**
 * Owner and state of files. When root writes among files of another user, existing files keep their owner,
 * and new ones get it, so that the user can still write and remove them. Ownership is changed through an open
 * descriptor, because the name may point elsewhere meanwhile.
 */

import { constants, statSync } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';

export interface Owner {
  uid: number;
  gid: number;
}

/** An open file whose owner can be changed. */
interface OwnedFile<Done> {
  chown(uid: number, gid: number): Done;
}

/** Changes the owner if this process runs as root; does nothing otherwise. */
export function setOwner<Done>({ uid, gid }: Owner, file: OwnedFile<Done>): Done | undefined {
  return process.getuid?.() === 0 ? file.chown(uid, gid) : undefined;
}

/**
 * Creates a folder and its missing parents, owned by the owner of the folder that contains them. @throws the
 * system’s error
 */
export async function makeFolders(folder: string, mode?: number): Promise<void> {
  const outermost = await mkdir(folder, { recursive: true, mode });
  if (outermost === undefined || process.getuid?.() !== 0) return;
  const owner = await stat(path.dirname(outermost));
  for (let each = path.resolve(folder); each.length >= outermost.length; each = path.dirname(each))
    await setFolderOwner(owner, each);
}

/** @throws the system’s error, also if the folder was replaced by a link */
async function setFolderOwner(owner: Owner, folder: string): Promise<void> {
  const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    await setOwner(owner, handle);
  } finally {
    await handle.close();
  }
}

/**
 * Returns a string that changes when the file changes, or when the names in a folder do. It is the same for
 * all files that are missing or not readable.
 */
export function fileState(file: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file);
    return [ino, size, mtimeMs, ctimeMs].join(' ');
  } catch {
    return 'nothing';
  }
}
