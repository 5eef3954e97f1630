/**
 * Reads the sources of a book: the book, the project books that it includes, and their portcullis files. A
 * final check uses no other file of the project, and so no compiled file and no certificate.
 */
import path from 'node:path';
import { HarborError } from '../../../contract/errors';
import type { CheckedFile } from '../../../contract/proof';
import { read } from '../../../source/reader';
import { type Branch, formsOf, isBranch, walk } from '../../../source/syntax-tree';
import { SOURCE } from '../certification/certificate-store';

/** Maximum files of a check, and maximum bytes of a file. */
const MOST_FILES = 2_000;
export const MOST_BYTES = 16 * 1024 * 1024;

interface SourceText {
  /** Relative to the project. */
  file: string;
  role: CheckedFile['role'];
  bytes: Buffer;
}

export interface Sources {
  /** Books to certify, in dependency order: their files without `.lisp`. */
  books: readonly string[];
  files: ReadonlyMap<string, SourceText>;
}

/** Returns the contents of a project file; null if it does not exist. */
type ReadSource = (file: string) => Promise<Buffer | null>;

/** The folder of the private copy of system books, whose files have the role `system`. */
export const SYSTEM_FOLDER = 'lisp-harbor-system-books';

/**
 * @param book its file without `.lisp`, relative to the project
 * @param readSource also reads system books, as files in `SYSTEM_FOLDER`, if they are to be rebuilt
 * @throws HarborError `file_missing`, `not_supported`, and as `readSource`
 */
export async function sourcesOf(book: string, readSource: ReadSource): Promise<Sources> {
  const reading = new SourceReader(readSource);
  await reading.book(`${book}.lisp`, []);
  return { books: reading.books, files: reading.files };
}

/** Returns the portcullis file of a book: the file of its own name, or else the folder's. */
export function portcullisOf(book: string, has: (file: string) => boolean): string | null {
  const candidates = [`${book}.acl2`, path.join(path.dirname(book), 'cert.acl2')];
  return candidates.find(has) ?? null;
}

class CircularBooks extends HarborError {
  constructor(books: readonly string[]) {
    super('not_supported', `The books include each other: ${books.join(', ')}.`);
  }
}

class SourceReader {
  readonly books: string[] = [];
  readonly files = new Map<string, SourceText>();
  readonly #readSource: ReadSource;
  readonly #folders: BookFolders = new Map([['SYSTEM', SYSTEM_FOLDER]]);

  constructor(readSource: ReadSource) {
    this.#readSource = readSource;
  }

