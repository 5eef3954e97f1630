/**
 * Which books of a world are foreign: those that are not the system's, or that the session itself may write to. The harbor
 * decides it by their paths and asks no image, whose own word is worth nothing once it was taken over.
 */
import path from 'node:path';
import type { TrustIssue } from '../../contract/proof';
import { isWithin } from '../../sandbox/project-rules';
import { realPath } from '../../sandbox/real-path';

/** Of foreign books, those that an issue names. */
const NAMED = 50;

/** Where the system's books are. */
export class SystemBooks {
  /** Their folder, by its real path; undefined where there is none. */
  readonly folder: string | undefined;
  /** Real paths of the folders that the session may write to. */
  readonly writable: readonly string[];

  constructor(folder: string | undefined, writable: readonly string[]) {
    this.folder = folder;
    this.writable = [...new Set(writable.map(realPath))];
  }

  /** A path that leads through a link, or a dot, is taken as it is written. The image refuses compiled files by this rule too. */
  has(book: string): boolean {
    return (
      this.folder !== undefined &&
      path.posix.normalize(book) === book &&
      isWithin(book, this.folder, process.platform) &&
      !this.writable.some((folder) => isWithin(book, folder, process.platform))
    );
  }
}

interface TellsBooks {
  books: readonly string[] | null;
  issues: TrustIssue[];
}

/** The books of one image's world, as its records tell them. */
export class IncludedBooks {
  readonly #system: SystemBooks;
  #issues: readonly TrustIssue[] = [];

  constructor(system: SystemBooks) {
    this.#system = system;
  }

  /** The record with what its world's books do to trust. Records come in the order in which they were told. */
  judged<R extends TellsBooks>(record: R): R {
    if (record.books) this.#issues = this.#foreign(record.books);
    return { ...record, issues: [...record.issues, ...this.#issues] };
  }

  #foreign(books: readonly string[]): TrustIssue[] {
    const foreign = books.filter((book) => !this.#system.has(book));
    if (foreign.length === 0) return [];
    const more = foreign.length - NAMED;
    return [
      {
        kind: 'outside-book',
        about: [...foreign.slice(0, NAMED), ...(more > 0 ? [`and ${more} more`] : [])],
      },
    ];
  }
}
