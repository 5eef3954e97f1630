/**
 * The sources that a book is made of, read where they lie: the book, those of the project that it includes, and what goes
 * below each. Nothing else of the project takes part in a final check, so no compiled file and no certificate does.
 */
import path from 'node:path';
import { HarborError } from '../../../contract/errors';
import type { CheckedFile } from '../../../contract/final-check';
import { type BookFolders, type NamedFile, namedFiles } from './named-files';

/** Files that one check may read, and bytes of each. */
const MOST_FILES = 2_000;
export const MOST_BYTES = 16 * 1024 * 1024;

const SOURCES = new Set(['.lisp', '.acl2', '.lsp']);

export interface SourceText {
  /** Relative to the project. */
  file: string;
  role: Exclude<CheckedFile['role'], 'system'>;
  bytes: Buffer;
}

export interface Sources {
  /** The books to certify, each after those that it includes: their files without `.lisp`. */
  books: readonly string[];
  files: ReadonlyMap<string, SourceText>;
}

/** What a file of the project holds; null where there is none. */
export type ReadSource = (file: string) => Promise<Buffer | null>;

/** @param book its file without `.lisp`, relative to the project
 * @throws HarborError `file_missing`, `not_supported`, and as `readSource` does */
export async function sourcesOf(book: string, readSource: ReadSource): Promise<Sources> {
  const reading = new Reading(readSource);
  await reading.book(`${book}.lisp`, []);
  return { books: reading.books, files: reading.files };
}

/** What goes below a book: the file of its own name, else the one for all books of the folder. */
export function portcullisOf(book: string, has: (file: string) => boolean): string | null {
  const own = [`${book}.acl2`, path.join(path.dirname(book), 'cert.acl2')];
  return own.find(has) ?? null;
}

class Reading {
  readonly books: string[] = [];
  readonly files = new Map<string, SourceText>();
  readonly #readSource: ReadSource;
  readonly #folders: BookFolders = new Map();

  constructor(readSource: ReadSource) {
    this.#readSource = readSource;
  }

  /** @param above the books that include this one, the outermost first */
  async book(file: string, above: readonly string[]): Promise<void> {
    if (above.includes(file))
      throw new HarborError('not_supported', `Books include each other: ${[...above, file].join(', ')}.`);
    if (this.files.has(file)) return;
    if (!(await this.#take(file, 'book'))) {
      if (above.length === 0) throw new HarborError('file_missing', `There is no file ${file}.`);
      // ACL2 says what misses it, if it comes to that.
      return;
    }
    const name = file.slice(0, -'.lisp'.length);
    const below = await this.#portcullis(name);
    for (const each of [...(below === null ? [] : [below]), file]) await this.#named(each, [...above, file]);
    this.books.push(name);
  }

  async #portcullis(book: string): Promise<string | null> {
    for (const file of [`${book}.acl2`, path.join(path.dirname(book), 'cert.acl2')])
      if (this.files.has(file) || (await this.#take(file, 'portcullis'))) return file;
    return null;
  }

  /** What `file` includes and loads, and what that does. */
  async #named(file: string, above: readonly string[]): Promise<void> {
    const text = this.files.get(file)?.bytes.toString('latin1') ?? '';
    for (const named of namedFiles(text, file, this.#folders)) await this.#follow(named, above);
  }

  async #follow({ file, role }: NamedFile, above: readonly string[]): Promise<void> {
    if (role === 'book') await this.book(file, above);
    else if (!this.files.has(file) && (await this.#take(file, 'loaded'))) await this.#named(file, above);
  }

  async #take(file: string, role: SourceText['role']): Promise<boolean> {
    if (!SOURCES.has(path.extname(file))) return false;
    const bytes = await this.#readSource(file);
    if (bytes === null) return false;
    if (this.files.size === MOST_FILES)
      throw new HarborError('not_supported', `A final check takes ${MOST_FILES} files at most.`);
    this.files.set(file, { file, role, bytes });
    return true;
  }
}
