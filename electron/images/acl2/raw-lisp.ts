/** ACL2's lock of trust tags, the only way from ACL2's code to raw Lisp, and what every result says once it is open. */
import { HarborError } from '../../contract/errors';
import type { TrustIssue } from '../../contract/proof';
import type { RawLispLock } from '../world';
import { type AllowedTag, tagName } from './system-trust-tags';

/** Told by the harbor itself: the image could leave it out. */
const RAW_LISP_ALLOWED: TrustIssue = {
  kind: 'raw-lisp-allowed',
  about: [
    'a person has allowed trust tags, raw Lisp and the compiled files of any book: every result of this session could be forged',
  ],
};

const LOCKED =
  'Trust tags are locked in this session: with one, code gets to raw Lisp, where it could forge any result. A person can unlock those of the system’s certified books by name, by “Allow trust tags…” in the menu of the session, `acl2TrustTags` in the settings or `--trust-tags NAMES`; all, by “Allow raw Lisp…” in the menu of the session.';

/** What can be done about the error of a form that wanted a trust tag; null of any other. */
export function trustTagAdvice(message: string): string | null {
  return /is\s+not\s+among\s+the\s+set\s+of\s+ttags\s+permitted/.test(message) ? LOCKED : null;
}

/** Those of the names that certified books of the system have, with these books. */
export type FindTags = (names: readonly string[]) => Promise<AllowedTag[]>;

export class OneWayLock implements RawLispLock {
  readonly #find: FindTags;
  readonly #everywhere: () => readonly string[];
  #allowed = false;
  #tags: readonly string[] = [];
  readonly #used = new Set<string>();

  /** @param everywhere names of tags that a person has allowed to all images, which may change */
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

  get standing(): readonly TrustIssue[] {
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
        `No certified book of the system has a trust tag of this name: ${unknown.join(', ')}.`,
      );
    this.#tags = [...new Set([...this.#tags, ...wanted])];
  }

  /** What code may use now: all tags, or these. */
  async open(): Promise<true | AllowedTag[]> {
    return this.#allowed || this.#find([...this.#tags, ...this.#everywhere()]);
  }

  /** Becomes as open as `other`, the lock of the image for which this one works. */
  openAs(other: OneWayLock): void {
    this.#allowed = other.#allowed;
    this.#tags = other.#tags;
  }

  /** A tag that was once used has run raw Lisp, whatever was undone since: results of the image say so to its end. */
  noteUsed(issues: readonly TrustIssue[]): void {
    for (const { kind, about } of issues)
      if (kind === 'trust-tag') for (const tag of about) this.#used.add(tag);
  }
}
