/**
 * Trust tags of the system's own books, so that a person may allow them by name, to those books alone: a book that anybody
 * could have written gets none by calling its own tag the same.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isWithin } from '../../sandbox/project-rules';

/** A tag by its name, and the books that may use it. */
export type AllowedTag = readonly [name: string, ...books: string[]];

/** Files that are read at once. */
const AT_ONCE = 32;

const DEFTTAG = /\(defttag(?:-muffled)?\s+(?:acl2::|:)?([^\s()'`,;"|#:]+)/gi;

/** As ACL2 has the name of a keyword, which may be given with its colon. */
export function tagName(given: string): string {
  return given.trim().replace(/^:/, '').toUpperCase();
}

export class SystemTrustTags {
  readonly #books: string | undefined;
  #found: Promise<ReadonlyMap<string, readonly string[]>> | null = null;

  /** @param books the real path of the folder of the system's books */
  constructor(books: string | undefined) {
    this.#books = books;
  }

  /** Those of `names` that certified books have, without books that are in one of the folders `writable`. */
  async of(names: readonly string[], writable: readonly string[]): Promise<AllowedTag[]> {
    if (names.length === 0) return [];
    const found = await this.#look();
    return [...new Set(names.map(tagName))].flatMap((name) => {
      const books = (found.get(name) ?? []).filter(
        (book) => !writable.some((folder) => isWithin(book, folder, process.platform)),
      );
      return books.length === 0 ? [] : [[name, ...books] as const];
    });
  }

  #look(): Promise<ReadonlyMap<string, readonly string[]>> {
    this.#found ??= tagsOf(this.#books);
    return this.#found;
  }
}

async function tagsOf(folder: string | undefined): Promise<ReadonlyMap<string, readonly string[]>> {
  const tags = new Map<string, string[]>();
  if (folder === undefined) return tags;
  const books = await certifiedBooks(folder);
  for (let at = 0; at < books.length; at += AT_ONCE)
    await Promise.all(
      books.slice(at, at + AT_ONCE).map(async (book) => {
        const text = await readFile(book, 'latin1').catch(() => '');
        for (const [, tag = ''] of new Set(text.matchAll(DEFTTAG))) {
          const known = tags.get(tagName(tag)) ?? [];
          if (!known.includes(book)) tags.set(tagName(tag), [...known, book]);
        }
      }),
    );
  return tags;
}

/** Those with a certificate beside them. Whether it holds ACL2 says when it includes the book. */
async function certifiedBooks(folder: string): Promise<string[]> {
  const names = new Set(await readdir(folder, { recursive: true }));
  return [...names]
    .filter((name) => name.endsWith('.lisp') && names.has(name.replace(/lisp$/, 'cert')))
    .map((name) => path.join(folder, name))
    .sort();
}
