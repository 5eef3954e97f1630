/** Another program's file as bytes: read once, and replaced or deleted only while it is still what was read. */
import { access, constants, lstat, readFile, readlink, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { HarborError } from '../contract/errors';
import { makeFolders, type Owner } from '../host/file-owner';
import { absent, fileError } from './file-errors';
import { writeWhole } from './write-whole';

/** A file as it was read. `path` is where its symbolic links lead; `bytes` is null when there was none. */
export interface Snapshot {
  path: string;
  bytes: Buffer | null;
  /** Permission bits. */
  mode: number;
  /** Whose the file is, or the folder in which it will be. */
  owner: Owner;
  /** The outermost of the folders that must be made before the file can be written. */
  missingFolder?: string;
}

/** Such files come to hold secrets: one that we create is for the user alone. */
const NEW_FILE_MODE = 0o600;

/** Reads `file`. HarborError `config_unreadable` when there is something else than a readable file. */
export async function readSnapshot(file: string): Promise<Snapshot> {
  try {
    const path = await followLinks(file);
    const status = await stat(path).catch(absent);
    if (!status) {
      const missingFolder = await outermostMissing(dirname(path));
      const { uid, gid } = await stat(dirname(missingFolder ?? path));
      const owner = { uid, gid };
      return { path, bytes: null, mode: NEW_FILE_MODE, owner, ...(missingFolder && { missingFolder }) };
    }
    // Reading a pipe or a device could wait without end.
    if (!status.isFile() && !status.isDirectory()) {
      throw new HarborError(
        'config_unreadable',
        `${file} is not an ordinary file. Move it away and try again.`,
      );
    }
    const { uid, gid } = status;
    return { path, bytes: await readFile(path), mode: status.mode & 0o777, owner: { uid, gid } };
  } catch (error) {
    throw fileError(error, 'config_unreadable', 'read', file);
  }
}

/**
 * Replaces the file and makes missing folders. HarborError `config_unwritable` when that cannot be, or when the
 * file has changed since the snapshot: then nothing is written.
 */
export async function replaceFile(snapshot: Snapshot, bytes: Buffer): Promise<void> {
  const { path, missingFolder } = snapshot;
  try {
    // A rename needs the folder's permission only; a file that its owner made read-only is meant to stay, also for root.
    if (snapshot.bytes) {
      await access(path, constants.W_OK);
      if ((snapshot.mode & 0o222) === 0) throw Object.assign(new Error('read-only'), { code: 'EACCES' });
    }
    await makeFolders(dirname(path));
    await writeWhole(path, bytes, snapshot, () => assertUnchanged(snapshot));
  } catch (error) {
    if (missingFolder) await removeEmptyFolders(dirname(path), missingFolder);
    throw fileError(error, 'config_unwritable', 'written', path);
  }
}

/** Deletes the file, then its folders up to `outermost` as far as they are empty. Refuses like `replaceFile`. */
export async function deleteFile(snapshot: Snapshot, outermost: string | undefined): Promise<void> {
  try {
    await assertUnchanged(snapshot);
    await rm(snapshot.path);
    if (outermost) await removeEmptyFolders(dirname(snapshot.path), outermost);
  } catch (error) {
    throw fileError(error, 'config_unwritable', 'deleted', snapshot.path);
  }
}

/** Unlike realpath, it also answers for a link whose target does not exist yet. */
async function followLinks(file: string): Promise<string> {
  const real = await realpath(file).catch(absent);
  if (real) return real;
  const link = await lstat(file).catch(absent);
  if (!link?.isSymbolicLink()) return file;
  return followLinks(resolve(await realpath(dirname(file)), await readlink(file)));
}

async function outermostMissing(folder: string): Promise<string | undefined> {
  if (await stat(folder).catch(absent)) return undefined;
  return (await outermostMissing(dirname(folder))) ?? folder;
}

async function assertUnchanged({ path, bytes }: Snapshot): Promise<void> {
  const now = await readFile(path).catch(absent);
  if (now ? bytes?.equals(now) : bytes === null) return;
  throw new HarborError(
    'config_unwritable',
    `${path} was changed by another program just now, so nothing was written. Quit that program and try again.`,
  );
}

async function removeEmptyFolders(folder: string, outermost: string): Promise<void> {
  if (relative(outermost, folder).startsWith('..')) return;
  const removed = await rmdir(folder).then(
    () => true,
    () => false,
  );
  if (removed) await removeEmptyFolders(dirname(folder), outermost);
}
