/**
 * Empty folders where nothing is, for as long as images run: a sandbox covers only what is there, and code would make there
 * what programs outside obey. They are made and removed in the folder that was allowed, whatever takes its place meanwhile.
 */
import { closeSync, mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../sandbox/file-refusals';
import { openedPath, placeOf } from '../sandbox/opened-places';

/** One of them, for one image. */
interface StandIn {
  /** Of the folder that it lies in. */
  descriptor: number;
  /** By which it is reached in that very folder. */
  at: string;
  /** The same for all images that it is held for. */
  key: string;
}

export class StandIns {
  /** By key: how many images it is held for. */
  readonly #held = new Map<string, number>();

  /** Makes a folder at each place that is free. @returns gives them back; the last one who does so removes what is empty still */
  hold(places: readonly string[]): () => void {
    const all = places.map(standIn).filter((each) => each !== null);
    for (const { at, key } of all) {
      this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
      unless(['EEXIST', ...IMPOSSIBLE], () => mkdirSync(at));
    }
    return () => {
      for (const each of all.splice(0)) this.#release(each);
    };
  }

  /** One that a harbor left which was killed goes as well: empty, it means nothing to anybody. */
  #release({ at, key, descriptor }: StandIn): void {
    const others = (this.#held.get(key) ?? 1) - 1;
    if (others > 0) this.#held.set(key, others);
    else {
      this.#held.delete(key);
      unless(['ENOTEMPTY', 'EEXIST', 'EBUSY', ...IMPOSSIBLE], () => rmdirSync(at));
    }
    closeSync(descriptor);
  }
}

/** null where the folder is gone, or a link has come in its place: no image is started there. */
function standIn(place: string): StandIn | null {
  const folder = path.dirname(place);
  const descriptor = openedPath(folder);
  if (descriptor === null) return null;
  const { real, device, inode } = placeOf(descriptor);
  if (real === folder) {
    const name = path.basename(place);
    return { descriptor, at: `/proc/self/fd/${descriptor}/${name}`, key: `${device} ${inode} ${name}` };
  }
  closeSync(descriptor);
  return null;
}

/** Where we cannot make a folder, code in an image cannot either; on a full disk, as long as it is full. */
const IMPOSSIBLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'];

function unless(expected: readonly string[], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!expected.includes(systemCode(error) ?? '')) throw error;
  }
}
