/**
 * Reads the books of a project: their files, the project books that they include, and a digest that changes
 * with any of them.
 */
import { hash } from 'node:crypto';
import path from 'node:path';
import { HarborError } from '../../../contract/errors';
import { realPath } from '../../../sandbox/paths';
import { filesBelow, readWithin } from '../../../sandbox/project-files';
import { read, type Source } from '../../../source/reader';
import { type Branch, formsOf, isBranch, type SyntaxNode, walk } from '../../../source/syntax-tree';
import { isBook } from '../../../source/test-outline';
import { operatorOf } from '../../../source/top-level-forms';
import { bookOf } from '../world';

export interface Book {
  /** Absolute name without `.lisp`. */
  readonly file: string;
  /** The file with the events that precede the book. */
  readonly portcullis: string | null;
  /** The certification arguments in that file. */
  readonly flags: string | null;
  /** The project books that it includes. */
  readonly dependencies: readonly Book[];
  /** Equal for equal contents of the book and all included books; null for a book that could not be read. */
  readonly digest: string | null;
  /** Names of folders that the book and included books define. */
  readonly folders: ReadonlyMap<string, string>;
}

/** Maximum bytes of a file. The largest of ACL2's own has a third of it. */
const MOST_BYTES = 8 * 1024 * 1024;

const MOST_BOOKS = 2_000;

/** A source file of a book. */
interface BookFile {
  file: string;
  bytes: Buffer;
  references: BookText;
}

export class ProjectBooks {
  readonly #project: string;
  readonly #prover: string;
  readonly #known = new Map<string, Book | null>();

  /** @param prover identifies the version of ACL2 and its system books, which certificates also depend on */
  constructor(project: string, prover: string) {
    this.#project = realPath(project);
    this.#prover = prover;
  }

  /**
   * Returns the book of that absolute name without `.lisp`, or all books below the folder of that name.
   * @throws HarborError `bad_arguments` for circular inclusion or too many books
   */
  async find(name: string): Promise<Book[]> {
    const book = await this.#load(name, []);
    if (book) return [book];
    const books: Book[] = [];
    for (const file of await this.#booksBelow(name)) {
      const found = await this.#load(file, []);
      if (found) books.push(found);
    }
    return books;
  }

