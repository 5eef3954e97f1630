/**
 * The folder of a final check, which no image of a session can reach: books are certified there, and before the judge
 * includes them it is made anew, so that nothing is in it but the sources and the certificates. (It is the same one because
 * certificates name their books by full paths.)
 */
import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HarborError } from '../../../contract/errors';
import { realPath } from '../../../sandbox/real-path';
import type { Sources } from './sources';

/** From paths below the folder to what each file holds, as a hash. */
type Snapshot = ReadonlyMap<string, string>;

export class CheckPlace {
  readonly books: string;
  readonly #root: string;
  readonly #sources: Sources;
  readonly #certificates = new Map<string, Buffer>();
  #homes = 0;

  /** Remove it. */
  static async make(sources: Sources): Promise<CheckPlace> {
    const root = await mkdtemp(path.join(realPath(tmpdir()), 'lisp-harbor-final-'));
    const place = new CheckPlace(root, sources);
    await place.#putSources();
    return place;
  }

  private constructor(root: string, sources: Sources) {
    this.#root = root;
    this.#sources = sources;
    this.books = path.join(root, 'books');
  }

  /** A folder for one process. */
  async home(): Promise<string> {
    this.#homes += 1;
    const home = path.join(this.#root, `home-${this.#homes}`);
    await mkdir(home, { mode: 0o700 });
    return home;
  }

  /** What lies in the folder of the books. */
  async snapshot(): Promise<Snapshot> {
    const entries = await readdir(this.books, { recursive: true, withFileTypes: true });
    const held = entries
      .filter((entry) => !entry.isDirectory())
      .map(async (entry) => {
        const at = path.join(entry.parentPath, entry.name);
        const what = entry.isFile() ? sha256(await readFile(at)) : 'no file';
        return [path.relative(this.books, at), what] as const;
      });
    return new Map(await Promise.all(held));
  }

  /** Takes the certificate of a book for the judge. @throws HarborError `not_supported` where ACL2 wrote none */
  async keepCertificate(book: string): Promise<void> {
    const at = path.join(this.books, `${book}.cert`);
    if ((await lstat(at).catch(() => null))?.isFile() !== true)
      throw new HarborError('not_supported', `ACL2 wrote no certificate for ${book}.`);
    this.#certificates.set(`${book}.cert`, await readFile(at));
  }

  async makeAnew(): Promise<void> {
    await rm(this.books, { recursive: true, force: true });
    await this.#putSources();
    for (const [file, bytes] of this.#certificates) await put(path.join(this.books, file), bytes);
  }

  async remove(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true });
  }

  async #putSources(): Promise<void> {
    for (const { file, bytes } of this.#sources.files.values()) await put(path.join(this.books, file), bytes);
  }
}

/** @param by who may have touched them
 * @throws HarborError `not_supported` for what came, changed or went beside `written` */
export function checkUnchanged(
  before: Snapshot,
  after: Snapshot,
  written: readonly string[],
  by: string,
): void {
  const touched = [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file) && !written.includes(file),
  );
  if (touched.length === 0) return;
  throw new HarborError(
    'not_supported',
    `${by} has touched files that are not its own to write: ${touched.slice(0, 10).join(', ')}. Nothing that was built with it is believed.`,
  );
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function put(file: string, bytes: Buffer): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
}
