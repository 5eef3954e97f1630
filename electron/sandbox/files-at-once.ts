/**
 * Several files that are changed as one step. What each is to hold, and what it holds now, lies beside it before the first is
 * replaced: after that nothing needs room, neither to go on nor to put back.
 */
import { HarborError } from '../contract/errors';
import {
  alreadyThere,
  checkExpected,
  contentOf,
  type FileBytes,
  hashOf,
  nullWhenMissing,
  readAllowed,
} from './allowed-file';
import { systemCode, toldOf } from './file-refusals';
import { type Allowed, namingOthers } from './listed-folder';
import type { OpenedFolder } from './opened-folder';
import { openedFolderOf } from './opened-path';
import { Draft } from './replaced-file';

/** A file as it is, one that is not there yet, or why it cannot be changed. */
export type FileToChange =
  | { path: string; file: FileBytes }
  | { path: string; missing: HarborError }
  | { refused: HarborError };

/** Answers what files are to hold, by their real paths, and whatever is to be told of that. */
export type EditAll<A> = (files: readonly FileToChange[]) => {
  bytes: ReadonlyMap<string, Uint8Array>;
  answer: A;
};

/** Something from outside has changed files meanwhile, so that they could not be put back. */
export class PartlyWritten extends HarborError {
  readonly paths: readonly string[];

  /** @param paths real ones, of those files */
  constructor(because: string, paths: readonly string[]) {
    const left = `Not put back, because something else has changed it meanwhile: ${paths.join(', ')}. Read it again.`;
    super('hash_mismatch', `${because} ${left}`);
    this.paths = paths;
  }
}

export class FilesAtOnce {
  readonly #asked: readonly (Allowed | HarborError)[];
  readonly #allowed: ReadonlyMap<string, Allowed>;
  readonly #mostListed: number;

  /** @param mostListed entries of a folder that are looked at to name what is there instead of a file that is not */
  constructor(asked: readonly (Allowed | HarborError)[], mostListed: number) {
    const allowed = asked.filter((each): each is Allowed => !(each instanceof HarborError));
    this.#asked = asked;
    // Several names may lead to one file.
    this.#allowed = new Map(allowed.map((each) => [each.real, each]));
    this.#mostListed = mostListed;
  }

  /** The real paths. */
  get places(): readonly string[] {
    return [...this.#allowed.keys()];
  }

  /** In the turn of all of them. @throws HarborError as `FileGuard.changeAll` */
  async change<A>(edit: EditAll<A>): Promise<{ hashes: ReadonlyMap<string, string>; answer: A }> {
    const found = new Map<string, FileToChange>();
    for (const [real, allowed] of this.#allowed) found.set(real, await this.#read(allowed));
    const files = this.#asked.map((each) =>
      each instanceof HarborError ? { refused: each } : (found.get(each.real) ?? { refused: gone(each) }),
    );
    const { bytes, answer } = edit(files);
    await this.#put(bytes, found);
    const hashes = new Map([...bytes].map(([real, content]) => [real, hashOf(content)]));
    for (const [real, each] of found)
      if ('file' in each && !hashes.has(real)) hashes.set(real, each.file.hash);
    return { hashes, answer };
  }

  async #read(allowed: Allowed): Promise<FileToChange> {
    try {
      return {
        path: allowed.real,
        file: await namingOthers(allowed, this.#mostListed, readAllowed),
      };
    } catch (error) {
      if (!(error instanceof HarborError)) throw error;
      return error.code === 'file_missing' ? { path: allowed.real, missing: error } : { refused: error };
    }
  }

  async #put(
    bytes: ReadonlyMap<string, Uint8Array>,
    found: ReadonlyMap<string, FileToChange>,
  ): Promise<void> {
    const replacements: Replacement[] = [];
    const placed: Replacement[] = [];
    try {
      for (const [real, content] of bytes) {
        const [allowed, before] = [this.#allowed.get(real), found.get(real)];
        if (!allowed || !before) throw new Error(`${real} is none of the files that were asked for`);
        const hash = 'file' in before ? before.file.hash : null;
        replacements.push(await Replacement.prepare(allowed, content, hash));
      }
      for (const replacement of replacements) {
        await replacement.place();
        placed.unshift(replacement);
      }
    } catch (error) {
      await putBack(placed, error);
      throw error;
    } finally {
      for (const replacement of replacements) await replacement.end();
    }
  }
}

/** @throws PartlyWritten */
async function putBack(placed: readonly Replacement[], because: unknown): Promise<void> {
  const left: string[] = [];
  for (const replacement of placed) if (!(await replacement.putBack())) left.push(replacement.allowed.real);
  const why = because instanceof Error ? because.message : String(because);
  if (left.length > 0) throw new PartlyWritten(why, left);
}

function gone({ asked }: Allowed): HarborError {
  return new HarborError('file_missing', `There is no ${asked}.`);
}

/** One file's new text, and its old one, beside it. */
class Replacement {
  readonly allowed: Allowed;
  readonly #folder: OpenedFolder;
  readonly #name: string;
  readonly #expected: string | null;
  readonly #hash: string;
  readonly #after: Draft;
  readonly #before: Draft | null;

  private constructor(
    allowed: Allowed,
    { folder, name }: Place,
    hashes: { expected: string | null; written: string },
    drafts: { after: Draft; before: Draft | null },
  ) {
    this.allowed = allowed;
    this.#folder = folder;
    this.#name = name;
    this.#expected = hashes.expected;
    this.#hash = hashes.written;
    this.#after = drafts.after;
    this.#before = drafts.before;
  }

  /** @param expected the hash of the file as it is; null for a new one, whose folders are made */
  static prepare(allowed: Allowed, bytes: Uint8Array, expected: string | null): Promise<Replacement> {
    return toldOf(allowed.asked, async () => {
      const place = await openedFolderOf(allowed.real, expected === null);
      const { folder, name } = place;
      try {
        const current = await contentOf(folder, name, allowed).catch(nullWhenMissing);
        checkExpected(current, expected, allowed.asked);
        const after = await Draft.write(folder, name, bytes, current);
        const before =
          current && (await Draft.write(folder, name, current.bytes, current).catch(clearing(after)));
        return new Replacement(allowed, place, { expected, written: hashOf(bytes) }, { after, before });
      } catch (error) {
        await folder.close();
        throw error;
      }
    });
  }

  /** @throws HarborError as `putAllowed` */
  async place(): Promise<void> {
    await toldOf(this.allowed.asked, async () => {
      checkExpected(await this.#content(), this.#expected, this.allowed.asked);
      if (this.#before) return this.#after.replace();
      await this.#after.appear().catch((error: unknown) => {
        throw systemCode(error) === 'EEXIST' ? alreadyThere(this.allowed.asked) : error;
      });
    });
  }

  /** Whether the file is again as it was; not where something else has changed it by now. */
  async putBack(): Promise<boolean> {
    try {
      const current = await this.#content();
      if (current?.hash !== this.#hash) return false;
      await (this.#before ? this.#before.replace() : this.#folder.remove(this.#name));
      return true;
    } catch {
      return false;
    }
  }

  async end(): Promise<void> {
    await this.#after.clear();
    await this.#before?.clear();
    await this.#folder.close();
  }

  #content() {
    return contentOf(this.#folder, this.#name, this.allowed).catch(nullWhenMissing);
  }
}

interface Place {
  folder: OpenedFolder;
  name: string;
}

function clearing(draft: Draft) {
  return async (error: unknown): Promise<never> => {
    await draft.clear();
    throw error;
  };
}
