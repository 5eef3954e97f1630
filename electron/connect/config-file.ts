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
import { MovedError, systemCode, withNewParentFolder, withParentFolder } from '../host/opened-folder';

/**
 * The contents of a file. `path` is the target of its symbolic links; `bytes` is null if it does not exist.
 */
export interface Snapshot extends Place {
  bytes: Buffer | null;
  /** Permission bits. */
  mode: number;
  /** Owner of the file, or of the folder that it will be created in. */
  owner: Owner;
  /** The outermost folder that must be created first. */
  missingFolder?: string;
}

/** The path of a file, and whether code of a project may have made it or a folder on the way. */
interface Place {
  path: string;
  /** Below a project: no name on the way is followed as a link, also not one that was replaced meanwhile. */
  isInProject: boolean;
}

/** Configuration files may contain secrets, so a new one is readable by the user only. */
const NEW_FILE_MODE = 0o600;

/**
 * Reads `file`.
 * @param project the project folder that contains the file: no link below it is followed. undefined: a file of
 *   the user, whose links are followed
 * @throws HarborError `config_unreadable` if it is not a readable file
 */
export async function readSnapshot(file: string, project?: string): Promise<Snapshot> {
  try {
    const isInProject = project !== undefined;
    const path = isInProject
      ? join(await realpath(project), relative(resolve(project), resolve(file)))
      : await followLinks(file);
    const place = { path, isInProject };
    const found = await contentsOf(place);
    if (found !== null) return { ...place, ...found };
    const missingFolder = await outermostMissing(dirname(path));
    // Fails if the folder that contains what is missing is a link.
    await atPlace({ path: missingFolder ?? path, isInProject }, false, async () => undefined);
    const { uid, gid } = await stat(dirname(missingFolder ?? path));
    const owner = { uid, gid };
    return { ...place, bytes: null, mode: NEW_FILE_MODE, owner, ...(missingFolder && { missingFolder }) };
  } catch (error) {
    throw fileError(error, 'config_unreadable', 'read', file);
  }
}

/** Returns null if the file does not exist. */
async function contentsOf(
  place: Place,
): Promise<(Pick<Snapshot, 'bytes' | 'mode'> & { owner: Owner }) | null> {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
  const flags = O_RDONLY | O_NONBLOCK | (place.isInProject ? O_NOFOLLOW : 0);
  // Reading a pipe or a device could block forever.
  const handle = await atPlace(place, false, (file) => open(file, flags)).catch(absent);
  if (!handle) return null;
  try {
    const status = await handle.stat();
    if (!status.isFile() && !status.isDirectory())
      throw new HarborError(
        'config_unreadable',
        `${place.path} is not a regular file. Move it away and try again.`,
      );
    const { uid, gid, mode } = status;
    return { bytes: await handle.readFile(), mode: mode & 0o777, owner: { uid, gid } };
  } finally {
    await handle.close();
  }
}

/**
 * Runs `work` with a path to the file. In a project the path goes through the opened folder, so that a link
 * which replaces a name on the way has no effect.
 * @param make whether missing folders are created
 */
async function atPlace<R>(
  { path, isInProject }: Place,
  make: boolean,
  work: (file: string) => Promise<R>,
): Promise<R> {
  if (isInProject) {
    const opening = make ? withNewParentFolder : withParentFolder;
    return opening(path, (folder, name) => work(folder.at(name)));
  }
  if (make) await makeFolders(dirname(path));
  return work(path);
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
      await atPlace(snapshot, false, (file) => access(file, constants.W_OK));
      if ((snapshot.mode & 0o222) === 0) throw Object.assign(new Error('read-only'), { code: 'EACCES' });
    }
    await atPlace(snapshot, true, (file) =>
      writeWhole(file, bytes, snapshot, () => assertUnchanged(snapshot)),
    );
  } catch (error) {
    if (missingFolder) await removeEmptyFolders({ ...snapshot, path: dirname(path) }, missingFolder);
    throw fileError(error, 'config_unwritable', 'written', path);
  }
}

/** Deletes the file, then its empty parent folders up to `outermost`. @throws as `replaceFile` */
export async function deleteFile(snapshot: Snapshot, outermost: string | undefined): Promise<void> {
  try {
    await assertUnchanged(snapshot);
    const { path } = snapshot;
    await atPlace(snapshot, false, (file) => rm(file));
    if (outermost) await removeEmptyFolders({ ...snapshot, path: dirname(path) }, outermost);
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

async function assertUnchanged(snapshot: Snapshot): Promise<void> {
  const now = (await contentsOf(snapshot))?.bytes;
  if (now ? snapshot.bytes?.equals(now) : snapshot.bytes === null) return;
  throw new HarborError(
    'config_unwritable',
    `${snapshot.path} was just changed by another program, so nothing was written. Quit that program and try again.`,
  );
}

async function removeEmptyFolders(folder: Place, outermost: string): Promise<void> {
  const { path } = folder;
  if (relative(outermost, path).startsWith('..')) return;
  const removed = await atPlace(folder, false, (at) => rmdir(at)).then(
    () => true,
    () => false,
  );
  if (removed) await removeEmptyFolders({ ...folder, path: dirname(path) }, outermost);
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

/** Stands for a name on the way that is a link, or was replaced. */
const MOVED = 'moved';

const REMEDIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    EACCES: 'permission denied; change the permissions of the file and its folder',
    EPERM: 'the system does not permit it; unlock the file, or quit the program that uses it',
    EROFS: 'the file system is read-only; make it writable',
    ENOSPC: 'the disk is full; free some space',
    EDQUOT: 'your disk quota is exceeded; free some space',
    EISDIR: 'it is a folder, not a file; move it away',
    ENOTDIR: 'a part of its path is a file or a link, not a folder; move that away',
    EEXIST: 'a part of its path is a file or a link, not a folder; move that away',
    ELOOP:
      'its symbolic links form a loop, or it is a link in a project, where links are not followed; correct them',
    [MOVED]: 'a part of its path is a symbolic link, and in a project links are not followed; correct that',
    EBUSY: 'another program uses it; quit that program',
  }),
);

/** For `catch`: returns undefined for a path that does not exist, rethrows any other error. */
export function absent(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
  return undefined;
}

/** Converts a system error about `path` to a message for the user. Other errors are returned unchanged. */
export function fileError(
  error: unknown,
  code: ErrorCode,
  verb: 'read' | 'written' | 'deleted',
  path: string,
): unknown {
  const system = error instanceof MovedError ? MOVED : systemCode(error);
  if (error instanceof HarborError || system === undefined) return error;
  const remedy = REMEDIES.get(system) ?? `the system reports ${system}; correct that`;
  return new HarborError(code, `${path} cannot be ${verb}: ${remedy} and try again.`);
}
