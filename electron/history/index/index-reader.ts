/** Answers what is asked of the history's index. Runs in a thread of its own, over connections that cannot write the history. */
import Sqlite, { type Database } from 'better-sqlite3';
import type { HistoryEntry, HistoryFacets, HistoryFilter, HistoryOutline } from '../../contract/history';
import { EngineName, type HistoryPage, type HistoryQuery } from '../../contract/model';
import { wholeness } from '../database';
import { isDamage, whyUnwritable } from '../database-errors';
import { asPage, pageSelect, type SelectedRow, selectRows } from '../page';
import { type EntryIds, EntryRows } from './entry-rows';
import { type EntryFilter, isIndexed, type PageKeys, pageOfEntries, searchText } from './entry-select';
import { Indexer } from './indexer';
import { timeOfKey } from './keys';
import { Outlines } from './outlines';
import type { IndexThreadData, Questions } from './questions';
import { indexFile, openIndex, removeIndex } from './schema';
import { ShortTexts } from './short-texts';
import { Timelines } from './timelines';

/** How long a question may wait for what came before the index, in milliseconds. */
const PATIENCE_MS = 150;

/** Sessions to filter by, at most. */
const SESSIONS = 200;

export class IndexReader {
  readonly #file: string;
  readonly #callsBefore: number;
  readonly #history: Database;
  readonly #rows: EntryRows;
  readonly #short: ShortTexts;
  #index: Database;
  #read: Database;
  #indexer: Indexer;
  #outlines: Outlines;
  #timelines: Timelines;

