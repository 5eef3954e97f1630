/**
 * How long a list is and where each page of it begins, so that a scrollbar over a million entries goes anywhere. Counting
 * takes its time; other questions are answered meanwhile, and one that nobody waits for any more is given up.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { HistoryFilter, HistoryOutline } from '../../contract/history';
import { allKeys, isIndexed, keyBelow, numberBelow, type Select, searchText } from './entry-select';

/** Entries of a page. */
const STEP = 200;
/** Entries counted before others have their turn, one by one and by the page. */
const SLICE = 20_000;
const SLICE_OF_PAGES = 1_000;

type Outline = Omit<HistoryOutline, 'unindexed'>;
type Counting = Generator<void, Omit<Outline, 'searchedSince'>>;
type ShortHits = (filter: HistoryFilter) => { keys: number[]; since: number | null };

export class Outlines {
  readonly #index: Database;
  readonly #shortHits: ShortHits;
  #newest = 0;

  /** @param shortHits the entries in which a text is that no index finds */
  constructor(index: Database, shortHits: ShortHits) {
    this.#index = index;
    this.#shortHits = shortHits;
  }

  /** Null when another one was asked for meanwhile. */
  async of(filter: HistoryFilter): Promise<Outline | null> {
    this.#newest += 1;
    const mine = this.#newest;
    const text = searchText(filter);
    if (text !== null && !isIndexed(text)) {
      const { keys, since } = this.#shortHits(filter);
      return { ...outlineOf(keys), searchedSince: since };
    }
    const counted = text === null ? this.#stepped(filter) : this.#walked(filter);
    for (;;) {
      const { value, done } = counted.next();
      if (done) return { ...value, searchedSince: null };
      await nextTurn();
      if (this.#newest !== mine) return null;
    }
  }

  /** Entry by entry, as the index of texts finds them. */
  *#walked(filter: HistoryFilter): Counting {
    const { sql, parameters } = allKeys(filter);
    const all = this.#index.prepare<(string | number)[], number>(sql).pluck();
    const keys: number[] = [];
    let total = 0;
    for (const key of all.iterate(...parameters)) {
      if (total % STEP === 0) keys.push(key);
      total += 1;
      if (total % SLICE === 0) yield;
    }
    return { total, step: STEP, keys };
  }

  /** From page to page, which takes SQLite a tenth of the time. */
  *#stepped(filter: HistoryFilter): Counting {
    const keys: number[] = [];
    let key = this.#number(keyBelow(filter, Number.MAX_SAFE_INTEGER, 1));
    while (key !== undefined) {
      keys.push(key);
      if (keys.length % SLICE_OF_PAGES === 0) yield;
      key = this.#number(keyBelow(filter, key, STEP));
    }
    const last = keys.at(-1);
    if (last === undefined) return { total: 0, step: STEP, keys };
    const rest = this.#number(numberBelow(filter, last)) ?? 0;
    return { total: (keys.length - 1) * STEP + 1 + rest, step: STEP, keys };
  }

  #number({ sql, parameters }: Select): number | undefined {
    return this.#index
      .prepare<(string | number)[], number>(sql)
      .pluck()
      .get(...parameters);
  }
}

function outlineOf(keys: readonly number[]): Omit<Outline, 'searchedSince'> {
  return { total: keys.length, step: STEP, keys: keys.filter((_, index) => index % STEP === 0) };
}
