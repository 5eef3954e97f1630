/** Answers queries of the index. It runs in the worker thread, with read-only connections to the history. */

import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import Sqlite from 'better-sqlite3';
import type { HistoryEntry, HistoryFacets, HistoryFilter, HistoryOutline } from '../../contract/history';
import { EngineName, type HistoryPage, type HistoryQuery } from '../../contract/model';
import { makePrivateFile } from '../../host/data-folder';
import { isDamage, wholeness, whyUnwritable } from '../database';
import { asPage, pageSelect, type SelectedRow, selectRows } from '../pages';
import { type EntryIds, EntryRows, ShortTexts } from './entries';
import { Indexer } from './indexer';
import { Outlines, Timelines } from './outlines';
import {
  type EntryFilter,
  type IndexQueries,
  type IndexThreadData,
  isIndexed,
  type PageKeys,
  pageOfEntries,
  searchText,
  timeOfKey,
} from './queries';

/** Maximum milliseconds that a query spends on indexing earlier rows. */
const BUSY_TIMEOUT_MS = 150;

/** Maximum sessions in the filter menu. */
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

  /**
   * Answers a query after indexing new rows.
   * @param closed ids of changed evaluations
   */
  async answer<Q extends keyof IndexQueries>(
    name: Q,
    args: IndexQueries[Q]['args'],
    closed: readonly number[],
  ): Promise<IndexQueries[Q]['answer']> {
    const isCurrent = this.#catchUp(closed);
    const answers: { [N in keyof IndexQueries]: (args: IndexQueries[N]['args']) => unknown } = {
      page: (query) => (isCurrent ? this.#page(query) : this.#pageWithoutIndex(query)),
      entries: ({ filter, page }) => this.#entries(filter, page),
      outline: (filter) => this.#outline(filter),
      timeline: (filter) => this.#timelines.of(filter),
      locate: (what) => this.#locate(what),
      facets: () => this.#facets(),
      check: () => wholeness(this.#history),
      forget: (cancelled) => {
        this.#indexer.forget(cancelled);
        return null;
      },
      poke: () => null,
    };
    return (await answers[name](args)) as IndexQueries[Q]['answer'];
  }

  /**
   * Indexes some earlier rows.
   * @returns whether there are more
   */
  catchUpBackwards(): boolean {
    try {
      return this.#indexer.catchUpBackwards() > 0;
    } catch (error) {
      if (whyUnwritable(error) === null) throw error;
      return false;
    }
  }

  close(): void {
    this.#outlines.stop();
    for (const database of [this.#read, this.#index, this.#history]) database.close();
  }

  /** Returns false if the index is incomplete or cannot be written. Rebuilds a damaged one. */
  #catchUp(closed: readonly number[]): boolean {
    try {
      this.#indexer.catchUp(closed);
      const until = performance.now() + BUSY_TIMEOUT_MS;
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
    this.#outlines.stop();
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

  /**
   * Returns the key from which a page continues that ended with this evaluation, even if it was deleted
   * since.
   */
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
    // Read before the count, which omits rows that are indexed meanwhile.
    const { unindexed } = this.#indexer;
    const outline = await this.#outlines.of(filter);
    return outline && { ...outline, unindexed };
  }

  /** Returns the keys of entries with a text of one or two letters, among the newest. */
  #shortHits({ query, ...filter }: HistoryFilter): { keys: number[]; since: number | null } {
    const { hits, last } = this.#short.newest(searchText({ query }) ?? '', (keys) => this.#ids(filter, keys));
    return { keys: hits.map(({ id }) => id), since: last === null ? null : timeOfKey(last) };
  }

  #locate(what: IndexQueries['locate']['args']): number | null {
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

// The index file. It is derived from the history, so one with another layout or a damaged one is deleted and
// built again. Only this thread writes it.

/** The `user_version` of the file; incremented when the layout or the indexed text changes. */
const LAYOUT = 1;

/**
 * The id of an entry is its key, which increases with its start time (see queries.ts). Shared names are
 * stored as numbers of the table words; NULL means none.
 */
const SCHEMA = `
create table words (id integer primary key, field text not null, text text not null, unique (field, text));
create table entries (
  id integer primary key,
  evaluation integer,
  call integer,
  kind integer not null,
  tool integer,
  session integer,
  engine integer,
  client integer not null,
  project integer,
  outcome integer not null
);
create unique index entries_evaluation on entries (evaluation) where evaluation is not null;
create unique index entries_call on entries (call) where call is not null;
create index entries_kind on entries (kind);
create index entries_tool on entries (tool) where tool is not null;
create index entries_session on entries (session) where session is not null;
create index entries_engine on entries (engine) where engine is not null;
create index entries_client on entries (client);
create index entries_project on entries (project) where project is not null;
create index entries_outcome on entries (outcome);

-- Its rowid is the entry's id. Contentless: the texts are in the history.
create virtual table texts using fts5 (
  asked, answered, printed, content = '', contentless_delete = 1, tokenize = 'trigram'
);

-- For each table the indexed ids: those above low, up to high. Open rows are read again.
create table looked_at (what text primary key, low integer not null, high integer not null) without rowid;
create table open_calls (id integer primary key);
`;

/** Returns the path of the index: `history-index.db` next to `history.db`. */
export function indexFile(history: string): string {
  const { dir, name } = path.parse(history);
  return path.join(dir, `${name}-index.db`);
}

/** Opens the index for writing; creates it if it is missing, damaged or has another layout. */
export function openIndex(file: string): Database {
  try {
    return open(file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeIndex(file);
    return open(file);
  }
}

function removeIndex(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

function open(file: string): Database {
  makePrivateFile(file);
  const database = new Sqlite(file, { timeout: 5_000 });
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version !== LAYOUT && version !== 0) {
    database.close();
    removeIndex(file);
    return open(file);
  }
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = normal');
  // 16 MB instead of the default 2 MB, for the ends of all indexes, which each entry changes.
  database.pragma('cache_size = -16000');
  if (version === 0)
    database.transaction(() => {
      database.exec(SCHEMA);
      database.pragma(`user_version = ${LAYOUT}`);
    })();
  return database;
}
