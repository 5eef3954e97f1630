/**
 * A list of history entries of which only what is looked at is in the page: an outline says how many there are and where each
 * page begins, pages come when they are wanted and go when they are many, and what is new stands before the first of them.
 */
import type { HistoryEntry, HistoryFilter, HistoryOutline } from '../../electron/contract/history';

/** What the list asks main. */
export interface EntrySource {
  entries: (
    filter: HistoryFilter,
    page: { below?: number; upTo?: number; above?: number; limit: number },
  ) => Promise<HistoryEntry[]>;
  outline: (filter: HistoryFilter) => Promise<HistoryOutline | null>;
}

/** Entries asked for at once: the step of an outline. */
const PAGE = 200;
/** Pages kept: those looked at last. */
const KEPT_PAGES = 40;
/** Pages asked for at a time: what is in sight lies in two at most. Who scrolls on meanwhile passes others by, which never come. */
const AT_A_TIME = 2;

export class EntryList {
  readonly filter: HistoryFilter;
  readonly #source: EntrySource;
  readonly #listeners = new Set<() => void>();
  readonly #coming = new Set<number>();
  /** Pages that did not come: they are asked for again once something has happened. */
  readonly #failed = new Set<number>();
  /** The places that were looked at last. */
  #seen = { first: 0, end: 0 };
  /** The newest entries: all that are newer than the outline, and some more. */
  #newest: readonly HistoryEntry[] = [];
  /** How many of those the outline does not count. */
  #above = 0;
  #outline: HistoryOutline | null = null;
  #pages = new Map<number, readonly HistoryEntry[]>();
  #busy = false;
  #again = false;
  #version = 0;
  #error: Error | null = null;
  #loaded = false;

  constructor(filter: HistoryFilter, source: EntrySource) {
    this.filter = filter;
    this.#source = source;
  }

  /** Changes with everything that is drawn. */
  get version(): number {
    return this.#version;
  }

  /** Whether the first entries are there. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Null until they have been counted. */
  get outline(): HistoryOutline | null {
    return this.#outline;
  }

  /** Whether there is more of it to come, though nothing happens: what is not indexed yet. */
  get isGrowing(): boolean {
    return this.#outline === null || this.#outline.unindexed > 0;
  }

  get error(): Error | null {
    return this.#error;
  }

  get total(): number {
    return this.#outline === null ? this.#newest.length : this.#above + this.#outline.total;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** The entry in that place, newest first; undefined while its page is not there. */
  at(index: number): HistoryEntry | undefined {
    const newest = this.#newest[index];
    if (newest !== undefined || this.#outline === null) return newest;
    const place = index - this.#above;
    return this.#pages.get(Math.floor(place / PAGE))?.[place % PAGE];
  }

  /** The place of a key, be it about where its page is not there; -1 where no place can be told. */
  indexOf(key: number): number {
    const found = this.#newest.findIndex((entry) => entry.key === key);
    if (found >= 0) return found;
    const keys = this.#outline?.keys;
    if (!keys || keys.length === 0) return -1;
    const page = lastAtLeast(keys, key);
    if (page < 0) return -1;
    const within = this.#pages.get(page)?.findIndex((entry) => entry.key <= key) ?? 0;
    return this.#above + page * PAGE + Math.max(0, within);
  }

  /** Has the entries from `first` to before `end` brought, if they are not there and until others are wanted. */
  want(first: number, end: number): void {
    this.#seen = { first, end };
    const outline = this.#outline;
    if (!outline) return;
    const from = Math.max(0, Math.floor((first - this.#above) / PAGE));
    const to = Math.min(outline.keys.length - 1, Math.floor((end - 1 - this.#above) / PAGE));
    for (let page = from; page <= to; page += 1) void this.#bring(page, outline);
  }

  /** Something has begun or ended, or nothing is there yet: asks for what is new, once more if that comes meanwhile. */
  async refresh(): Promise<void> {
    this.#again = true;
    this.#failed.clear();
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#again) {
        this.#again = false;
        await this.#refresh();
      }
      this.#error = null;
    } catch (error) {
      this.#error = error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#busy = false;
      this.#changed();
    }
  }

  async #refresh(): Promise<void> {
    this.#place(await this.#source.entries(this.filter, { limit: PAGE }), this.#outline);
    this.#loaded = true;
    this.#changed();
    const leave = this.filter.outcome === 'running' || this.filter.outcome === 'debugger';
    if (this.isGrowing || leave || this.#above === PAGE) await this.#count();
  }

  /** Another outline, with the page that is looked at, so that nothing is seen of the change. */
  async #count(): Promise<void> {
    const outline = await this.#source.outline(this.filter);
    if (outline === null) return;
    const seen = this.at(this.#seen.first)?.key ?? Number.POSITIVE_INFINITY;
    const first = Math.max(0, lastAtLeast(outline.keys, seen));
    const pages = new Map<number, readonly HistoryEntry[]>();
    for (const page of [first, first + 1]) {
      if (outline.keys[page] !== undefined) pages.set(page, await this.#page(page, outline));
    }
    // Asked for after they were counted, so that none falls between.
    this.#place(await this.#source.entries(this.filter, { limit: PAGE }), outline);
    this.#pages = pages;
    this.#changed();
  }

  async #bring(page: number, outline: HistoryOutline): Promise<void> {
    const known = this.#pages.get(page);
    if (known) {
      // The last that were looked at stay longest.
      this.#pages.delete(page);
      this.#pages.set(page, known);
      return;
    }
    if (this.#coming.has(page) || this.#failed.has(page) || this.#coming.size >= AT_A_TIME) return;
    this.#coming.add(page);
    try {
      const entries = await this.#page(page, outline);
      if (this.#outline === outline) this.#keep(page, entries);
    } catch (error) {
      this.#failed.add(page);
      this.#error = error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#coming.delete(page);
      this.#changed();
    }
    // What is looked at by now, which had to wait.
    this.want(this.#seen.first, this.#seen.end);
  }

  async #page(page: number, { keys }: HistoryOutline): Promise<readonly HistoryEntry[]> {
    const upTo = keys[page] ?? 0;
    const next = keys[page + 1] ?? Number.NEGATIVE_INFINITY;
    const entries = await this.#source.entries(this.filter, { upTo, limit: PAGE });
    return entries.filter(({ key }) => key > next);
  }

  #keep(page: number, entries: readonly HistoryEntry[]): void {
    this.#pages.set(page, entries);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= KEPT_PAGES) return;
      this.#pages.delete(oldest);
    }
  }

  #place(newest: readonly HistoryEntry[], outline: HistoryOutline | null): void {
    const first = outline?.keys[0] ?? Number.NEGATIVE_INFINITY;
    this.#newest = newest;
    this.#outline = outline;
    this.#above = newest.filter(({ key }) => key > first).length;
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

/** The last of the descending keys that is not below `key`; -1 for none. */
function lastAtLeast(keys: readonly number[], key: number): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? 0) >= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
