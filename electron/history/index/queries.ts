/** Requests to the index thread, and the SQL of its queries. Pure. */

import type { Database } from 'better-sqlite3';
import type {
  HistoryEntry,
  HistoryFacets,
  HistoryFilter,
  HistoryOutline,
  HistoryTimeline,
} from '../../contract/history';
import type { HistoryPage, HistoryQuery, Outcome } from '../../contract/model';
import type { Ingested } from '../ingest';
import type { JournalEnd } from '../journal';

/** The arguments and answer of each request. */
export interface IndexQueries {
  /** Evaluations for a client, newest first. */
  page: { args: HistoryQuery; answer: HistoryPage };
  /** Entries for the window. */
  entries: { args: { filter: HistoryFilter; page: PageKeys }; answer: HistoryEntry[] };
  /** Null if it was cancelled by the next one. */
  outline: { args: HistoryFilter; answer: HistoryOutline | null };
  /** Null if it was cancelled, or for a text that the index cannot find. */
  timeline: { args: HistoryFilter; answer: HistoryTimeline | null };
  /**
   * The key of an evaluation or a call, or of the newest entry that began before a time; null if there is
   * none.
   */
  locate: { args: { evaluation: number } | { call: number } | { before: number }; answer: number | null };
  facets: { args: null; answer: HistoryFacets };
  /** Checks the whole history file. The damage, or null. */
  check: { args: null; answer: string | null };
  /** Removes entries of deleted rows. */
  forget: { args: { evaluations: readonly number[]; calls: readonly number[] }; answer: null };
  /** Only brings in the journal and indexes new rows. */
  poke: { args: null; answer: null };
}

export type IndexQueryName = keyof IndexQueries;

/**
 * `closed` has the ids of evaluations that changed since the last request; `journal` is what is to be brought
 * into the history first.
 */
export interface IndexRequest<Q extends IndexQueryName = IndexQueryName> {
  id: number;
  name: Q;
  args: IndexQueries[Q]['args'];
  closed: readonly number[];
  journal: { end: JournalEnd } | null;
}

/** `ingested` is absent if nothing was to be brought in, and null if that was not possible. */
export type IndexResponse = ({ id: number; value: unknown } | { id: number; problem: string }) & {
  ingested?: Omit<Ingested, 'closed'> | null;
};

/** The sources of the index. */
export interface IndexThreadData {
  /** The file of the history. */
  file: string;
  /** Calls up to this id began in an earlier harbor. */
  callsBefore: number;
}

/** The start data of the search worker; see `Turns`. */
export type SearchWorkerData = IndexThreadData & { turns: SharedArrayBuffer };

// SQL for selected entries. A query reads no more entries than a page has.

/** The shortest text that the trigram index can find. */
const SHORTEST_INDEXED = 3;

export interface Select {
  sql: string;
  parameters: (string | number)[];
}

/** The filter of the window or of a client; `evaluations` excludes calls. */
export type EntryFilter = HistoryFilter &
  Pick<HistoryQuery, 'project' | 'seenBy'> & { evaluations?: boolean };

/** The limits of a page: keys below, up to, or above a key. Newest first in every case. */
export interface PageKeys {
  below?: number | undefined;
  upTo?: number | undefined;
  above?: number | undefined;
  limit: number;
}

/** Returns the searched text without surrounding spaces; null if there is none. */
export function searchText({ query }: { query?: string | undefined }): string | null {
  // SQLite ends a string at its first NUL.
  return query?.replaceAll('\0', '').trim() || null;
}

/** Reports whether the index can find the text; for shorter ones entries are read one by one. */
export function isIndexed(text: string): boolean {
  return [...text].length >= SHORTEST_INDEXED;
}

/** Returns the matching outcomes of rows: see `HistoryQuery`. */
export function matchingOutcomes(outcome: Outcome): readonly Outcome[] {
  return outcome === 'running' ? ['running', 'debugger'] : [outcome];
}

