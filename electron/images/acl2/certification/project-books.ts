/**
 * The books of a project as their files tell them: what each is made of, which others of the project it includes, and a
 * digest of all that, so that a change of anything below it is seen.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { HarborError } from '../../../contract/errors';
import { readWithin } from '../../../sandbox/file-within';
import { filesBelow } from '../../../sandbox/files-below';
import { realPath } from '../../../sandbox/real-path';
import { bookOf } from '../loader';
import { type BookText, isBook, type NamedBook, readBookText } from './book-text';

export interface Book {
  /** Its absolute name without `.lisp`. */
  readonly file: string;
  /** The file whose events come before it. */
  readonly portcullis: string | null;
  /** What that file says of the arguments of CERTIFY-BOOK. */
  readonly flags: string | null;
  /** Those of the project that it includes. */
  readonly dependencies: readonly Book[];
  /** The same for the same contents, of what it includes as well; null for a book that could not be read here. */
  readonly digest: string | null;
  /** What it and they call folders. */
  readonly folders: ReadonlyMap<string, string>;
}

/** Bytes of one file: the largest of ACL2's own have a third of it. */
const MOST_BYTES = 8 * 1024 * 1024;

const MOST_BOOKS = 2_000;

/** A file that a book is made of. */
interface Part {
  file: string;
  bytes: Buffer;
  says: BookText;
}

export class ProjectBooks {
  readonly #project: string;
  readonly #prover: string;
  readonly #known = new Map<string, Book | null>();

  /** @param prover what else certificates rest on: which ACL2, with which books of the system */
  constructor(project: string, prover: string) {
    this.#project = realPath(project);
    this.#prover = prover;
  }

  /** The book of that absolute name without `.lisp`, or all below the folder of that name.
   * @throws HarborError `bad_arguments` where books include each other, or are too many */
  async at(name: string): Promise<Book[]> {
    const book = await this.#book(name, []);
    if (book) return [book];
    const books: Book[] = [];
    for (const file of await this.#booksBelow(name)) {
      const found = await this.#book(file, []);
      if (found) books.push(found);
    }
    return books;
  }

  async #booksBelow(folder: string): Promise<string[]> {
    const books: string[] = [];
    for await (const name of filesBelow(folder)) {
      if (!name.endsWith('.lisp') || /(?:^|\/)(?:\.|node_modules\/)/.test(name)) continue;
      const file = path.join(folder, name);
      const bytes = await this.#bytes(file);
      if (bytes && isBook(bytes.toString('latin1'))) books.push(bookOf(file));
    }
    return books.sort();
  }

  /** null for what is not there, or not in the project. @param above the books that include it */
  async #book(file: string, above: readonly string[]): Promise<Book | null> {
    if (above.includes(file)) throw inclusionWithoutEnd(file, above);
    const known = this.#known.get(file);
    if (known !== undefined) return known;
    if (this.#known.size === MOST_BOOKS) throw tooManyBooks();
    const text = await this.#part(`${file}.lisp`);
    const book = text && (await this.#made(file, text, [...above, file]));
    this.#known.set(file, book);
    return book;
  }

  async #made(file: string, text: Part, above: readonly string[]): Promise<Book> {
    const own = path.dirname(file);
    const portcullis = (await this.#part(`${file}.acl2`)) ?? (await this.#part(path.join(own, 'cert.acl2')));
    const before = await this.#withLoaded(portcullis ? [portcullis] : [], own);
    const parts = await this.#withLoaded([...before, text], own);
    const folders = new Map<string, string>();
    const dependencies = new Map<string, Book>();
    for (const { file: from, says } of parts) {
      for (const { dir, folder } of says.folders) folders.set(dir, path.resolve(path.dirname(from), folder));
      for (const named of says.included) {
        const included = fileOf(named, own, folders);
        const book = included === null ? null : await this.#book(included, above);
        if (!book) continue;
        dependencies.set(book.file, book);
        for (const [dir, folder] of book.folders) folders.set(dir, folder);
      }
    }
    const made = {
      file,
      portcullis: portcullis?.file ?? null,
      flags: portcullis?.says.flags ?? null,
      folders,
    };
    return { ...made, dependencies: [...dependencies.values()], digest: this.#digest(parts, dependencies) };
  }

  /** These and all that they submit by LD or name as needed. */
  async #withLoaded(parts: readonly Part[], folder: string): Promise<Part[]> {
    const all = new Map(parts.map((part) => [part.file, part]));
    for (const { says } of all.values())
      for (const name of [...says.loaded, ...says.needed]) {
        const file = path.resolve(folder, name);
        const part = all.has(file) ? null : await this.#part(file);
        if (part) all.set(file, part);
      }
    return [...all.values()];
  }

  #digest(parts: readonly Part[], dependencies: ReadonlyMap<string, Book>): string {
    const made = parts.map(({ file, bytes }) => [path.relative(this.#project, file), sha256(bytes)]);
    const below = [...dependencies.values()].map(({ file, digest }) => [file, digest]);
    return sha256(JSON.stringify([this.#prover, made.sort(), below.sort()]));
  }

  async #part(file: string): Promise<Part | null> {
    const bytes = await this.#bytes(file);
    return bytes && { file, bytes, says: readBookText(bytes.toString('latin1')) };
  }

  /** null for what cannot be read: what ACL2 makes of it, it will say itself. */
  #bytes(file: string): Promise<Buffer | null> {
    return readWithin(this.#project, file, MOST_BYTES).catch(() => null);
  }
}

/** null for a book of the system, and for one of a folder that nobody has named. */
function fileOf({ name, dir }: NamedBook, own: string, folders: ReadonlyMap<string, string>): string | null {
  const folder = dir === null ? own : folders.get(dir);
  return folder === undefined ? null : path.resolve(folder, name);
}

export function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function inclusionWithoutEnd(file: string, above: readonly string[]): HarborError {
  const way = [...above.slice(above.indexOf(file)), file].map((each) => path.basename(each));
  return new HarborError(
    'bad_arguments',
    `No order of these books certifies them: ${way.join(' includes ')}.`,
  );
}

function tooManyBooks(): HarborError {
  return new HarborError(
    'bad_arguments',
    `There are more than ${MOST_BOOKS} books: name one of them, or a folder.`,
  );
}