  /** Returns the book of that absolute name without `.lisp`; null if there is none in the project. */
  book(name: string): Promise<Book | null> {
    return this.#load(name, []);
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

  /** Returns null for a book that does not exist or is outside of the project. @param includers books that include it */
  async #load(file: string, includers: readonly string[]): Promise<Book | null> {
    if (includers.includes(file)) throw circularInclusion(file, includers);
    const known = this.#known.get(file);
    if (known !== undefined) return known;
    if (this.#known.size === MOST_BOOKS) throw tooManyBooks();
    const text = await this.#readFile(`${file}.lisp`);
    const book = text && (await this.#readBook(file, text, [...includers, file]));
    this.#known.set(file, book);
    return book;
  }

  async #readBook(file: string, text: BookFile, includers: readonly string[]): Promise<Book> {
    const own = path.dirname(file);
    const portcullis =
      (await this.#readFile(`${file}.acl2`)) ?? (await this.#readFile(path.join(own, 'cert.acl2')));
    const before = await this.#withLoaded(portcullis ? [portcullis] : [], own);
    const parts = await this.#withLoaded([...before, text], own);
    const folders = new Map<string, string>();
    const dependencies = new Map<string, Book>();
    for (const { file: from, references } of parts) {
      for (const { dir, folder } of references.folders)
        folders.set(dir, path.resolve(path.dirname(from), folder));
      for (const named of references.included) {
        const included = fileOf(named, own, folders);
        const book = included === null ? null : await this.#load(included, includers);
        if (!book) continue;
        dependencies.set(book.file, book);
        for (const [dir, folder] of book.folders) folders.set(dir, folder);
      }
    }
    const made = {
      file,
      portcullis: portcullis?.file ?? null,
      flags: portcullis?.references.flags ?? null,
      folders,
    };
    return { ...made, dependencies: [...dependencies.values()], digest: this.#digest(parts, dependencies) };
  }

  /** Adds files that these load with LD or name as needed. */
  async #withLoaded(parts: readonly BookFile[], folder: string): Promise<BookFile[]> {
    const all = new Map(parts.map((part) => [part.file, part]));
    for (const { references } of all.values())
      for (const name of [...references.loaded, ...references.needed]) {
        const file = path.resolve(folder, name);
        const part = all.has(file) ? null : await this.#readFile(file);
        if (part) all.set(file, part);
      }
    return [...all.values()];
  }

  #digest(parts: readonly BookFile[], dependencies: ReadonlyMap<string, Book>): string {
    const made = parts.map(({ file, bytes }) => [path.relative(this.#project, file), hash('sha256', bytes)]);
    const below = [...dependencies.values()].map(({ file, digest }) => [file, digest]);
    return hash('sha256', JSON.stringify([this.#prover, made.sort(), below.sort()]));
  }

  async #readFile(file: string): Promise<BookFile | null> {
    const bytes = await this.#bytes(file);
    return bytes && { file, bytes, references: readBookText(bytes.toString('latin1')) };
  }

  /** Returns null for an unreadable file. ACL2 reports the problem itself. */
  #bytes(file: string): Promise<Buffer | null> {
    return readWithin(this.#project, file, MOST_BYTES).catch(() => null);
  }
}

/** Returns null for a system book, and for a folder name that is not defined. */
function fileOf({ name, dir }: NamedBook, own: string, folders: ReadonlyMap<string, string>): string | null {
  const folder = dir === null ? own : folders.get(dir);
  return folder === undefined ? null : path.resolve(folder, name);
}

function circularInclusion(file: string, includers: readonly string[]): HarborError {
  const way = [...includers.slice(includers.indexOf(file)), file].map((each) => path.basename(each));
  return new HarborError('bad_arguments', `The books include each other: ${way.join(' includes ')}.`);
}

function tooManyBooks(): HarborError {
  return new HarborError(
    'bad_arguments',
    `There are more than ${MOST_BOOKS} books. Name one of them, or a folder.`,
  );
}

/**
 * `dir` is the keyword of a folder in upper case without its colon; null if the name is relative to the book.
 */
interface NamedBook {
  name: string;
  dir: string | null;
}

interface BookText {
  /** In text order: a folder name applies to the text after its definition. */
  included: NamedBook[];
  /** Folder names defined by ADD-INCLUDE-BOOK-DIR. */
  folders: { dir: string; folder: string }[];
  /** Files loaded by LD. */
  loaded: string[];
  /** Files that a comment names, `; (depends-on "table.txt")`, as for ACL2's build system. */
  needed: string[];
  /** CERTIFY-BOOK options in a comment, `; cert-flags: ? t :ttags :all`; null for none. */
  flags: string | null;
}

/**
 * Returns the references to other files in the text of a book or portcullis, without evaluating it. Forms
 * count at any depth: inside LOCAL, ENCAPSULATE or a macro call they may be submitted too.
 */
export function readBookText(text: string): BookText {
  const source = read(text, 'common-lisp');
  const references: BookText = { included: [], folders: [], loaded: [], needed: [], flags: null };
  for (const { node } of walk(source.tree)) {
    if (node.kind === 'comment') noteComment(written(node, source), references);
    else if (isBranch(node) && node.kind === 'list') noteForm(node, source, references);
  }
  return references;
}

function noteComment(comment: string, references: BookText): void {
  references.flags ??= /cert-flags:(.*)/.exec(comment)?.[1]?.trim() ?? null;
  for (const [, file = ''] of comment.matchAll(/\(depends-on\s+"([^"]+)"/g)) references.needed.push(file);
}

function noteForm(form: Branch, source: Source, references: BookText): void {
  const parts = formsOf(form);
  const [first, second] = parts.slice(1);
  switch (operatorOf(form, source)?.toLowerCase()) {
    case 'include-book':
      if (first?.kind === 'string')
        references.included.push({ name: string(first, source), dir: dir(parts, source) });
      break;
    case 'ld':
      if (first?.kind === 'string') references.loaded.push(string(first, source));
      break;
    case 'add-include-book-dir':
    case 'add-include-book-dir!':
      if (first?.kind === 'token' && second?.kind === 'string')
        references.folders.push({ dir: keyword(first, source), folder: string(second, source) });
  }
}

/** Returns the value of the argument `:dir`. */
function dir(parts: readonly SyntaxNode[], source: Source): string | null {
  const at = parts.findIndex((part) => part.kind === 'token' && keyword(part, source) === 'DIR');
  const named = at < 0 ? undefined : parts[at + 1];
  return named?.kind === 'token' ? keyword(named, source) : null;
}

function keyword(token: SyntaxNode, source: Source): string {
  return written(token, source).replace(/^:/, '').toUpperCase();
}

function string(node: SyntaxNode, source: Source): string {
  return written(node, source).slice(1, -1).replaceAll(/\\(.)/gs, '$1');
}

function written({ start, end }: SyntaxNode, { text }: Source): string {
  return text.slice(start, end);
}