/** Selects keys with the ids of their rows, newest first. A text that the index cannot find is ignored. */
export function pageOfEntries({ seenBy, ...filter }: EntryFilter, page: PageKeys): Select {
  if (seenBy) return either(filter, page, { project: seenBy.project }, { client: seenBy.client });
  const { from, where, key } = parts(filter, page);
  return {
    sql: `select e.id, e.evaluation, e.call, w.text as tool
      from ${from} left join words w on w.id = e.tool where ${where.sql} order by ${key} desc limit ?`,
    parameters: [...where.parameters, page.limit],
  };
}

/** Selects all keys. */
export function allKeys(filter: Omit<EntryFilter, 'seenBy'>): Select {
  const { from, where, key } = parts(filter, {});
  // Without a text, an index on the filtered column is sufficient.
  return {
    sql: `select ${key} from ${from} where ${where.sql} order by ${key} desc`,
    parameters: where.parameters,
  };
}

/**
 * Selects the key that is so many entries below another one. Not for a text, which would be searched again
 * each time.
 */
export function keyBelow(
  filter: Omit<EntryFilter, 'seenBy' | 'query'>,
  below: number,
  entries: number,
): Select {
  const { from, where, key } = parts(filter, { below });
  return {
    sql: `select ${key} from ${from} where ${where.sql} order by ${key} desc limit 1 offset ?`,
    parameters: [...where.parameters, entries - 1],
  };
}

/** Selects the number of entries below a key. */
export function numberBelow(filter: Omit<EntryFilter, 'seenBy' | 'query'>, below: number): Select {
  const { from, where } = parts(filter, { below });
  return { sql: `select count(*) from ${from} where ${where.sql}`, parameters: where.parameters };
}

/** Selects the lowest and highest key, or nulls. */
export function keyRange(filter: Omit<EntryFilter, 'seenBy'>): Select {
  const { from, where, key } = parts(filter, {});
  return {
    sql: `select min(${key}) as low, max(${key}) as high from ${from} where ${where.sql}`,
    parameters: where.parameters,
  };
}

/** Counts entries by client and kind, with the newest of each. */
export function countedByClient(filter: Omit<EntryFilter, 'seenBy'>, page: Omit<PageKeys, 'limit'>): Select {
  const { from, where, key } = parts(filter, page);
  const what = `case when e.outcome = ${named('outcome', 'refused')} then 'refusals'
    when e.tool in (select id from words where field = 'tool' and (text like '%edit%' or text like '%write%' or text like '%patch%')) then 'edits'
    when e.evaluation is not null then 'evaluations' else 'calls' end`;
  return {
    sql: `select w.text as client, what, number, key, evaluation, call from (
        select e.client, ${what} as what, count(*) as number, max(${key}) as key, e.evaluation, e.call
        from ${from} where ${where.sql} group by 1, 2
      ) join words w on w.id = client order by key desc`,
    parameters: where.parameters,
  };
}

/** Combines two pages that use different indexes: neither reads more entries than a page has. */
function either(
  filter: EntryFilter,
  page: PageKeys,
  ...ways: [Partial<EntryFilter>, Partial<EntryFilter>]
): Select {
  const pages = ways.map((way) => pageOfEntries({ ...filter, ...way }, page));
  return {
    sql: `${pages.map(({ sql }) => `select * from (${sql})`).join(' union ')} order by id desc limit ?`,
    parameters: [...pages.flatMap(({ parameters }) => parameters), page.limit],
  };
}

