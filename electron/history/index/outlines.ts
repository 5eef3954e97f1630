/**
 * How long a list is and where each page of it begins, so that a scrollbar over a million entries goes anywhere. Counting
 * takes its time; other questions are answered meanwhile, and one that nobody waits for any more is given up.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { HistoryFilter, HistoryOutline } from '../../contract/history';
import { allKeys, isIndexed, searchText } from './entry-select';

/** Entries of a page. */
const STEP = 200;
/** Entries counted before others have their turn. */
const SLICE = 20_000;

type Outline = Omit<HistoryOutline, 'unindexed'>;
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
    const { sql, parameters } = allKeys(filter);
    const all = this.#index.prepare<(string | number)[], number>(sql).pluck();
    const keys: number[] = [];
    let total = 0;
    for (const key of all.iterate(...parameters)) {
      if (total % STEP === 0) keys.push(key);
      total += 1;
      if (total % SLICE > 0) continue;
      await nextTurn();
      if (this.#newest !== mine) return null;
    }
    return { total, step: STEP, keys, searchedSince: null };
  }
}

function outlineOf(keys: readonly number[]): Omit<Outline, 'searchedSince'> {
  return { total: keys.length, step: STEP, keys: keys.filter((_, index) => index % STEP === 0) };
}
