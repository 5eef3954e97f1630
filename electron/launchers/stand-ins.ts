/**
 * Empty folders where nothing is, for as long as images run: a sandbox covers only what is there, and code would make there
 * what programs outside obey.
 */
import { mkdirSync, rmdirSync } from 'node:fs';
import { systemCode } from '../sandbox/file-refusals';

export class StandIns {
  /** By place: how many images it is held for. */
  readonly #held = new Map<string, number>();

  /** Makes a folder at each place that is free. @returns gives them back; the last one who does so removes what is empty still */
  hold(places: readonly string[]): () => void {
    for (const at of places) {
      this.#held.set(at, (this.#held.get(at) ?? 0) + 1);
      unless(['EEXIST', ...IMPOSSIBLE], () => mkdirSync(at));
    }
    return () => {
      for (const at of places) this.#release(at);
    };
  }

  /** One that a harbor left which was killed goes as well: empty, it means nothing to anybody. */
  #release(at: string): void {
    const others = (this.#held.get(at) ?? 1) - 1;
    if (others > 0) this.#held.set(at, others);
    else {
      this.#held.delete(at);
      unless(['ENOTEMPTY', 'EEXIST', 'EBUSY', ...IMPOSSIBLE], () => rmdirSync(at));
    }
  }
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
