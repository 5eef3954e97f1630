/**
 * The places that a sandbox is made of, opened before it is: each is what the rules allowed, as its descriptor tells, and
 * while it is open nothing else has its number on the disk. Launchers see to it that they mount, or allow, these very files.
 */
import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { asFailure, HarborError } from '../contract/errors';
import type { Confinement } from './confinement';
import { systemCode } from './file-refusals';
import type { Mount } from './mounts';
import { isWithin } from './project-rules';
import { isLedThrough } from './real-path';

/** Of open(2) on Linux, which Node does not name. */
const O_PATH = 0o10000000;

export interface OpenedPlace {
  /** Its path without links. */
  real: string;
  isFolder: boolean;
  device: bigint;
  inode: bigint;
}

export class OpenedPlaces {
  readonly #descriptors: number[] = [];
  /** By the path that was asked for; null for what is not there. */
  readonly #places = new Map<string, OpenedPlace | null>();

  private constructor() {}

  /** Opens what is mounted, or allowed, of the host. Close it. @throws HarborError `path_not_allowed` where a link has come */
  static open(mounts: readonly Mount[], confinement: Confinement): OpenedPlaces {
    const places = new OpenedPlaces();
    try {
      for (const mount of mounts) if (!mount.kind.startsWith('hide')) places.#open(mount, confinement);
      return places;
    } catch (error) {
      places.close();
      throw error;
    }
  }

  /** What was opened by this path; null for what was not there, undefined for what was not asked for. */
  at(place: string): OpenedPlace | null | undefined {
    return this.#places.get(path.posix.resolve('/', place));
  }

  close(): void {
    for (const descriptor of this.#descriptors.splice(0)) closeSync(descriptor);
  }

  #open(mount: Mount, confinement: Confinement): void {
    const descriptor = openedPath(mount.at);
    if (descriptor === null) {
      this.#places.set(mount.at, null);
      return;
    }
    this.#descriptors.push(descriptor);
    const place = placeOf(descriptor);
    if (!isAllowed(mount, place.real, confinement)) throw movedPlace(mount.at);
    this.#places.set(mount.at, place);
  }
}

/** For people. */
export function movedPlace(at: string): HarborError {
  return new HarborError(
    'path_not_allowed',
    `${at} is not what was allowed: a link, or another file, has come in its place or above it. Try again if somebody has just saved it; if not, find out who put it there.`,
  );
}

/** A descriptor that only stands for the file; null for what is not there, or this user does not reach.
 * @throws HarborError `path_not_allowed`, such as for links that lead in a circle: what is to be closed is not left out */
export function openedPath(at: string): number | null {
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

/** What the descriptor stands for. */
export function placeOf(descriptor: number): OpenedPlace {
  const { dev, ino, mode } = fstatSync(descriptor, { bigint: true });
  const isFolder = (Number(mode) & constants.S_IFMT) === constants.S_IFDIR;
  return { real: readlinkSync(`/proc/self/fd/${descriptor}`), isFolder, device: dev, inode: ino };
}

/**
 * Rules are about real paths. A link counts where code of this image cannot put one: in the way to a library, when what it
 * leads to is allowed by itself, and to what the engine needs, which the harbor has found.
 */
function isAllowed({ at, kind }: Mount, real: string, { writable, readable }: Confinement): boolean {
  if (real === at) return true;
  if (kind === 'write' || isLedThrough(at, writable, 'linux')) return false;
  return kind === 'read' || [...writable, ...readable].some((folder) => isWithin(real, folder, 'linux'));
}
