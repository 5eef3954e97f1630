/**
 * The books that come with ACL2 (`:dir :system`), and which books of a world are foreign. The harbor decides
 * this by path, because an image that was taken over could lie.
 */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { TrustIssue } from '../../contract/proof';
import { isWithin, realPath } from '../../sandbox/paths';

/** Maximum foreign books named in an issue. */
const MOST_NAMED = 50;

/** The location of the system books. */
export class SystemBooks {
  /** Real path of the folder; undefined if there are no books. */
  readonly folder: string | undefined;
  /** Real paths of folders that the session can write to. */
  readonly writable: readonly string[];

  constructor(folder: string | undefined, writable: readonly string[]) {
    this.folder = folder;
    this.writable = [...new Set(writable.map(realPath))];
  }

  /**
   * Reports whether `book` is a system book. Links and dots in the path are not resolved: such a path is not
   * one. The image applies the same rule to compiled files.
   */
  has(book: string): boolean {
    return (
      this.folder !== undefined &&
      path.posix.normalize(book) === book &&
      isWithin(book, this.folder, process.platform) &&
      !this.writable.some((folder) => isWithin(book, folder, process.platform))
    );
  }
}

interface BooksRecord {
  books: readonly string[] | null;
  issues: TrustIssue[];
}

/** The books of an image's world, according to its records. */
export class IncludedBooks {
  readonly #system: SystemBooks;
  #issues: readonly TrustIssue[] = [];

  constructor(system: SystemBooks) {
    this.#system = system;
  }

  /**
   * Returns the record with the trust issues of the included books added. Call it in the order of the
   * records.
   */
  withBookIssues<R extends BooksRecord>(record: R): R {
    if (record.books) this.#issues = this.#foreign(record.books);
    return { ...record, issues: [...record.issues, ...this.#issues] };
  }

  #foreign(books: readonly string[]): TrustIssue[] {
    const foreign = books.filter((book) => !this.#system.has(book));
    if (foreign.length === 0) return [];
    const more = foreign.length - MOST_NAMED;
    return [
      {
        kind: 'outside-book',
        about: [...foreign.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])],
      },
    ];
  }
}

export interface BooksProblem {
  /** The problem and its remedy in a sentence. */
  sentence: string;
  /** Whether the user configured a folder without books. */
  named: boolean;
}

const INSTALL_ADVICE =
  'On Debian and Ubuntu, `apt install acl2-books` installs them (2.4 GB). Elsewhere, set their folder with `--books DIR` or the environment variable ACL2_BOOKS. Sessions that start afterwards have them.';

/** @param named a folder that the user configured; it takes precedence */
export async function findBooks(
  image: string,
  named: string | undefined,
): Promise<{ books: string | undefined; booksProblem: BooksProblem | null }> {
  const books = await firstWithBooks([named, ...usualBooks(image)]);
  return { books, booksProblem: await problemOf(books, named) };
}

async function problemOf(books: string | undefined, named: string | undefined): Promise<BooksProblem | null> {
  const wrong = named !== undefined && !(await holdsBooks(named));
  if (wrong && books !== undefined)
    return { sentence: `${named} contains no ACL2 books. Using those in ${books}.`, named: true };
  if (books !== undefined) return null;
  const where = wrong ? `${named} contains no ACL2 books` : 'ACL2’s books are not installed';
  return { sentence: `${where}. ${INSTALL_ADVICE}`, named: wrong };
}

/**
 * Returns advice for the error of a form that needs the folder of system books; null for other errors.
 * @param folder the folder that ACL2 uses, which may not exist
 */
export function booksAdvice(
  message: string,
  folder: string | null,
  problem: BooksProblem | null,
): string | null {
  const looked = folder !== null && message.includes(folder) && /does\s+not\s+exist/.test(message);
  return looked && problem ? problem.sentence : null;
}

/**
 * Returns the usual folders: next to the image, and Debian's: /usr/share/acl2-8.5dfsg for an image in
 * /usr/lib/acl2-8.5dfsg.
 */
function usualBooks(image: string): string[] {
  const folder = path.dirname(image);
  return [path.join(folder, 'books'), path.join('/usr/share', path.basename(folder), 'books')];
}

async function firstWithBooks(folders: readonly (string | undefined)[]): Promise<string | undefined> {
  for (const folder of folders)
    if (folder !== undefined && (await holdsBooks(folder))) return realpath(folder);
  return undefined;
}

/**
 * Reports whether `folder` contains books. Debian keeps compiled files in a folder of the same name that
 * contains no book.
 */
async function holdsBooks(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some(({ name }) => name.endsWith('.lisp'))) return true;
  for (const { name } of entries) {
    const names = await readdir(path.join(folder, name)).catch(() => []);
    if (names.some((inside) => inside.endsWith('.lisp'))) return true;
  }
  return false;
}
