/**
 * A folder that stays the one that was checked, whatever is put in its place meanwhile. On Linux its descriptor is the
 * way to what is in it (`/proc/self/fd/N/name`, which is what openat(2) is for); elsewhere its path is, and is checked
 * once more after each step.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { giveTo, type Owner } from '../host/file-owner';

const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
const HAS_PROC = process.platform === 'linux';

/** A link, or another folder, has come where the checked one was. */
export class MovedError extends Error {
  constructor(at: string) {
    super(`${at} is no longer what was checked`);
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

  /** Opens a folder by its real path. Close it.
   * @throws MovedError, or the system's error */
  static async open(real: string): Promise<OpenedFolder> {
    return OpenedFolder.#openAt(real, real);
  }

  /** @throws MovedError when `name` is a link, or the system's error */
  async folder(name: string): Promise<OpenedFolder> {
    return OpenedFolder.#openAt(this.at(name), path.join(this.real, name));
  }

  /** A path by which `name` in this very folder is reached; '' for the folder itself. */
  at(name: string): string {
    return this.#handle ? `/proc/self/fd/${this.#handle.fd}/${name}` : path.join(this.real, name);
  }

  /** Opens what is in it without following a link, and without waiting for the other end of a pipe.
   * @throws MovedError, or the system's error */
  async file(name: string, flags: number = O_RDONLY, mode?: number): Promise<FileHandle> {
    const handle = await open(this.at(name), flags | O_NOFOLLOW | O_NONBLOCK, mode);
    try {
      await checkPlace(handle, path.join(this.real, name));
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Takes the name of a file in it away. */
  async remove(name: string): Promise<void> {
    await unlink(this.at(name));
  }

  async owner(): Promise<Owner> {
    return this.#handle ? this.#handle.stat() : stat(this.real);
  }

  /** For a folder that was just made. */
  async giveTo(owner: Owner): Promise<void> {
    if (this.#handle) await giveTo(owner, this.#handle);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  static async #openAt(at: string, real: string): Promise<OpenedFolder> {
    if (!HAS_PROC) {
      if ((await realpath(real)) !== real) throw new MovedError(real);
      return new OpenedFolder(real, null);
    }
    const handle = await open(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    try {
      await checkPlace(handle, real);
      return new OpenedFolder(real, handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
}

/** @throws MovedError unless what is open is what lies at `real` */
async function checkPlace(handle: FileHandle, real: string): Promise<void> {
  const found = HAS_PROC ? await readlink(`/proc/self/fd/${handle.fd}`) : await realpath(real);
  if (found !== real) throw new MovedError(real);
}
