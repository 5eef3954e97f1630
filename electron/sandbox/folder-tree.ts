/**
 * Creates and removes whole folders. Both work on opened descriptors, so a link that replaces a folder
 * meanwhile has no effect.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, opendir, rename, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { setOwner } from '../host/file-attributes';
import { closingAfter, type OpenedFolder, systemCode, withParentFolder } from '../host/opened-folder';

/** Contents by path within the folder, with `/` as separator. */
export type NewFiles = ReadonlyMap<string, Uint8Array>;

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/**
 * Creates the folder `name` with its files in `parent` atomically; never overwrites anything.
 * @throws HarborError `file_exists` if the name exists, or the system's error
 */
export async function createFolder(parent: OpenedFolder, name: string, files: NewFiles): Promise<void> {
  await requireFree(parent, name);
  const draft = `.${name.slice(0, 100)}.${randomBytes(6).toString('hex')}.draft`;
  try {
    await closingAfter(await makeFolder(parent, draft), async (folder) => {
      for (const [file, bytes] of files) await writeNewFile(folder, file.split('/'), bytes);
    });
    // At most this replaces an empty folder that was created meanwhile.
    await rename(parent.at(draft), parent.at(name));
  } catch (error) {
    await removeFolder(path.join(parent.real, draft)).catch(() => undefined);
    throw TARGET_EXISTS.has(systemCode(error)) ? nameTaken(parent, name) : error;
  }
}

async function requireFree(parent: OpenedFolder, name: string): Promise<void> {
  const found = await lstat(parent.at(name)).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
    return null;
  });
  if (found !== null) throw nameTaken(parent, name);
}

/** Error codes of rename(2) if the target exists. */
const TARGET_EXISTS: ReadonlySet<string | undefined> = new Set(['EEXIST', 'ENOTEMPTY', 'ENOTDIR']);

function nameTaken({ real }: OpenedFolder, name: string): HarborError {
  return new HarborError(
    'file_exists',
    `${path.join(real, name)} already exists and is not overwritten: choose another name.`,
  );
}

async function makeFolder(parent: OpenedFolder, name: string): Promise<OpenedFolder> {
  await mkdir(parent.at(name));
  const made = await parent.folder(name);
  await made.setOwner(await parent.owner());
  return made;
}

async function writeNewFile(
  folder: OpenedFolder,
  steps: readonly string[],
  bytes: Uint8Array,
): Promise<void> {
  const [first = '', ...rest] = steps;
  if (rest.length > 0) {
    const below = await makeFolder(folder, first).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
      return folder.folder(first);
    });
    return closingAfter(below, (inside) => writeNewFile(inside, rest, bytes));
  }
  const handle = await folder.file(first, NEW_FILE);
  try {
    await handle.writeFile(bytes);
    await setOwner(await folder.owner(), handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Removes a folder that running sandboxed code may still write to. Does nothing if it does not exist.
 * @param real its real path
 * @throws MovedError, or the system's error if part of it remains
 */
export async function removeFolder(real: string): Promise<void> {
  try {
    await withParentFolder(real, async (parent, name) => {
      await closingAfter(await parent.folder(name), emptyFolder);
      await rmdir(parent.at(name));
    });
  } catch (error) {
    ignoreMissing(error);
  }
}

function ignoreMissing(error: unknown): void {
  if (systemCode(error) !== 'ENOENT') throw error;
}

/** Empties the folder. Nested folders are first moved to the top, so that depth does not matter. */
async function emptyFolder(top: OpenedFolder): Promise<void> {
  const waiting = await clearFolder(top, top);
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const below = await closingAfter(await top.folder(name), (folder) => clearFolder(folder, top));
    await rmdir(top.at(name));
    waiting.push(...below);
  }
}

/** Removes the files of `folder`, and moves its subfolders to the top. Returns their names there. */
async function clearFolder(folder: OpenedFolder, top: OpenedFolder): Promise<string[]> {
  const folders: string[] = [];
  for await (const entry of await opendir(folder.at(''))) {
    // Not rm(): it works by name and would empty a folder that replaced the file.
    if (!entry.isDirectory()) await unlink(folder.at(entry.name)).catch(ignoreMissing);
    else if (folder === top) folders.push(entry.name);
    else {
      const name = randomUUID();
      await rename(folder.at(entry.name), top.at(name));
      folders.push(name);
    }
  }
  return folders;
}
