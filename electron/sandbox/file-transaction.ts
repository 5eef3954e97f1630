/**
 * Changes several files as one transaction. The new and the old content of every file are written next to it
 * before the first file is replaced, so neither commit nor rollback needs disk space.
 */

import { HarborError } from '../contract/errors';
import { type OpenedFolder, openParentFolder, reportingErrors, systemCode } from '../host/opened-folder';
import {
  type Allowed,
  checkExpected,
  contentOf,
  Draft,
  type FileBytes,
  fileExists,
  hashOf,
  nullWhenMissing,
  readAllowed,
  suggestingNames,
} from './allowed-file';

/** The current file, a file that does not exist yet, or why it cannot be changed. */
export type FileToChange =
  | { path: string; file: FileBytes }
  | { path: string; missing: HarborError }
  | { refused: HarborError };

/** Returns the new contents by real path, and a result for the caller. */
export type EditAll<A> = (files: readonly FileToChange[]) => {
  bytes: ReadonlyMap<string, Uint8Array>;
  answer: A;
};

/** Thrown if another program changed files meanwhile, so that they could not be rolled back. */
export class PartlyWritten extends HarborError {
  readonly paths: readonly string[];

  /** @param paths real paths of the files that were not rolled back */
  constructor(because: string, paths: readonly string[]) {
    const notRestored = `Not rolled back, because another program changed it meanwhile: ${paths.join(', ')}. Read it again.`;
    super('hash_mismatch', `${because} ${notRestored}`);
    this.paths = paths;
  }
}

export class FileTransaction {
  readonly #requested: readonly (Allowed | HarborError)[];
  readonly #allowed: ReadonlyMap<string, Allowed>;
  readonly #mostListed: number;

  /** @param mostListed maximum number of entries to look at when naming alternatives for a missing file */
  constructor(requested: readonly (Allowed | HarborError)[], mostListed: number) {
    const allowed = requested.filter((each): each is Allowed => !(each instanceof HarborError));
    this.#requested = requested;
    // Several names may resolve to one file.
    this.#allowed = new Map(allowed.map((each) => [each.real, each]));
    this.#mostListed = mostListed;
  }

  /** The real paths. */
  get paths(): readonly string[] {
    return [...this.#allowed.keys()];
  }

  /**
   * Runs the transaction. Callers hold the turn of all files. @throws HarborError as `FileGuard.changeAll`
   */
  async change<A>(edit: EditAll<A>): Promise<{ hashes: ReadonlyMap<string, string>; answer: A }> {
    const found = new Map<string, FileToChange>();
    for (const [real, allowed] of this.#allowed) found.set(real, await this.#read(allowed));
    const files = this.#requested.map((each) =>
      each instanceof HarborError
        ? { refused: each }
        : (found.get(each.real) ?? { refused: missingFile(each) }),
    );
    const { bytes, answer } = edit(files);
    await this.#write(bytes, found);
    const hashes = new Map([...bytes].map(([real, content]) => [real, hashOf(content)]));
    for (const [real, each] of found)
      if ('file' in each && !hashes.has(real)) hashes.set(real, each.file.hash);
    return { hashes, answer };
  }

  async #read(allowed: Allowed): Promise<FileToChange> {
    try {
      return {
        path: allowed.real,
        file: await suggestingNames(allowed, this.#mostListed, readAllowed),
      };
    } catch (error) {
      if (!(error instanceof HarborError)) throw error;
      return error.code === 'file_missing' ? { path: allowed.real, missing: error } : { refused: error };
    }
  }

  async #write(
    bytes: ReadonlyMap<string, Uint8Array>,
    found: ReadonlyMap<string, FileToChange>,
  ): Promise<void> {
    const replacements: Replacement[] = [];
    const committed: Replacement[] = [];
    try {
      for (const [real, content] of bytes) {
        const [allowed, before] = [this.#allowed.get(real), found.get(real)];
        if (!allowed || !before) throw new Error(`${real} is not one of the requested files`);
        const hash = 'file' in before ? before.file.hash : null;
        replacements.push(await Replacement.prepare(allowed, content, hash));
      }
      for (const replacement of replacements) {
        await replacement.place();
        committed.unshift(replacement);
      }
    } catch (error) {
      await rollBack(committed, error);
      throw error;
    } finally {
      for (const replacement of replacements) await replacement.end();
    }
  }
}

/** Restores the old contents. @throws PartlyWritten */
async function rollBack(committed: readonly Replacement[], because: unknown): Promise<void> {
  const notRestored: string[] = [];
  for (const replacement of committed)
    if (!(await replacement.rollBack())) notRestored.push(replacement.allowed.real);
  const why = because instanceof Error ? because.message : String(because);
  if (notRestored.length > 0) throw new PartlyWritten(why, notRestored);
}

function missingFile({ requested }: Allowed): HarborError {
  return new HarborError('file_missing', `${requested} does not exist.`);
}

/** The new and the old content of one file, both written next to it. */
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

  /** @param expected hash of the current file; null for a new one, whose parent folders are created */
  static prepare(allowed: Allowed, bytes: Uint8Array, expected: string | null): Promise<Replacement> {
    return reportingErrors(allowed.requested, async () => {
      const place = await openParentFolder(allowed.real, expected === null);
      const { folder, name } = place;
      try {
        const current = await contentOf(folder, name, allowed).catch(nullWhenMissing);
        checkExpected(current, expected, allowed.requested);
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

  /** @throws HarborError as `writeAllowed` */
  async place(): Promise<void> {
    await reportingErrors(this.allowed.requested, async () => {
      checkExpected(await this.#content(), this.#expected, this.allowed.requested);
      if (this.#before) return this.#after.replace();
      await this.#after.create().catch((error: unknown) => {
        throw systemCode(error) === 'EEXIST' ? fileExists(this.allowed.requested) : error;
      });
    });
  }

  /** Restores the old content; returns false if another program changed the file. */
  async rollBack(): Promise<boolean> {
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
