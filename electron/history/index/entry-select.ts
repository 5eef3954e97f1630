/** Which entries of the index are meant, as SQL that reads no more of them than a page has. Pure. */
import type { HistoryFilter } from '../../contract/history';
import type { HistoryQuery, Outcome } from '../../contract/model';
import { firstKeyAt } from './keys';
import type { Field } from './words';

/** Shortest text that the trigram index can find. */
const SHORTEST_INDEXED = 3;

export interface Select {
  sql: string;
  parameters: (string | number)[];
}

/** The filter of the window or of a client; `evaluations` leaves calls out. */
export type EntryFilter = HistoryFilter &
  Pick<HistoryQuery, 'project' | 'seenBy'> & { evaluations?: boolean };

/** Where a page begins and ends: keys below, or up to, or above one; newest first in every case. */
export interface PageKeys {
  below?: number | undefined;
  upTo?: number | undefined;
  above?: number | undefined;
  limit: number;
}

/** The text to look for, or null when there is none. Spaces around it are not part of it. */
export function searchText({ query }: { query?: string | undefined }): string | null {
  // SQLite reads a string up to its first NUL.
  return query?.replaceAll('\0', '').trim() || null;
}

/** Whether the index of texts can find it; shorter ones are looked for entry by entry. */
export function isIndexed(text: string): boolean {
  return [...text].length >= SHORTEST_INDEXED;
}

/** The outcomes of the rows that are meant: see `HistoryQuery`. */
export function outcomesAsked(outcome: Outcome): readonly Outcome[] {
  return outcome === 'running' ? ['running', 'debugger'] : [outcome];
}

/** Keys with the ids of their rows, newest first. A text that the index cannot find is left to whoever reads the rows. */
export function pageOfEntries({ seenBy, ...filter }: EntryFilter, page: PageKeys): Select {
  if (seenBy) return either(filter, page, { project: seenBy.project }, { client: seenBy.client });
  const { from, where, key } = parts(filter, page);
  return {
    sql: `select e.id, e.evaluation, e.call, w.text as tool
      from ${from} left join words w on w.id = e.tool where ${where.sql} order by ${key} desc limit ?`,
    parameters: [...where.parameters, page.limit],
  };
}

/** Only the keys, all of them. */
export function allKeys(filter: Omit<EntryFilter, 'seenBy'>): Select {
  const { from, where, key } = parts(filter, {});
  // Without a text the entries themselves need not be read, where an index has all that is asked.
  return {
    sql: `select ${key} from ${from} where ${where.sql} order by ${key} desc`,
    parameters: where.parameters,
  };
}

/** The key so many entries below another one; none where there are fewer. Not for a text: it would be found anew each time. */
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

/** How many entries are below a key. */
export function numberBelow(filter: Omit<EntryFilter, 'seenBy' | 'query'>, below: number): Select {
  const { from, where } = parts(filter, { below });
  return { sql: `select count(*) from ${from} where ${where.sql}`, parameters: where.parameters };
}

/** From when to when the entries are that are meant: `low` and `high` are keys, null where there are none. */
export function keyRange(filter: Omit<EntryFilter, 'seenBy'>): Select {
  const { from, where, key } = parts(filter, {});
  return {
    sql: `select min(${key}) as low, max(${key}) as high from ${from} where ${where.sql}`,
    parameters: where.parameters,
  };
}

/** Those of a page, its limit apart, counted by client and by what was done; of each the newest. */
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

/** Two pages by their own indexes, put together: neither has to look at more entries than a page has. */
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
  // The index of texts must lead: it walks its rowids backwards and stops when the page is full.
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
  const outcomes = outcomesAsked(outcome).map((text) => ({ sql: number('outcome'), parameters: [text] }));
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

/** The whole text as one phrase of trigrams: an exact substring, letters of either case. */
function matching(text: string): Select {
  return { sql: 'texts match ?', parameters: [`"${text.replaceAll('"', '""')}"`] };
}
