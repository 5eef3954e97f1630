/**
 * The lock on trust tags, which are the only way from ACL2 code to raw Lisp, and the trust issues of an open
 * lock.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import type { TrustIssue } from '../../contract/proof';
import { isWithin } from '../../sandbox/paths';
import type { RawLispLock } from '../world';

/** Added by the harbor, because the image could omit it. */
const RAW_LISP_ALLOWED: TrustIssue = {
  kind: 'raw-lisp-allowed',
  about: [
    'a user has allowed trust tags, raw Lisp and compiled files of all books; any result of this session could be forged',
  ],
};

const HOW_TO_ALLOW =
  'A user can allow tags of certified system books by name: “Allow trust tags…” in the session menu, `acl2TrustTags` in the settings, or `--trust-tags NAMES`; or allow everything: “Allow raw Lisp…” in the session menu.';

const LOCKED = `Trust tags are locked in this session, because code with a trust tag can run raw Lisp and forge results. ${HOW_TO_ALLOW}`;

/** Returns advice for the error of a form that needs a trust tag; null for other errors. */
export function trustTagAdvice(message: string): string | null {
  return /is\s+not\s+among\s+the\s+set\s+of\s+ttags\s+permitted/.test(message) ? LOCKED : null;
}

/** Returns those of the names that certified system books use, with the books. */
type FindTags = (names: readonly string[]) => Promise<AllowedTag[]>;

export class OneWayLock implements RawLispLock {
  readonly #find: FindTags;
  readonly #everywhere: () => readonly string[];
  #allowed = false;
  #tags: readonly string[] = [];
  readonly #used = new Set<string>();

  /** @param everywhere returns the names of the tags allowed for all images */
  constructor(find: FindTags, everywhere: () => readonly string[]) {
    this.#find = find;
    this.#everywhere = everywhere;
  }

  get allowed(): boolean {
    return this.#allowed;
  }

  get trustTags(): readonly string[] {
    return this.#tags;
  }

  get permanentIssues(): readonly TrustIssue[] {
    return [
      ...(this.#allowed ? [RAW_LISP_ALLOWED] : []),
      ...(this.#used.size > 0 ? [{ kind: 'trust-tag' as const, about: [...this.#used] }] : []),
    ];
  }

  allow(): void {
    this.#allowed = true;
  }

  async allowTrustTags(names: readonly string[]): Promise<void> {
    const wanted = names.map(tagName);
    const found = new Set((await this.#find(wanted)).map(([name]) => name));
    const unknown = wanted.filter((name) => !found.has(name));
    if (unknown.length > 0)
      throw new HarborError(
        'bad_arguments',
        `No certified system book uses a trust tag of this name: ${unknown.join(', ')}.`,
      );
    this.#tags = [...new Set([...this.#tags, ...wanted])];
  }

  /** Returns the trust tags that code may use now; true for all. */
  async allowedTags(): Promise<true | AllowedTag[]> {
    return this.#allowed || this.#find([...this.#tags, ...this.#everywhere()]);
  }

  /**
   * Returns those of the tags that the user has allowed, as `allowedTags` does.
   * @throws HarborError `not_approved` for others
   */
  async requireTags(names: readonly string[]): Promise<AllowedTag[]> {
    const allowed = await this.allowedTags();
    if (allowed === true) return names.map((name) => [tagName(name)]);
    const wanted = new Set(names.map(tagName));
    const found = allowed.filter(([name]) => wanted.delete(name));
    if (wanted.size === 0) return found;
    throw new HarborError(
      'not_approved',
      `A user has not allowed these trust tags: ${[...wanted].join(', ')}. ${HOW_TO_ALLOW}`,
    );
  }

  /** Copies the permissions of `other`, the lock of the image that this one works for. */
  copyFrom(other: OneWayLock): void {
    this.#allowed = other.#allowed;
    this.#tags = other.#tags;
  }

  /**
   * Records used tags. A tag that was used has run raw Lisp, even if it was undone, so all later results of
   * the image have this issue.
   */
  noteUsed(issues: readonly TrustIssue[]): void {
    for (const { kind, about } of issues)
      if (kind === 'trust-tag') for (const tag of about) this.#used.add(tag);
  }
}

/** The name of a tag and the books that may use it. */
export type AllowedTag = readonly [name: string, ...books: string[]];

/** Maximum files read in parallel. */
const PARALLEL_READS = 32;

const DEFTTAG = /\(defttag(?:-muffled)?\s+(?:acl2::|:)?([^\s()'`,;"|#:]+)/gi;

/** Normalizes a tag name as ACL2 names the keyword. A leading colon is optional. */
function tagName(name: string): string {
  return name.trim().replace(/^:/, '').toUpperCase();
}

/**
 * Trust tags of the system books. A user can allow them by name, for these books only: another book that
 * uses the same tag name gets no permission.
 */
export class SystemTrustTags {
  readonly #books: string | undefined;
  #found: Promise<ReadonlyMap<string, readonly string[]>> | null = null;

  /** @param books the real path of the folder of system books */
  constructor(books: string | undefined) {
    this.#books = books;
  }

  /** Returns those of `names` that certified books use, without books in the folders `writable`. */
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
  for (let at = 0; at < books.length; at += PARALLEL_READS)
    await Promise.all(
      books.slice(at, at + PARALLEL_READS).map(async (book) => {
        const text = await readFile(book, 'latin1').catch(() => '');
        for (const [, tag = ''] of new Set(text.matchAll(DEFTTAG))) {
          const known = tags.get(tagName(tag)) ?? [];
          if (!known.includes(book)) tags.set(tagName(tag), [...known, book]);
        }
      }),
    );
  return tags;
}

/** Returns the books that have a certificate. ACL2 checks its validity when it includes the book. */
async function certifiedBooks(folder: string): Promise<string[]> {
  const names = new Set(await readdir(folder, { recursive: true }));
  return [...names]
    .filter((name) => name.endsWith('.lisp') && names.has(name.replace(/lisp$/, 'cert')))
    .map((name) => path.join(folder, name))
    .sort();
}