  /** @param includers the books that include this one, the outermost first */
  async book(file: string, includers: readonly string[]): Promise<void> {
    if (includers.includes(file)) throw new CircularBooks([...includers, file]);
    if (this.files.has(file)) return;
    if (!(await this.#add(file, 'book'))) {
      if (includers.length === 0) throw new HarborError('file_missing', `File not found: ${file}.`);
      // If the book is needed, ACL2 reports the error.
      return;
    }
    const name = file.slice(0, -'.lisp'.length);
    const below = await this.#portcullis(name);
    const later: NamedFile[] = [];
    for (const each of [...(below === null ? [] : [below]), file])
      later.push(...(await this.#addReferences(each, [...includers, file])));
    this.books.push(name);
    for (const each of later) await this.#tries(each, includers);
  }

  async #portcullis(book: string): Promise<string | null> {
    for (const file of [`${book}.acl2`, path.join(path.dirname(book), 'cert.acl2')])
      if (this.files.has(file) || (await this.#add(file, 'portcullis'))) return file;
    return null;
  }

  /**
   * Adds the files that `file` includes and loads, recursively. Returns those of its macros that would include
   * each other with it: their books may be needed only where a macro is called.
   */
  async #addReferences(file: string, includers: readonly string[]): Promise<NamedFile[]> {
    const text = this.files.get(file)?.bytes.toString('latin1') ?? '';
    const later: NamedFile[] = [];
    for (const named of namedFiles(text, file, this.#folders))
      later.push(
        ...((named.isInMacro
          ? await this.#tries(named, includers)
          : await this.#follow(named, includers)) ?? [named]),
      );
    return later;
  }

  /** As #follow. Returns null, and adds nothing, if books would include each other. */
  async #tries(named: NamedFile, includers: readonly string[]): Promise<NamedFile[] | null> {
    const books = this.books.length;
    const files = new Set(this.files.keys());
    try {
      return await this.#follow(named, includers);
    } catch (error) {
      if (!(error instanceof CircularBooks)) throw error;
      this.books.length = books;
      for (const each of this.files.keys()) if (!files.has(each)) this.files.delete(each);
      return null;
    }
  }

  /** Adds a file and all that it names. Returns references of macros in a loaded file, as #addReferences does. */
  async #follow({ file, role }: NamedFile, includers: readonly string[]): Promise<NamedFile[]> {
    if (role === 'book') await this.book(file, includers);
    else if (!this.files.has(file) && (await this.#add(file, 'loaded')))
      return this.#addReferences(file, includers);
    return [];
  }

  async #add(file: string, role: SourceText['role']): Promise<boolean> {
    if (!SOURCE.test(file)) return false;
    const bytes = await this.#readSource(file);
    if (bytes === null) return false;
    if (this.files.size === MOST_FILES)
      throw new HarborError('not_supported', `A final check is limited to ${MOST_FILES} files.`);
    this.files.set(file, { file, role: isSystemCopy(file) ? 'system' : role, bytes });
    return true;
  }
}

export function isSystemCopy(file: string): boolean {
  return file.startsWith(`${SYSTEM_FOLDER}/`);
}

/** A reference from one source to another: an included book or a loaded file. */
interface NamedFile {
  /** The path of the file, relative to the same folder as the source. */
  file: string;
  role: 'book' | 'loaded';
  /** Whether a macro has the reference. */
  isInMacro?: boolean;
}

/** Folders by keyword in upper case, for names of books. */
type BookFolders = Map<string, string>;

/**
 * Returns the references in text order. Any list that looks like an INCLUDE-BOOK counts; forms generated by
 * macros are not seen.
 * @param file the path of the text
 * @param folders known folders; definitions in the text are added
 */
export function namedFiles(text: string, file: string, folders: BookFolders): NamedFile[] {
  const { tree } = read(text, 'common-lisp');
  const found: NamedFile[] = [];
  for (const { node, parents } of walk(tree)) {
    if (!isBranch(node) || node.kind !== 'list') continue;
    const [operator = '', ...words] = wordsOf(node, text);
    const named = namedBy(operator, words, path.dirname(file), folders);
    if (named) found.push(isInMacro(parents, text) ? { ...named, isInMacro: true } : named);
  }
  return found;
}

function isInMacro(parents: readonly Branch[], text: string): boolean {
  return parents.some((each) => symbolName(wordsOf(each, text)[0] ?? '') === 'DEFMACRO');
}

function namedBy(
  operator: string,
  words: readonly string[],
  folder: string,
  folders: BookFolders,
): NamedFile | null {
  switch (symbolName(operator)) {
    case 'INCLUDE-BOOK':
      return bookNamed(words, folder, folders);
    case 'LD': {
      const file = stringIn(words[0]);
      return file === null ? null : { file: path.join(folder, file), role: 'loaded' };
    }
    case 'ADD-INCLUDE-BOOK-DIR':
    case 'ADD-INCLUDE-BOOK-DIR!': {
      const added = stringIn(words[1]);
      if (added !== null) folders.set(symbolName(words[0] ?? ''), path.join(folder, added));
      return null;
    }
    default:
      return null;
  }
}

function bookNamed(words: readonly string[], folder: string, folders: BookFolders): NamedFile | null {
  const book = stringIn(words[0]);
  if (book === null) return null;
  const dir = words.findIndex((word) => symbolName(word) === 'DIR');
  const from = dir < 0 ? folder : folders.get(symbolName(words[dir + 1] ?? ''));
  return from === undefined ? null : { file: `${path.join(from, book)}.lisp`, role: 'book' };
}

/** Returns the atoms of a list as written, and an empty string for other elements. */
function wordsOf(list: Branch, text: string): string[] {
  return formsOf(list).map((form) => (isBranch(form) ? '' : text.slice(form.start, form.end)));
}

/** Returns the symbol's name in upper case without its package. */
function symbolName(word: string): string {
  return word.slice(word.lastIndexOf(':') + 1).toUpperCase();
}

function stringIn(word: string | undefined): string | null {
  return word?.startsWith('"') && word.endsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : null;
}
