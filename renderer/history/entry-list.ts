/**
 * A list of history entries that keeps only the viewed pages in memory. An outline has the total and the
 * first key of each page; pages are loaded on demand and dropped when there are many; new entries precede the
 * first page.
 */

import type {
  HistoryEntry,
  HistoryFilter,
  HistoryOutline,
  HistoryFilter as HistoryQuery,
} from '../../electron/contract/history';
import type { Since, HistoryFilter as ViewFilter } from '../view-state';

/** Loads entries and outlines from the main process. */
export interface EntrySource {
  entries: (
    filter: HistoryFilter,
    page: { below?: number; upTo?: number; above?: number; limit: number },
  ) => Promise<HistoryEntry[]>;
  outline: (filter: HistoryFilter) => Promise<HistoryOutline | null>;
}

/** Entries per request, and per step of the outline. */
const PAGE = 200;
/** Maximum number of pages in memory, most recently viewed. */
const MAX_PAGES = 40;
/**
 * Maximum number of concurrent requests. A view covers at most two pages; pages that are only scrolled past
 * are not loaded.
 */
const AT_A_TIME = 2;

export class EntryList {
  readonly filter: HistoryFilter;
  readonly #source: EntrySource;
  readonly #listeners = new Set<() => void>();
  readonly #coming = new Set<number>();
  /** Pages that failed to load. They are requested again after the next change. */
  readonly #failed = new Set<number>();
  /** The range viewed last. */
  #seen = { first: 0, end: 0 };
  /** The newest entries: all that are newer than the outline, and some older ones. */
  #newest: readonly HistoryEntry[] = [];
  /** Number of `#newest` entries that the outline does not count. */
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

  /** Changes whenever the rendered content changes. */
  get version(): number {
    return this.#version;
  }

  /** Whether the first entries are loaded. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Null until the entries are counted. */
  get outline(): HistoryOutline | null {
    return this.#outline;
  }

  /** Whether more entries will appear without new events, because indexing continues. */
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

  /** Returns the entry at an index, newest first; undefined if its page is not loaded. */
  at(index: number): HistoryEntry | undefined {
    const newest = this.#newest[index];
    if (newest !== undefined || this.#outline === null) return newest;
    const place = index - this.#above;
    return this.#pages.get(Math.floor(place / PAGE))?.[place % PAGE];
  }

  /** Returns the index of a key, approximate if its page is not loaded; -1 if unknown. */
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

  /**
   * Requests the entries from `first` to before `end`, unless they are loaded. A later call replaces the
   * request.
   */
  want(first: number, end: number): void {
    this.#seen = { first, end };
    const outline = this.#outline;
    if (!outline) return;
    const from = Math.max(0, Math.floor((first - this.#above) / PAGE));
    const to = Math.min(outline.keys.length - 1, Math.floor((end - 1 - this.#above) / PAGE));
    for (let page = from; page <= to; page += 1) void this.#bring(page, outline);
  }

  /** Loads new entries. Calls during a refresh cause one more refresh. */
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

  /** Loads a new outline together with the viewed page, so that the view does not flicker. */
  async #count(): Promise<void> {
    const outline = await this.#source.outline(this.filter);
    if (outline === null) return;
    const seen = this.at(this.#seen.first)?.key ?? Number.POSITIVE_INFINITY;
    const first = Math.max(0, lastAtLeast(outline.keys, seen));
    const pages = new Map<number, readonly HistoryEntry[]>();
    for (const page of [first, first + 1]) {
      if (outline.keys[page] !== undefined) pages.set(page, await this.#page(page, outline));
    }
    // Requested after counting, so that no entry is missed.
    this.#place(await this.#source.entries(this.filter, { limit: PAGE }), outline);
    this.#pages = pages;
    this.#changed();
  }

  async #bring(page: number, outline: HistoryOutline): Promise<void> {
    const known = this.#pages.get(page);
    if (known) {
      // Keeps the most recently viewed pages.
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
    // Loads what is viewed now, which had to wait.
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
      if (this.#pages.size <= MAX_PAGES) return;
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

/** Returns the last index whose key is at least `key`, in descending keys; -1 if none. */
function lastAtLeast(keys: readonly number[], key: number): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? 0) >= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const HOUR = 3_600_000;
const SPANS: Readonly<Record<Since, number>> = {
  hour: HOUR,
  day: 24 * HOUR,
  week: 168 * HOUR,
  month: 720 * HOUR,
};

/** Converts the filter of the view to a query. @param now milliseconds since the epoch */
export function queryOf({ query, since, ...rest }: ViewFilter, now: number): HistoryQuery {
  const chosen = Object.entries(rest).filter(([, value]) => value !== null);
  const text = query.trim();
  return {
    ...Object.fromEntries(chosen),
    ...(text === '' ? {} : { query: text }),
    ...(since === null ? {} : { from: now - SPANS[since] }),
  };
}

/** Reports whether the filter excludes anything. */
export function isNarrowed({ query, ...rest }: ViewFilter): boolean {
  return query.trim() !== '' || Object.values(rest).some((value) => value !== null);
}
