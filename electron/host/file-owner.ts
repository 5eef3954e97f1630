/**
 * Whose a file is. Root that writes among somebody's files leaves them theirs, and gives them the new ones: they could not
 * write or remove those otherwise. What is given is open, because a name may lead elsewhere by now.
 */
import { constants } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';

export interface Owner {
  uid: number;
  gid: number;
}

/** What is open, and can be given away: the chown of its descriptor. */
interface Given<Done> {
  chown(uid: number, gid: number): Done;
}

/** Only root can; anybody else's file is theirs already. */
export function giveTo<Done>({ uid, gid }: Owner, given: Given<Done>): Done | undefined {
  return process.getuid?.() === 0 ? given.chown(uid, gid) : undefined;
}

/** Makes a folder and all above it that are missing, for whom that belongs in which they are made. @throws the system's error */
export async function makeFolders(folder: string, mode?: number): Promise<void> {
  const outermost = await mkdir(folder, { recursive: true, mode });
  if (outermost === undefined || process.getuid?.() !== 0) return;
  const owner = await stat(path.dirname(outermost));
  for (let each = path.resolve(folder); each.length >= outermost.length; each = path.dirname(each))
    await giveFolder(owner, each);
}

/** @throws the system's error, also where a link has come in its place */
async function giveFolder(owner: Owner, folder: string): Promise<void> {
  const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    await giveTo(owner, handle);
  } finally {
    await handle.close();
  }
}
