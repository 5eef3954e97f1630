/**
 * The folder of a final check. No session image can access it. Books are certified there. Before the judge
 * includes them, the folder is rebuilt with nothing but sources and certificates. Its path stays the same,
 * because certificates contain full paths of books.
 */
import { hash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HarborError } from '../../../contract/errors';
import { realPath } from '../../../sandbox/paths';
import { isSystemCopy, type Sources } from './check-sources';

/** Hashes of file contents, by path relative to the folder. */
type Snapshot = ReadonlyMap<string, string>;

export class CheckFolder {
  readonly books: string;
  /** Whether it contains a private copy of system books. */
  readonly system: boolean;
  readonly #root: string;
  readonly #sources: Sources;
  readonly #certificates = new Map<string, Buffer>();
  #homes = 0;

  /** Creates the folder. The caller removes it. */
  static async make(sources: Sources): Promise<CheckFolder> {
    const root = await mkdtemp(path.join(realPath(tmpdir()), 'lisp-harbor-final-'));
    const place = new CheckFolder(root, sources);
    await place.#writeSources();
    return place;
  }

  private constructor(root: string, sources: Sources) {
    this.#root = root;
    this.#sources = sources;
    this.books = path.join(root, 'books');
    this.system = [...sources.files.keys()].some(isSystemCopy);
  }

  /** Creates a home folder for one process. */
  async home(): Promise<string> {
    this.#homes += 1;
    const home = path.join(this.#root, `home-${this.#homes}`);
    await mkdir(home, { mode: 0o700 });
    return home;
  }

  /** Returns the contents of the books folder. */
  async snapshot(): Promise<Snapshot> {
    const entries = await readdir(this.books, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => !entry.isDirectory())
      .map(async (entry) => {
        const at = path.join(entry.parentPath, entry.name);
        const what = entry.isFile() ? hash('sha256', await readFile(at)) : 'no file';
        return [path.relative(this.books, at), what] as const;
      });
    return new Map(await Promise.all(files));
  }

  /** Saves the certificate of a book for the judge. @throws HarborError `not_supported` if ACL2 wrote none */
  async saveCertificate(book: string): Promise<void> {
    const at = path.join(this.books, `${book}.cert`);
    if ((await lstat(at).catch(() => null))?.isFile() !== true)
      throw new HarborError('not_supported', `ACL2 wrote no certificate for ${book}.`);
    this.#certificates.set(`${book}.cert`, await readFile(at));
  }

  async rebuild(): Promise<void> {
    await rm(this.books, { recursive: true, force: true });
    await this.#writeSources();
    for (const [file, bytes] of this.#certificates) await writeInto(path.join(this.books, file), bytes);
  }

  async remove(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true });
  }

  async #writeSources(): Promise<void> {
    for (const { file, bytes } of this.#sources.files.values())
      await writeInto(path.join(this.books, file), bytes);
  }
}

/**
 * @param by the file that may have changed them
 * @throws HarborError `not_supported` for any added, changed or removed file except `written`
 */
export function checkUnchanged(
  before: Snapshot,
  after: Snapshot,
  written: readonly string[],
  by: string,
): void {
  const modified = [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file) && !written.includes(file),
  );
  if (modified.length === 0) return;
  throw new HarborError(
    'not_supported',
    `${by} changed files that it must not write: ${modified.slice(0, 10).join(', ')}. The check was stopped.`,
  );
}

async function writeInto(file: string, bytes: Buffer): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, bytes, { mode: 0o600 });
}
