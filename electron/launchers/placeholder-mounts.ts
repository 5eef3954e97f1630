/**
 * Empty folders at protected paths that do not exist, while images run. A sandbox can only cover existing
 * paths, and code could otherwise create files there that programs outside the sandbox execute. Created and
 * removed through a descriptor of the allowed folder, so a replaced name has no effect.
 */

import { closeSync, mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { describeSource, openPathOnly } from '../sandbox/mount-sources';
import { systemCode } from '../host/opened-folder';

/** A placeholder for one image. */
interface Placeholder {
  /** Descriptor of the parent folder. */
  descriptor: number;
  /** Path of the placeholder through that descriptor. */
  at: string;
  /** Equal for all images that share the placeholder. */
  key: string;
}

export class PlaceholderMounts {
  /** Number of images per key. */
  readonly #counts = new Map<string, number>();

  /**
   * Creates a folder at each free path. @returns a function that releases them; the last release removes a
   * folder that is still empty
   */
  acquire(paths: readonly string[]): () => void {
    const all = paths.map(placeholderAt).filter((each) => each !== null);
    for (const { at, key } of all) {
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
      unless(['EEXIST', ...IMPOSSIBLE], () => mkdirSync(at));
    }
    return () => {
      for (const each of all.splice(0)) this.#release(each);
    };
  }

  /** Also removes an empty placeholder left over from a crashed instance. */
  #release({ at, key, descriptor }: Placeholder): void {
    const others = (this.#counts.get(key) ?? 1) - 1;
    if (others > 0) this.#counts.set(key, others);
    else {
      this.#counts.delete(key);
      unless(['ENOTEMPTY', 'EEXIST', 'EBUSY', ...IMPOSSIBLE], () => rmdirSync(at));
    }
    closeSync(descriptor);
  }
}

/** Returns null if the parent folder is gone or was replaced by a link; no image is started there then. */
function placeholderAt(target: string): Placeholder | null {
  const folder = path.dirname(target);
  const descriptor = openPathOnly(folder);
  if (descriptor === null) return null;
  const { real, device, inode } = describeSource(descriptor);
  if (real === folder) {
    const name = path.basename(target);
    return { descriptor, at: `/proc/self/fd/${descriptor}/${name}`, key: `${device} ${inode} ${name}` };
  }
  closeSync(descriptor);
  return null;
}

/**
 * Errors at which code in an image could not create the folder either (while the disk is full, for the last
 * two).
 */
const IMPOSSIBLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'];

function unless(expected: readonly string[], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!expected.includes(systemCode(error) ?? '')) throw error;
  }
}