function parts(filter: EntryFilter, page: Omit<PageKeys, 'limit'>) {
  const text = searchText(filter);
  const indexed = text !== null && isIndexed(text);
  // The full-text index must come first: it reads its rowids backwards and stops when the page is full.
  const from = indexed ? 'texts cross join entries e on e.id = texts.rowid' : 'entries e';
  const key = indexed ? 'texts.rowid' : 'e.id';
  const conditions = [...(indexed ? [matching(text)] : []), ...range(filter, page, key), ...names(filter)];
  if (filter.evaluations) conditions.push({ sql: 'e.evaluation is not null', parameters: [] });
  const where = {
    sql: conditions.map(({ sql }) => sql).join(' and ') || 'true',
    parameters: conditions.flatMap(({ parameters }) => parameters),
  };
  return { from, where, key };
}

function names({ outcome, ...filter }: EntryFilter): Select[] {
  const fields = ['session', 'engine', 'client', 'project', 'kind', 'tool'] as const;
  const equal = fields.flatMap((field) => {
    const text = filter[field];
    return text === undefined ? [] : [{ sql: `e.${field} = ${number(field)}`, parameters: [text] }];
  });
  if (outcome === undefined) return equal;
  const outcomes = matchingOutcomes(outcome).map((text) => ({ sql: number('outcome'), parameters: [text] }));
  const sql = `e.outcome in (${outcomes.map((each) => each.sql).join(', ')})`;
  return [...equal, { sql, parameters: outcomes.flatMap(({ parameters }) => parameters) }];
}

function named(field: Field, text: string): string {
  return `(select id from words where field = '${field}' and text = '${text}')`;
}

function number(field: Field): string {
  return `(select id from words where field = '${field}' and text = ?)`;
}

function range(
  { from, until }: EntryFilter,
  { below, upTo, above }: Omit<PageKeys, 'limit'>,
  key: string,
): Select[] {
  const limits: [string, number | undefined][] = [
    [`${key} >= ?`, from === undefined ? undefined : firstKeyAt(from)],
    [`${key} < ?`, until === undefined ? undefined : firstKeyAt(until)],
    [`${key} < ?`, below],
    [`${key} <= ?`, upTo],
    [`${key} > ?`, above],
  ];
  return limits.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, parameters: [value] }]));
}

/** Matches the text as one phrase of trigrams: an exact substring, ignoring case. */
function matching(text: string): Select {
  return { sql: 'texts match ?', parameters: [`"${text.replaceAll('"', '""')}"`] };
}

// Keys of entries: integers that increase with the start time, so that a page continues after a key, and a
// date is also a key.

/** Keys of one millisecond. Keys are exact numbers until the year 2109. */
const OF_A_MILLISECOND = 2048;

/**
 * Returns the first key of a time.
 * @param at milliseconds since the epoch
 */
export function firstKeyAt(at: number): number {
  return Math.max(0, Math.trunc(at)) * OF_A_MILLISECOND;
}

/** Returns the middle key of a millisecond, which leaves room for earlier entries that are indexed later. */
export function middleKeyAt(at: number): number {
  return firstKeyAt(at) + OF_A_MILLISECOND / 2;
}

/** Returns the time of a key, in milliseconds since the epoch. */
export function timeOfKey(key: number): number {
  return Math.floor(key / OF_A_MILLISECOND);
}

/** Shared names as small numbers: that makes the index a third of the size. */
type Field = 'kind' | 'tool' | 'session' | 'engine' | 'client' | 'project' | 'outcome';

export class Words {
  readonly #find;
  readonly #add;
  readonly #known = new Map<string, number>();

  constructor(index: Database) {
    this.#find = index
      .prepare<[Field, string], number>('select id from words where field = ? and text = ?')
      .pluck();
    this.#add = index
      .prepare<[Field, string], number>('insert into words (field, text) values (?, ?) returning id')
      .pluck();
  }

  /** The number of a name, be it a new one; null for null. */
  number(field: Field, text: string | null): number | null {
    if (text === null) return null;
    const key = `${field}\0${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const id = this.#find.get(field, text) ?? this.#add.get(field, text) ?? null;
    if (id !== null) this.#known.set(key, id);
    return id;
  }

  /** After a transaction that came to nothing. */
  forget(): void {
    this.#known.clear();
  }
}
