/** Makes a folder with all its files, at once or not at all: nobody sees it half made, and nothing that is there is touched. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { giveTo } from '../host/file-owner';
import { systemCode } from './file-refusals';
import type { OpenedFolder } from './opened-folder';
import { closing } from './opened-path';
import { removeFolder } from './removed-folder';

/** Bytes by paths within the folder, with `/` between folders. */
export type NewFiles = ReadonlyMap<string, Uint8Array>;

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/**
 * Makes `name` in `parent`.
 * @throws HarborError `file_exists` where anything has that name, or the system's error
 */
export async function putFolder(parent: OpenedFolder, name: string, files: NewFiles): Promise<void> {
  await requireFree(parent, name);
  const draft = `.${name.slice(0, 100)}.${randomBytes(6).toString('hex')}.draft`;
  try {
    await closing(await madeIn(parent, draft), async (folder) => {
      for (const [file, bytes] of files) await putNew(folder, file.split('/'), bytes);
    });
    // Of what has come meanwhile, this replaces an empty folder at most.
    await rename(parent.at(draft), parent.at(name));
  } catch (error) {
    await removeFolder(path.join(parent.real, draft)).catch(() => undefined);
    throw TAKEN.has(systemCode(error)) ? taken(parent, name) : error;
  }
}

async function requireFree(parent: OpenedFolder, name: string): Promise<void> {
  const found = await lstat(parent.at(name)).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
    return null;
  });
  if (found !== null) throw taken(parent, name);
}

/** How a folder cannot be put in the place of what has come there. */
const TAKEN: ReadonlySet<string | undefined> = new Set(['EEXIST', 'ENOTEMPTY', 'ENOTDIR']);

function taken({ real }: OpenedFolder, name: string): HarborError {
  return new HarborError(
    'file_exists',
    `${path.join(real, name)} is there already, and nothing is overwritten: choose another name.`,
  );
}

async function madeIn(parent: OpenedFolder, name: string): Promise<OpenedFolder> {
  await mkdir(parent.at(name));
  const made = await parent.folder(name);
  await made.giveTo(await parent.owner());
  return made;
}

async function putNew(folder: OpenedFolder, steps: readonly string[], bytes: Uint8Array): Promise<void> {
  const [first = '', ...rest] = steps;
  if (rest.length > 0) {
    const below = await madeIn(folder, first).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
      return folder.folder(first);
    });
    return closing(below, (inside) => putNew(inside, rest, bytes));
  }
  const handle = await folder.file(first, NEW_FILE);
  try {
    await handle.writeFile(bytes);
    await giveTo(await folder.owner(), handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
