/**
 * One page of the history as SQL that needs no index but the table's own: for a session, for the newest rows, and for all
 * else where there is no index of the history (index/) to be had.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { HistoryPage, HistoryQuery, HistoryRow } from '../contract/model';
import { outcomesAsked, type Select, searchText } from './index/entry-select';
import { cutRow, EARLIER_FORMS, LONGEST_CODE, LONGEST_TEXT } from './list-row';
import { SUMMARIZED_EVENTS, summaryOfEnd } from './proof-summary';

/** A row as `select` answers it: `values`, `earlier`, `notes` and the end of a prover's report, `proof`, are JSON. */
export interface SelectedRow extends Omit<HistoryRow, 'values' | 'earlier' | 'notes' | 'proof'> {
  values: string | null;
  earlier: string | null;
  notes: string;
  proof: string | null;
}

/** Asks for one row more than the page holds, which tells whether there is a next page. @param after only rows with higher ids */
export function pageSelect({ before, limit, ...query }: HistoryQuery, after = 0): Select {
  const text = searchText(query);
  const conditions = filters(query);
  if (text !== null) conditions.push(containing(text));
  if (before !== undefined) conditions.push({ sql: 'e.id < ?', parameters: [before] });
  if (after > 0) conditions.push({ sql: 'e.id > ?', parameters: [after] });
  const where = conditions.map(({ sql }) => sql).join(' and ') || 'true';
  return {
    sql: `select ${COLUMNS} from evaluations e where ${where} order by e.id desc limit ?`,
    parameters: [...conditions.flatMap(({ parameters }) => parameters), limit + 1],
  };
}

const ROWS = new WeakMap<Database, Statement<[string], SelectedRow>>();

/** Rows by their ids, a list as JSON. */
export function selectRows(history: Database): Statement<[string], SelectedRow> {
  const known = ROWS.get(history);
  if (known) return known;
  const prepared = history.prepare<[string], SelectedRow>(
    `select ${COLUMNS} from evaluations e where e.id in (select value from json_each(?))`,
  );
  ROWS.set(history, prepared);
  return prepared;
}

export function asPage(selected: readonly SelectedRow[], limit: number): HistoryPage {
  const rows = selected.slice(0, limit).map(asRow);
  return { rows, next: selected.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

function asRow({ values, earlier, notes, proof, ...row }: SelectedRow): HistoryRow {
  const printed: string[] = JSON.parse(values ?? '[]');
  const summary = proof === null ? {} : { proof: summaryOfEnd(JSON.parse(proof)) };
  const before = earlier === null ? {} : { earlier: JSON.parse(earlier) };
  return cutRow({ ...row, ...summary, ...before, values: printed, notes: JSON.parse(notes) });
}

function filters({ outcome, seenBy, ...query }: Omit<HistoryQuery, 'limit'>): Select[] {
  const outcomes = outcome === undefined ? [] : outcomesAsked(outcome);
  const places = outcomes.map(() => '?').join(', ');
  const asked = places === '' ? [] : [{ sql: `e.outcome in (${places})`, parameters: [...outcomes] }];
  const others = (['session', 'engine', 'client', 'project'] as const).flatMap((column) => {
    const value = query[column];
    return value === undefined ? [] : [{ sql: `e.${column} = ?`, parameters: [value] }];
  });
  const seen = seenBy
    ? [{ sql: '(e.project = ? or e.client = ?)', parameters: [seenBy.project, seenBy.client] }]
    : [];
  return [...asked, ...others, ...seen];
}

/** Reads every row that passes the filters. */
function containing(text: string): Select {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return { sql: `(${PLACES.join(' or ')})`, parameters: PLACES.map(() => pattern) };
}

/** Where a text is looked for in a row `e`: what the index has, too. Each has one place for the pattern. */
export const PLACES = [
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

/** Of many forms only those are read of which a row shows the values. */
const EARLIER = `case when json_array_length(e.forms) > 1 then json_object(
    'forms', json_array_length(e.forms) - 1,
    'values', json((select json_group_array(json(printed) order by key) from (
      select key, json_extract(value, '$.values') as printed from json_each(e.forms)
      where key < json_array_length(e.forms) - 1 order by key desc limit ${EARLIER_FORMS})))) end`;

const COLUMNS = `e.id, e.kind, e.session, e.engine, e.client, e.project, e.package, substr(e.code, 1, ${LONGEST_CODE + 1}) as code, e.outcome,
  e.started_at as startedAt, e.ended_at as endedAt, e.duration_ms as durationMs,
  json_extract(e.forms, '$[#-1].values') as "values",
  ${EARLIER} as earlier,
  coalesce((select group_concat(text, '' order by sequence) from output where evaluation = e.id and sequence <= ${LONGEST_TEXT}), '') as output,
  json_extract(e.condition, '$.type') as conditionType,
  json_extract(e.condition, '$.message') as conditionMessage, e.notes,
  ${PROOF_END} as proof`;
