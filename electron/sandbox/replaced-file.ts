/** Puts a whole file in place, at once or not at all: readers see what was there, or what is there now. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, rename, unlink } from 'node:fs/promises';
import { giveTo, type Owner } from '../host/file-owner';
import { systemCode } from './file-refusals';
import type { OpenedFolder } from './opened-folder';

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** What stays of a file that is replaced. */
export interface Replaced {
  /** Its permissions. */
  mode: number;
  owner: Owner;
}

/**
 * Writes `name`, which other names of the same file (hard links) then are no longer.
 * @param current the file that is replaced; null for a new one, which must not be there
 * @throws the system's error; EEXIST for a new file whose name is taken
 */
export async function putFile(
  folder: OpenedFolder,
  name: string,
  bytes: Uint8Array,
  current: Replaced | null,
): Promise<void> {
  const draft = `.${name.slice(0, 100)}.${randomBytes(6).toString('hex')}.draft`;
  await writeDraft(folder, draft, bytes, current);
  try {
    if (current === null) await nameAnew(folder, draft, name);
    else await rename(folder.at(draft), folder.at(name));
  } finally {
    await unlink(folder.at(draft)).catch(() => undefined);
  }
}

async function writeDraft(
  folder: OpenedFolder,
  draft: string,
  bytes: Uint8Array,
  current: Replaced | null,
): Promise<void> {
  const handle = await folder.file(draft, NEW_FILE);
  try {
    await handle.writeFile(bytes);
    await giveTo(current?.owner ?? (await folder.owner()), handle);
    // After that, which takes bits away.
    if (current) await handle.chmod(current.mode);
    await handle.sync();
  } catch (error) {
    await unlink(folder.at(draft)).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

/** A link never replaces what is there, which a rename would. */
async function nameAnew(folder: OpenedFolder, draft: string, name: string): Promise<void> {
  try {
    await link(folder.at(draft), folder.at(name));
  } catch (error) {
    // Some file systems, such as FAT, know no hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error;
    const taken = await folder.file(name, NEW_FILE);
    await taken.close();
    await rename(folder.at(draft), folder.at(name));
  }
}
