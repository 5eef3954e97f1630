/**
 * Opens the source paths of a sandbox before it is built. The descriptor shows whether the file is what the
 * rules allowed, and keeps its inode number from being reused. Launchers then verify that exactly these files
 * are mounted or allowed.
 */

import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { asFailure, HarborError } from '../contract/errors';
import { systemCode } from '../host/opened-folder';
import type { Mount } from './bubblewrap-arguments';
import type { Confinement } from './confinement';
import { isWithin, passesLinkIn } from './paths';

/** The O_PATH flag of open(2) on Linux, missing in Node's constants. */
const O_PATH = 0o10000000;

export interface MountSource {
  /** Its path with links resolved. */
  real: string;
  isFolder: boolean;
  device: bigint;
  inode: bigint;
}

export class MountSources {
  readonly #descriptors: number[] = [];
  /** By requested path; null if it does not exist. */
  readonly #sources = new Map<string, MountSource | null>();

  private constructor() {}

  /**
   * Opens the host paths that are mounted or allowed. Call `close` when done. @throws HarborError
   * `path_not_allowed` if a link replaced one
   */
  static open(mounts: readonly Mount[], confinement: Confinement): MountSources {
    const sources = new MountSources();
    try {
      for (const mount of mounts) if (!mount.kind.startsWith('hide')) sources.#open(mount, confinement);
      return sources;
    } catch (error) {
      sources.close();
      throw error;
    }
  }

  /** Returns what was opened for this path; null if it did not exist, undefined if it was not requested. */
  at(source: string): MountSource | null | undefined {
    return this.#sources.get(path.posix.resolve('/', source));
  }

  close(): void {
    for (const descriptor of this.#descriptors.splice(0)) closeSync(descriptor);
  }

  #open(mount: Mount, confinement: Confinement): void {
    const descriptor = openPathOnly(mount.at);
    if (descriptor === null) {
      this.#sources.set(mount.at, null);
      return;
    }
    this.#descriptors.push(descriptor);
    const source = describeSource(descriptor);
    if (!isAllowed(mount, source.real, confinement)) throw replacedPath(mount.at);
    this.#sources.set(mount.at, source);
  }
}

/** Returns the error for a path that was replaced. */
export function replacedPath(at: string): HarborError {
  return new HarborError(
    'path_not_allowed',
    `${at} is not what was allowed: it, or a folder above it, was replaced by a link or another file. Try again if it was just saved; otherwise find out what replaced it.`,
  );
}

/**
 * Opens a path with O_PATH, without access to its content; null if it does not exist or is not reachable for
 * this user.
 * @throws HarborError `path_not_allowed` for other errors such as a cycle of links, because skipping the path
 *   could leave it open
 */
export function openPathOnly(at: string): number | null {
  try {
    return openSync(at, O_PATH);
  } catch (error) {
    const code = systemCode(error);
    if (code !== undefined && ['ENOENT', 'ENOTDIR', 'EACCES'].includes(code)) return null;
    throw new HarborError(
      'path_not_allowed',
      `${at} cannot be opened for the sandbox: ${asFailure(error).message}.`,
    );
  }
}

/** Describes the file behind the descriptor. */
function describeSource(descriptor: number): MountSource {
  const { dev, ino, mode } = fstatSync(descriptor, { bigint: true });
  const isFolder = (Number(mode) & constants.S_IFMT) === constants.S_IFDIR;
  return { real: readlinkSync(`/proc/self/fd/${descriptor}`), isFolder, device: dev, inode: ino };
}

/**
 * Rules apply to real paths. A link is accepted only if code in the image cannot create it: on the way to a
 * library whose target is itself allowed, and to paths the engine needs, which the app located itself.
 */
function isAllowed({ at, kind }: Mount, real: string, { writable, readable }: Confinement): boolean {
  if (real === at) return true;
  if (kind === 'write' || passesLinkIn(at, writable, 'linux')) return false;
  return kind === 'read' || [...writable, ...readable].some((folder) => isWithin(real, folder, 'linux'));
}
