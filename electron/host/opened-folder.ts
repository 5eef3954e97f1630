/**
 * A folder that stays the one that was checked, even if its name is replaced. On Linux, paths go through its
 * descriptor (`/proc/self/fd/N/name`, in place of openat(2), which Node lacks); on other systems the path is
 * checked again after each step.
 */

import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { type Owner, setOwner } from './file-attributes';
import { system } from './system';

const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;

/** Thrown if a link or another folder replaced the checked one. */
export class MovedError extends Error {
  constructor(at: string) {
    super(`${at} was replaced after it was checked`);
    this.name = 'MovedError';
  }
}

export class OpenedFolder {
  readonly real: string;
  readonly #handle: FileHandle | null;

  private constructor(real: string, handle: FileHandle | null) {
    this.real = real;
    this.#handle = handle;
  }

  /**
   * Opens a folder by its real path. Call `close` when done.
   * @throws MovedError, or the system's error
   */
  static async open(real: string): Promise<OpenedFolder> {
    return OpenedFolder.#openAt(real, real);
  }

  /** @throws MovedError if `name` is a link, or the system's error */
  async folder(name: string): Promise<OpenedFolder> {
    return OpenedFolder.#openAt(this.at(name), path.join(this.real, name));
  }

  /** Returns a path to `name` in this folder; '' means the folder itself. */
  at(name: string): string {
    return this.#handle ? `/proc/self/fd/${this.#handle.fd}/${name}` : path.join(this.real, name);
  }

  /**
   * Opens a file in the folder without following a link and without blocking on a pipe.
   * @throws MovedError, or the system's error
   */
  async file(name: string, flags: number = O_RDONLY, mode?: number): Promise<FileHandle> {
    const handle = await open(this.at(name), flags | O_NOFOLLOW | O_NONBLOCK, mode);
    try {
      await checkPath(handle, path.join(this.real, name));
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Unlinks a file in the folder. */
  async remove(name: string): Promise<void> {
    await unlink(this.at(name));
  }

  async owner(): Promise<Owner> {
    return this.#handle ? this.#handle.stat() : stat(this.real);
  }

  /** Changes the owner of a folder that was just created. */
  async setOwner(owner: Owner): Promise<void> {
    if (this.#handle) await setOwner(owner, this.#handle);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  static async #openAt(at: string, real: string): Promise<OpenedFolder> {
    if (!system.hasProc) {
      if ((await realpath(real)) !== real) throw new MovedError(real);
      return new OpenedFolder(real, null);
    }
    const handle = await open(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    try {
      await checkPath(handle, real);
      return new OpenedFolder(real, handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
}

/** @throws MovedError if the open file is not the one at `real` */
async function checkPath(handle: FileHandle, real: string): Promise<void> {
  const found = system.hasProc ? await readlink(`/proc/self/fd/${handle.fd}`) : await realpath(real);
  if (found !== real) throw new MovedError(real);
}

/**
 * Runs `work` with the parent folder of the real path opened, and closes it.
 * @throws MovedError, or the system's error
 */
export async function withParentFolder<R>(
  real: string,
  work: (folder: OpenedFolder, name: string) => Promise<R>,
): Promise<R> {
  return closingAfter(await OpenedFolder.open(path.dirname(real)), (folder) =>
    work(folder, path.basename(real)),
  );
}

/** Like `withParentFolder`, creating missing folders. */
export async function withNewParentFolder<R>(
  real: string,
  work: (folder: OpenedFolder, name: string) => Promise<R>,
): Promise<R> {
  return closingAfter(await openOrMake(path.dirname(real)), (folder) => work(folder, path.basename(real)));
}

/**
 * Opens the parent folder of the real path; the caller closes it.
 * @param make whether missing folders are created
 * @throws MovedError, or the system's error
 */
export async function openParentFolder(
  real: string,
  make: boolean,
): Promise<{ folder: OpenedFolder; name: string }> {
  const above = path.dirname(real);
  return {
    folder: make ? await openOrMake(above) : await OpenedFolder.open(above),
    name: path.basename(real),
  };
}

/** Runs `work`, then closes the folder. */
export async function closingAfter<R>(
  folder: OpenedFolder,
  work: (folder: OpenedFolder) => Promise<R>,
): Promise<R> {
  try {
    return await work(folder);
  } finally {
    await folder.close();
  }
}

/** Creates each folder inside an open one, so that replaced names lead nowhere else. */
async function openOrMake(real: string): Promise<OpenedFolder> {
  try {
    return await OpenedFolder.open(real);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  const name = path.basename(real);
  return closingAfter(await openOrMake(path.dirname(real)), async (parent) => {
    const made = await mkdir(parent.at(name)).then(
      () => true,
      (error: unknown) => {
        if (systemCode(error) !== 'EEXIST') throw error;
        return false;
      },
    );
    const folder = await parent.folder(name);
    if (made) await folder.setOwner(await parent.owner());
    return folder;
  });
}

/**
 * Runs `work`, and converts system errors to errors about the `requested` path.
 * @throws HarborError
 */
export async function reportingErrors<R>(requested: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw asRefusal(error, requested);
  }
}

/** Our own errors, and errors that callers cannot act on, are passed through. */
function asRefusal(error: unknown, requested: string): unknown {
  if (error instanceof MovedError)
    return new HarborError(
      'path_not_allowed',
      `${requested} was replaced while it was being opened. Try again.`,
    );
  switch (systemCode(error)) {
    case 'ENOENT':
      return new HarborError('file_missing', `${requested} does not exist.`);
    case 'EISDIR':
    case 'ENOTDIR':
    case 'ENXIO':
      return notAFile(requested);
    case 'ELOOP':
      return new HarborError(
        'path_not_allowed',
        `${requested} is a broken link, or was replaced by a link while it was being opened. Name the file itself.`,
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new HarborError('path_not_allowed', `The operating system denies access to ${requested}.`);
    case 'ENOSPC':
    case 'EDQUOT':
      return new HarborError('path_not_allowed', `${requested} cannot be written: the disk is full.`);
    case 'ENAMETOOLONG':
      return new HarborError('bad_arguments', `${requested.slice(0, 200)}… is too long for a path.`);
    default:
      return error;
  }
}

export function notAFile(requested: string): HarborError {
  return new HarborError(
    'not_a_file',
    `${requested} is not a text file: it is a folder, a pipe or a device, or below a file.`,
  );
}

export function notAFolder(requested: string): HarborError {
  return new HarborError('not_a_file', `${requested} is not a folder.`);
}

/** Returns an error code such as ENOENT; undefined if it is not a system error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
