/** Which books were certified from which files, by content, and whether those files are unchanged. */
import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { TrustIssue } from '../../../contract/proof';
import { boundedJson } from '../../../host/json';
import { realPath } from '../../../sandbox/paths';
import { readWithin } from '../../../sandbox/project-files';
import { bookOf } from '../world';
import type { Book } from './project-books';

/** Extensions of sources of books. */
export const SOURCE = /\.(?:lisp|acl2|lsp)$/;

/** Maximum bytes of a certificate or another file. The largest system book has a tenth of it. */
const MOST_BYTES = 256 * 1024 * 1024;

/** `digest` identifies the sources that the text of the book names, `certificate` the file that ACL2 wrote. */
const SavedCertification = z.object({
  digest: z.string(),
  certificate: z.string(),
  issues: z.array(TrustIssue),
  /** Hashes of all other files that ACL2 read, by name; null for one that did not exist. */
  files: z.record(z.string(), z.string().nullable()),
});
type SavedCertification = z.infer<typeof SavedCertification>;

/**
 * Records which books were certified from which sources, in a folder that no image can write to. A
 * certificate in the project is no evidence: any process that can write there could have created it.
 */
export class CertificateStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the saved certification if it is still valid: the contents of the book, of its certificate and of all
   * files that ACL2 read for it are unchanged.
   */
  async find(book: Book): Promise<SavedCertification | null> {
    try {
      const saved = SavedCertification.parse(boundedJson(await readFile(this.#file(book), 'utf8')));
      if (saved.digest !== book.digest || saved.certificate !== (await certificateOf(book))) return null;
      const now = await hashesOf(Object.keys(saved.files));
      return [...now].every(([file, now]) => saved.files[file] === now) ? saved : null;
    } catch {
      return null;
    }
  }

  /**
   * Saves nothing if a file may have changed since it was read.
   * @param files the files that ACL2 read
   * @param since the time before ACL2 started, in milliseconds
   */
  async save(book: Book, issues: TrustIssue[], files: readonly string[], since: number): Promise<void> {
    const { digest } = book;
    const certificate = await certificateOf(book);
    if (certificate === null || digest === null) return;
    const read = withCompanions(files).filter((file) => !isWrittenFor(book, file));
    const hashes = await hashesOf(read);
    if ((await changedSince(read, since)).length > 0) return;
    const saved: SavedCertification = { digest, certificate, issues, files: Object.fromEntries(hashes) };
    const file = this.#file(book);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, JSON.stringify(saved), { mode: 0o600 });
    await rename(draft, file);
  }

  #file({ file }: Book): string {
    return path.join(this.#folder, `${hash('sha256', file)}.json`);
  }
}

/** Files that ACL2 may load in place of a book, by the extensions of its hosts. */
const COMPANIONS = ['.cert', '.o', '.fasl', '.lx64fsl', '.lx32fsl', '.dx64fsl'];

function withCompanions(files: readonly string[]): string[] {
  const books = files.filter((file) => file.endsWith('.lisp')).map(bookOf);
  return [...new Set([...files, ...books.flatMap((book) => COMPANIONS.map((each) => `${book}${each}`))])];
}

/** Reports whether certifying `book` writes that file. Its certificate is compared on its own. */
function isWrittenFor({ file: book }: Book, file: string): boolean {
  return (file.startsWith(`${book}.`) || file.startsWith(`${book}@`)) && !SOURCE.test(file);
}

async function certificateOf({ file }: Book): Promise<string | null> {
  const bytes = await readWithin(realPath(path.dirname(file)), `${path.basename(file)}.cert`, MOST_BYTES);
  return bytes && hash('sha256', bytes);
}

/** Maximum files read in parallel. */
const PARALLEL = 16;

/** Returns the hash of each file; null for one that does not exist or is no regular file. */
async function hashesOf(files: readonly string[]): Promise<Map<string, string | null>> {
  const hashes = new Map<string, string | null>();
  for (let at = 0; at < files.length; at += PARALLEL)
    await Promise.all(
      files.slice(at, at + PARALLEL).map(async (file) => hashes.set(file, await hashOf(file))),
    );
  return hashes;
}

async function hashOf(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile() || found.size > MOST_BYTES) return null;
  const sum = createHash('sha256');
  const read = await pipeline(createReadStream(file), sum).then(
    () => true,
    () => false,
  );
  return read ? sum.digest('hex') : null;
}

/**
 * Returns those of the files whose contents or names have changed since that time in milliseconds. No program can
 * set the time of the last change of an inode.
 */
export async function changedSince(files: readonly string[], time: number): Promise<string[]> {
  const changed = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file).catch(() => null);
      return found?.isFile() === true && found.ctimeMs >= time;
    }),
  );
  return files.filter((_file, index) => changed[index]);
}
