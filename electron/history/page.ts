/**
 * One page of the history as SQL: filters, search text and key-set paging. Pure, so that the main thread and the
 * search worker ask the same question; only the worker is asked about texts.
 */
import type { HistoryPage, HistoryQuery, HistoryRow, Outcome } from '../contract/model';
import { cutRow, LONGEST_CODE, LONGEST_TEXT } from './list-row';
import { SUMMARIZED_EVENTS, summaryOfEnd } from './proof-summary';

/** Shortest text that the trigram index can find. */
const SHORTEST_INDEXED = 3;

export interface Select {
  sql: string;
  parameters: (string | number)[];
}

/** A row as `select` answers it: `values` and the end of a prover's report, `proof`, are JSON. */
export interface SelectedRow extends Omit<HistoryRow, 'values' | 'proof'> {
  values: string | null;
  proof: string | null;
}

/** The text to look for, or null when the query names none. Spaces around it are not part of it. */
export function searchText(query: HistoryQuery): string | null {
  // SQLite reads a string up to its first NUL.
  return query.query?.replaceAll('\0', '').trim() || null;
}

/** Asks for one row more than the page holds, which tells whether there is a next page. */
export function pageSelect({ seenBy, ...query }: HistoryQuery): Select {
  if (seenBy) return either(query, { project: seenBy.project }, { client: seenBy.client });
  const text = searchText(query);
  const indexed = text !== null && [...text].length >= SHORTEST_INDEXED;
  // The index must lead: it walks its rowids backwards and stops when the page is full.
  const from = indexed ? 'search cross join evaluations e on e.id = search.rowid' : 'evaluations e';
  const key = indexed ? 'search.rowid' : 'e.id';
  const conditions = filters(query);
  if (text !== null) conditions.push(indexed ? matching(text) : containing(text));
  if (query.before !== undefined) conditions.push({ sql: `${key} < ?`, parameters: [query.before] });
  const where = conditions.map(({ sql }) => sql).join(' and ') || 'true';
  return {
    sql: `select ${COLUMNS} from ${from} where ${where} order by ${key} desc limit ?`,
    parameters: [...conditions.flatMap(({ parameters }) => parameters), query.limit + 1],
  };
}

/** Two pages by their own indexes, put together: neither has to look at more rows than a page has. */
function either(query: HistoryQuery, ...ways: [Partial<HistoryQuery>, Partial<HistoryQuery>]): Select {
  const pages = ways.map((way) => pageSelect({ ...query, ...way }));
  return {
    sql: `${pages.map(({ sql }) => `select * from (${sql})`).join(' union ')} order by id desc limit ?`,
    parameters: [...pages.flatMap(({ parameters }) => parameters), query.limit + 1],
  };
}

export function asPage(selected: readonly SelectedRow[], limit: number): HistoryPage {
  const rows = selected.slice(0, limit).map(asRow);
  return { rows, next: selected.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

function asRow({ values, proof, ...row }: SelectedRow): HistoryRow {
  const printed: string[] = JSON.parse(values ?? '[]');
  const summary = proof === null ? {} : { proof: summaryOfEnd(JSON.parse(proof)) };
  return cutRow({ ...row, ...summary, values: printed });
}

/** The outcomes of the rows that are meant: see `HistoryQuery`. */
export function outcomesAsked(outcome: Outcome): readonly Outcome[] {
  return outcome === 'running' ? ['running', 'debugger'] : [outcome];
}

function filters({ outcome, ...query }: HistoryQuery): Select[] {
  const outcomes = outcome === undefined ? [] : outcomesAsked(outcome);
  const places = outcomes.map(() => '?').join(', ');
  const asked = places === '' ? [] : [{ sql: `e.outcome in (${places})`, parameters: [...outcomes] }];
  const others = (['session', 'engine', 'client', 'project'] as const).flatMap((column) => {
    const value = query[column];
    return value === undefined ? [] : [{ sql: `e.${column} = ?`, parameters: [value] }];
  });
  return [...asked, ...others];
}

/** The whole text as one phrase of trigrams: an exact substring, letters of either case. */
function matching(text: string): Select {
  return { sql: 'search match ?', parameters: [`"${text.replaceAll('"', '""')}"`] };
}

/** For texts too short for the index: reads every row that passes the filters. */
function containing(text: string): Select {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return { sql: `(${PLACES.join(' or ')})`, parameters: PLACES.map(() => pattern) };
}

/** Where `containing` looks: the texts that the index has, too. */
const PLACES = [
  `e.code like ? escape '\\'`,
  `json_extract(e.condition, '$.type') like ? escape '\\'`,
  `json_extract(e.condition, '$.message') like ? escape '\\'`,
  `exists (select 1 from json_each(e.forms) f, json_each(f.value, '$.values') v where v.value like ? escape '\\')`,
  `exists (select 1 from output o where o.evaluation = e.id and o.text like ? escape '\\')`,
];

/** Of many events only those are read that a row shows. */
const PROOF_END = `case when json_type(e.report, '$.proof') = 'object' then json_object(
    'issues', json_extract(e.report, '$.proof.issues'),
    'total', json_array_length(e.report, '$.proof.events'),
    'events', json((select json_group_array(json(value) order by key) from (
      select key, value from json_each(e.report, '$.proof.events') order by key desc limit ${SUMMARIZED_EVENTS})))) end`;

const COLUMNS = `e.id, e.kind, e.session, e.engine, e.client, e.project, e.package, substr(e.code, 1, ${LONGEST_CODE + 1}) as code, e.outcome,
  e.started_at as startedAt, e.ended_at as endedAt, e.duration_ms as durationMs,
  json_extract(e.forms, '$[#-1].values') as "values",
  coalesce((select group_concat(text, '' order by sequence) from output where evaluation = e.id and sequence <= ${LONGEST_TEXT}), '') as output,
  json_extract(e.condition, '$.type') as conditionType,
  json_extract(e.condition, '$.message') as conditionMessage,
  ${PROOF_END} as proof`;