  constructor({ file, callsBefore }: IndexThreadData) {
    this.#file = indexFile(file);
    this.#callsBefore = callsBefore;
    this.#history = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 5_000 });
    this.#rows = new EntryRows(this.#history);
    this.#short = new ShortTexts(this.#history);
    ({
      index: this.#index,
      read: this.#read,
      indexer: this.#indexer,
      outlines: this.#outlines,
      timelines: this.#timelines,
    } = this.#open());
  }

  /** Answers a question, with all in the index that the history has by now. @param closed evaluations that have changed */
  async answer<Q extends keyof Questions>(
    name: Q,
    args: Questions[Q]['args'],
    closed: readonly number[],
  ): Promise<Questions[Q]['answer']> {
    const isCurrent = this.#catchUp(closed);
    const answers: { [N in keyof Questions]: (args: Questions[N]['args']) => unknown } = {
      page: (query) => (isCurrent ? this.#page(query) : this.#pageWithoutIndex(query)),
      entries: ({ filter, page }) => this.#entries(filter, page),
      outline: (filter) => this.#outline(filter),
      timeline: (filter) => this.#timelines.of(filter),
      locate: (what) => this.#locate(what),
      facets: () => this.#facets(),
      check: () => wholeness(this.#history),
      forget: (gone) => {
        this.#indexer.forget(gone);
        return null;
      },
      poke: () => null,
    };
    return (await answers[name](args)) as Questions[Q]['answer'];
  }

  /** Indexes some of what came before. @returns whether there is more */
  catchUpBackwards(): boolean {
    try {
      return this.#indexer.catchUpBackwards() > 0;
    } catch (error) {
      if (whyUnwritable(error) === null) throw error;
      return false;
    }
  }

  close(): void {
    for (const database of [this.#read, this.#index, this.#history]) database.close();
  }

  /** False where the index has not all, or cannot be written now. One that is damaged is made anew. */
  #catchUp(closed: readonly number[]): boolean {
    try {
      this.#indexer.catchUp(closed);
      const until = performance.now() + PATIENCE_MS;
      while (this.#indexer.unindexed > 0 && performance.now() < until) this.#indexer.catchUpBackwards();
      return this.#indexer.unindexed === 0;
    } catch (error) {
      if (isDamage(error)) this.#makeAnew();
      else if (whyUnwritable(error) === null) throw error;
      return false;
    }
  }

  #open() {
    const index = openIndex(this.#file);
    const read = new Sqlite(this.#file, { readonly: true, timeout: 5_000 });
    const indexer = new Indexer(this.#history, index, this.#callsBefore);
    const outlines = new Outlines(read, (filter) => this.#shortHits(filter));
    return { index, read, indexer, outlines, timelines: new Timelines(read) };
  }

  #makeAnew(): void {
    this.#read.close();
    this.#index.close();
    removeIndex(this.#file);
    ({
      index: this.#index,
      read: this.#read,
      indexer: this.#indexer,
      outlines: this.#outlines,
      timelines: this.#timelines,
    } = this.#open());
  }

  #page(query: HistoryQuery): HistoryPage {
    const { before, limit, ...filter } = query;
    const below = before === undefined ? {} : { below: this.#keyBefore(before) };
    const ids = this.#ids({ ...filter, evaluations: true }, { ...below, limit: limit + 1 });
    const wanted = ids.map(({ evaluation }) => evaluation);
    const rows = selectRows(this.#history).all(JSON.stringify(wanted));
    const place = new Map(wanted.map((id, index) => [id, index]));
    rows.sort((one, other) => (place.get(one.id) ?? 0) - (place.get(other.id) ?? 0));
    return asPage(rows, limit);
  }

  #pageWithoutIndex(query: HistoryQuery): HistoryPage {
    const { sql, parameters } = pageSelect(query);
    const rows = this.#history.prepare<(string | number)[], SelectedRow>(sql).all(...parameters);
    return asPage(rows, query.limit);
  }

  /** The key from which a page goes on that ended with this evaluation, be it gone meanwhile. */
  #keyBefore(evaluation: number): number {
    const at = this.#read
      .prepare<[number], { evaluation: number; id: number }>(
        'select evaluation, id from entries where evaluation <= ? order by evaluation desc limit 1',
      )
      .get(evaluation);
    if (!at) return 0;
    return at.evaluation === evaluation ? at.id : at.id + 1;
  }

  #entries(filter: HistoryFilter, page: PageKeys): HistoryEntry[] {
    return this.#rows.read(this.#ids(filter, page), searchText(filter));
  }

  #ids(filter: EntryFilter, page: PageKeys): EntryIds[] {
    const text = searchText(filter);
    const ids = ({ query: _, ...rest }: EntryFilter, keys: PageKeys) => {
      const { sql, parameters } = pageOfEntries(rest, keys);
      return this.#read.prepare<(string | number)[], EntryIds>(sql).all(...parameters);
    };
    if (text !== null && !isIndexed(text)) return this.#short.page(text, page, (keys) => ids(filter, keys));
    const { sql, parameters } = pageOfEntries(filter, page);
    return this.#read.prepare<(string | number)[], EntryIds>(sql).all(...parameters);
  }

  async #outline(filter: HistoryFilter): Promise<HistoryOutline | null> {
    // As of when the count begins: what is indexed while it goes on is not in it.
    const { unindexed } = this.#indexer;
    const outline = await this.#outlines.of(filter);
    return outline && { ...outline, unindexed };
  }

  /** Keys of entries in which a text of one or two letters is, among the newest. */
  #shortHits({ query, ...filter }: HistoryFilter): { keys: number[]; since: number | null } {
    const { hits, last } = this.#short.newest(searchText({ query }) ?? '', (keys) => this.#ids(filter, keys));
    return { keys: hits.map(({ id }) => id), since: last === null ? null : timeOfKey(last) };
  }

  #locate(what: Questions['locate']['args']): number | null {
    const [column, value] = Object.entries(what)[0] as [string, number];
    if (column === 'before') return this.#ids({ until: value }, { limit: 1 })[0]?.id ?? null;
    const sql = `select id from entries where ${column === 'call' ? 'call' : 'evaluation'} = ?`;
    return this.#read.prepare<[number], number>(sql).pluck().get(value) ?? null;
  }

  #facets(): HistoryFacets {
    const words = (field: string) =>
      this.#read
        .prepare<[string], string>('select text from words where field = ? order by text')
        .pluck()
        .all(field);
    const sessions = this.#history.prepare<[number], HistoryFacets['sessions'][number]>(
      'select id, name, engine from sessions order by rowid desc limit ?',
    );
    return {
      clients: words('client'),
      tools: words('tool'),
      engines: words('engine').filter((name): name is EngineName => EngineName.safeParse(name).success),
      sessions: sessions.all(SESSIONS),
    };
  }
}
