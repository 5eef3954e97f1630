/**
 * Outlines and timelines of lists. An outline has the length of a list and the first key of each page, so
 * that a scrollbar over a million entries can jump anywhere. Counting is split into slices: other queries are
 * answered between them, and a count that is no longer needed is cancelled.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { HistoryFilter, HistoryOutline, HistoryTimeline, TimelineMark } from '../../contract/history';
import {
  allKeys,
  countedByClient,
  firstKeyAt,
  isIndexed,
  keyBelow,
  keyRange,
  numberBelow,
  type Select,
  searchText,
  timeOfKey,
} from './queries';

/** Entries of a page. */
const STEP = 200;
/** Entries, or pages, counted in one slice. */
const SLICE = 20_000;
const SLICE_OF_PAGES = 1_000;

type Outline = Omit<HistoryOutline, 'unindexed'>;
type Counting = Generator<void, Omit<Outline, 'searchedSince'>>;
/** The value of a cancelled count, which is never used. */
const NOTHING: Omit<Outline, 'searchedSince'> = Object.freeze({ total: 0, step: STEP, keys: [] });
type ShortHits = (filter: HistoryFilter) => { keys: number[]; since: number | null };

export class Outlines {
  readonly #index: Database;
  readonly #shortHits: ShortHits;
  #counting: Counting | null = null;
  #newest = 0;

  /** @param shortHits returns the entries with a text that the index cannot find */
  constructor(index: Database, shortHits: ShortHits) {
    this.#index = index;
    this.#shortHits = shortHits;
  }

  /** Returns null if another outline was requested meanwhile. */
  async of(filter: HistoryFilter): Promise<Outline | null> {
    this.stop();
    const mine = this.#newest;
    const text = searchText(filter);
    if (text !== null && !isIndexed(text)) {
      const { keys, since } = this.#shortHits(filter);
      return { ...outlineOf(keys), searchedSince: since };
    }
    const counted = text === null ? this.#stepped(filter) : this.#walked(filter);
    this.#counting = counted;
    for (;;) {
      const { value, done } = counted.next();
      if (done) return { ...value, searchedSince: null };
      await nextTurn();
      if (this.#newest !== mine) return null;
    }
  }

  /** Cancels the current count and closes its statement, which would otherwise keep its snapshot of the index. */
  stop(): void {
    this.#newest += 1;
    this.#counting?.return(NOTHING);
    this.#counting = null;
  }

  /** Counts entry by entry, for a full-text search. */
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

  /** Counts page by page, which takes SQLite a tenth of the time. */
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

// A timeline counts the entries of each client in spans of time. It is cancelled like an outline.

/** Spans that a window of usual width can show. */
const SPANS = 96;

interface Counted {
  client: string;
  what: 'evaluations' | 'edits' | 'calls' | 'refusals';
  number: number;
  evaluation: number | null;
  call: number | null;
}

export class Timelines {
  readonly #index: Database;
  #newest = 0;

  constructor(index: Database) {
    this.#index = index;
  }

  /** Returns null if another timeline was requested meanwhile, and for a text that the index cannot find. */
  async of(filter: HistoryFilter): Promise<HistoryTimeline | null> {
    this.#newest += 1;
    const mine = this.#newest;
    const text = searchText(filter);
    if (text !== null && !isIndexed(text)) return null;
    const [range] = this.#all<{ low: number | null; high: number | null }>(keyRange(filter));
    if (!range || range.low === null || range.high === null) return { from: 0, step: 1, spans: 0, marks: [] };
    const from = timeOfKey(range.low);
    const step = Math.max(1, Math.ceil((timeOfKey(range.high) + 1 - from) / SPANS));
    const marks: TimelineMark[] = [];
    for (let span = 0; span < SPANS; span += 1) {
      const keys = { above: firstKeyAt(from + span * step) - 1, below: firstKeyAt(from + (span + 1) * step) };
      marks.push(...marksOf(this.#all<Counted>(countedByClient(filter, keys)), span));
      await nextTurn();
      if (this.#newest !== mine) return null;
    }
    return { from, step, spans: SPANS, marks };
  }

  #all<Row>({ sql, parameters }: Select): Row[] {
    return this.#index.prepare<(string | number)[], Row>(sql).all(...parameters);
  }
}

/** @param counted newest first */
function marksOf(counted: readonly Counted[], span: number): TimelineMark[] {
  const marks = new Map<string, TimelineMark>();
  for (const { client, what, number, evaluation, call } of counted) {
    const none = { evaluations: 0, edits: 0, calls: 0, refusals: 0 };
    const mark = marks.get(client) ?? { client, span, ...none, newest: { evaluation, call } };
    mark[what] = number;
    marks.set(client, mark);
  }
  return [...marks.values()];
}
