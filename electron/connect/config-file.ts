/**
 * Configuration files of other programs as bytes. A file is read once, and replaced or deleted only if it is
 * unchanged since.
 */

import { randomBytes } from 'node:crypto';
import {
  access,
  constants,
  lstat,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type ErrorCode, HarborError } from '../contract/errors';
import { makeFolders, type Owner, setOwner } from '../host/file-attributes';

/**
 * The contents of a file. `path` is the target of its symbolic links; `bytes` is null if it does not exist.
 */
export interface Snapshot {
  path: string;
  bytes: Buffer | null;
  /** Permission bits. */
  mode: number;
  /** Owner of the file, or of the folder that it will be created in. */
  owner: Owner;
  /** The outermost folder that must be created first. */
  missingFolder?: string;
}

/** Configuration files may contain secrets, so a new one is readable by the user only. */
const NEW_FILE_MODE = 0o600;

/** Reads `file`. @throws HarborError `config_unreadable` if it is not a readable file */
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
    // Reading a pipe or a device could block forever.
    if (!status.isFile() && !status.isDirectory()) {
      throw new HarborError(
        'config_unreadable',
        `${file} is not a regular file. Move it away and try again.`,
      );
    }
    const { uid, gid } = status;
    return { path, bytes: await readFile(path), mode: status.mode & 0o777, owner: { uid, gid } };
  } catch (error) {
    throw fileError(error, 'config_unreadable', 'read', file);
  }
}

/**
 * Replaces the file and creates missing folders. @throws HarborError `config_unwritable` if that fails or the
 * file changed since the snapshot; then nothing is written
 */
export async function replaceFile(snapshot: Snapshot, bytes: Buffer): Promise<void> {
  const { path, missingFolder } = snapshot;
  try {
    // A rename needs only the folder’s permission. A file that its owner made read-only must not be replaced,
    // not even by root.
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

/** Deletes the file, then its empty parent folders up to `outermost`. @throws as `replaceFile` */
export async function deleteFile(snapshot: Snapshot, outermost: string | undefined): Promise<void> {
  try {
    await assertUnchanged(snapshot);
    await rm(snapshot.path);
    if (outermost) await removeEmptyFolders(dirname(snapshot.path), outermost);
  } catch (error) {
    throw fileError(error, 'config_unwritable', 'deleted', snapshot.path);
  }
}

/** Resolves symbolic links. Unlike realpath, it works if the target does not exist. */
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
    `${path} was just changed by another program, so nothing was written. Quit that program and try again.`,
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

interface Rights {
  mode: number;
  owner: Owner;
}

/**
 * Writes a file atomically, also across a power failure, with these permission bits and this owner.
 * `beforeReplacing` runs when only the rename is left; if it throws, the file is unchanged. @throws the
 * system’s errors, without leaving a draft
 */
export async function writeWhole(
  path: string,
  bytes: Buffer,
  rights: Rights,
  beforeReplacing?: () => Promise<void>,
): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeThrough(draft, bytes, rights);
    await beforeReplacing?.();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Flushes the bytes to the disk before the rename. Otherwise a power failure could leave an empty file. */
async function writeThrough(file: string, bytes: Buffer, { mode, owner }: Rights): Promise<void> {
  const handle = await open(file, 'wx', mode);
  try {
    await handle.writeFile(bytes);
    // The process’s umask may have removed bits when the file was created.
    await setOwner(owner, handle);
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const REMEDIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    EACCES: 'permission denied; change the permissions of the file and its folder',
    EPERM: 'the system does not permit it; unlock the file, or quit the program that uses it',
    EROFS: 'the file system is read-only; make it writable',
    ENOSPC: 'the disk is full; free some space',
    EDQUOT: 'your disk quota is exceeded; free some space',
    EISDIR: 'it is a folder, not a file; move it away',
    ENOTDIR: 'a part of its path is a file, not a folder; move that file away',
    EEXIST: 'a part of its path is a file, not a folder; move that file away',
    ELOOP: 'its symbolic links form a loop; correct them',
    EBUSY: 'another program uses it; quit that program',
  }),
);

/** For `catch`: returns undefined for a path that does not exist, rethrows any other error. */
export function absent(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
  return undefined;
}

/** Returns the code of a system error (`ENOENT`, …), or undefined. */
function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Converts a system error about `path` to a message for the user. Other errors are returned unchanged. */
export function fileError(
  error: unknown,
  code: ErrorCode,
  verb: 'read' | 'written' | 'deleted',
  path: string,
): unknown {
  const system = systemCode(error);
  if (error instanceof HarborError || system === undefined) return error;
  const remedy = REMEDIES.get(system) ?? `the system reports ${system}; correct that`;
  return new HarborError(code, `${path} cannot be ${verb}: ${remedy} and try again.`);
}
