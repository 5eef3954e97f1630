/**
 * Pages of the history as SQL that uses only the indexes of the table: for one session, for the newest rows,
 * and for everything if the search index (index/) is not available.
 */

import type { Database, Statement } from 'better-sqlite3';
import type { Evaluation, HistoryPage, HistoryQuery, HistoryRow } from '../contract/model';
import { isOfSandbox, recordedNote } from '../contract/note';
import type { EventReport, EventSummary, ProofReport, ProofSummary } from '../contract/proof';
import { type TestRun, testTotals } from '../contract/report';
import { matchingOutcomes, type Select, searchText } from './index/queries';
import { cut } from './long-text';

// List rows, cut in the same way whether they come from a complete evaluation or from the database.

/**
 * Maximum characters in a list row: of the code; of the output, of each value and note, and of the
 * condition's message.
 */
const LONGEST_CODE = 20_000;
const LONGEST_TEXT = 2_000;

/** Maximum earlier forms whose values a list row has. */
const EARLIER_FORMS = 20;

/** @returns the list row of a complete evaluation, for events */
export function historyRow(evaluation: Evaluation): HistoryRow {
  const { forms, stdout, stderr, warnings, condition, notes, report, cost, outputDropped, ...rest } =
    evaluation;
  return cutRow({
    ...rest,
    values: forms.at(-1)?.values ?? [],
    ...earlierOf(forms),
    output: stdout.slice(0, LONGEST_TEXT + 1) + stderr.slice(0, LONGEST_TEXT + 1),
    conditionType: condition?.type ?? null,
    conditionMessage: condition?.message ?? null,
    notes,
    ...(report?.proof && { proof: summaryOfReport(report.proof) }),
    ...testsOf(report?.runs ?? []),
  });
}

export function testsOf(runs: readonly TestRun[]): Pick<HistoryRow, 'tests'> {
  const tests = testTotals(runs);
  return tests === null ? {} : { tests };
}

function earlierOf(forms: Evaluation['forms']): Pick<HistoryRow, 'earlier'> {
  if (forms.length < 2) return {};
  const values = forms.slice(-1 - EARLIER_FORMS, -1).map((form) => form.values);
  return { earlier: { forms: forms.length - 1, values } };
}

function cutRow({ notes: reported = [], ...row }: HistoryRow): HistoryRow {
  const { conditionMessage: message, earlier } = row;
  const notes = reported.filter((note) => !isOfSandbox(note));
  const cuts = cutsOf({ ...row, notes });
  return {
    ...row,
    ...(notes.length > 0 && {
      notes: notes.map((each) => ({ ...each, text: cut(each.text, LONGEST_TEXT) })),
    }),
    ...(cuts.length > 0 && { cut: cuts }),
    code: cut(row.code, LONGEST_CODE),
    values: cutAll(row.values),
    ...(earlier && { earlier: { ...earlier, values: earlier.values.map(cutAll) } }),
    output: cut(row.output, LONGEST_TEXT),
    conditionMessage: message === null ? null : cut(message, LONGEST_TEXT),
  };
}

function cutAll(texts: readonly string[]): string[] {
  return texts.map((text) => cut(text, LONGEST_TEXT));
}

function isLong(text: string): boolean {
  return text.length > LONGEST_TEXT;
}

function cutsOf(row: HistoryRow): NonNullable<HistoryRow['cut']> {
  const { code, values, output, conditionMessage, notes = [] } = row;
  const earlier = row.earlier ?? { forms: 0, values: [] };
  const tooLong = {
    code: code.length > LONGEST_CODE,
    values:
      earlier.forms > earlier.values.length || [...earlier.values, values].some((each) => each.some(isLong)),
    output: isLong(output),
    condition: isLong(conditionMessage ?? ''),
    notes: notes.some(({ text }) => isLong(text)),
  };
  return (['code', 'values', 'output', 'condition', 'notes'] as const).filter((part) => tooLong[part]);
}

// The summary of a prover's report in a list row.

/** Maximum events of a row, names of an event or issue, and characters of a name. */
const SUMMARIZED_EVENTS = 6;
const SUMMARIZED_NAMES = 12;
const LONGEST_NAME = 200;

/** The end of a report: `events` has the last of `total` events. */
interface ReportEnd extends Pick<ProofReport, 'events' | 'issues'> {
  total: number;
}

function summaryOfReport({ events, issues }: ProofReport): ProofSummary {
  return summaryOfEnd({ events, issues, total: events.length });
}

function summaryOfEnd({ events, issues, total }: ReportEnd): ProofSummary {
  return {
    events: events.slice(-SUMMARIZED_EVENTS).map(eventSummary),
    total,
    issues: issues.map(({ kind, about }) => ({ kind, about: fewNames(about) })),
  };
}

function eventSummary(event: EventReport): EventSummary {
  const { operator, verdict, figures, checkpoints } = event;
  const { top, induction, untold = 0 } = checkpoints ?? { top: [], induction: [] };
  return {
    operator,
    verdict,
    names: fewNames(namesOf(event)),
    steps: figures?.steps ?? null,
    milliseconds: figures?.milliseconds ?? null,
    checkpoints: top.length + induction.length + untold,
  };
}

/** Names of the form itself follow those of its subevents, as in an ENCAPSULATE. */
function namesOf({ operator, events, failedAt }: EventReport): string[] {
  if (failedAt !== undefined) return [failedAt.replace(`${operator ?? ''} `, '')];
  return events.filter(({ depth }) => depth === 0).flatMap(({ names }) => names);
}

function fewNames(names: readonly string[]): string[] {
  return names.slice(0, SUMMARIZED_NAMES).map((name) => cut(name, LONGEST_NAME));
}

/** A row as selected: `values`, `earlier`, `notes`, `tests` and the end of a prover's report, `proof`, are JSON. */
export interface SelectedRow
  extends Omit<HistoryRow, 'parent' | 'values' | 'earlier' | 'notes' | 'proof' | 'tests'> {
  parent: number | null;
  values: string | null;
  earlier: string | null;
  notes: string;
  proof: string | null;
  tests: string | null;
}

/**
 * Selects one row more than the page has, which shows whether there is a next page.
 * @param after only rows with higher ids
 */
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

/** Selects rows by a JSON list of ids. */
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

function asRow({ parent, values, earlier, notes, proof, tests, ...row }: SelectedRow): HistoryRow {
  const itsParent = parent === null ? {} : { parent };
  const printed: string[] = JSON.parse(values ?? '[]');
  const summary = proof === null ? {} : { proof: summaryOfEnd(JSON.parse(proof)) };
  const before = earlier === null ? {} : { earlier: JSON.parse(earlier) };
  const totals = tests === null ? {} : { tests: JSON.parse(tests) };
  const recorded = JSON.parse(notes).map(recordedNote);
  return cutRow({ ...row, ...itsParent, ...summary, ...before, ...totals, values: printed, notes: recorded });
}

function filters({ outcome, seenBy, ...query }: Omit<HistoryQuery, 'limit'>): Select[] {
  const outcomes = outcome === undefined ? [] : matchingOutcomes(outcome);
  const places = outcomes.map(() => '?').join(', ');
  const requested = places === '' ? [] : [{ sql: `e.outcome in (${places})`, parameters: [...outcomes] }];
  const others = (['session', 'engine', 'kind', 'client', 'project'] as const).flatMap((column) => {
    const value = query[column];
    return value === undefined ? [] : [{ sql: `e.${column} = ?`, parameters: [value] }];
  });
  const seen = seenBy
    ? [{ sql: '(e.project = ? or e.client = ?)', parameters: [seenBy.project, seenBy.client] }]
    : [];
  return [...requested, ...others, ...seen];
}

/** Reads every row that passes the other filters. */
function containing(text: string): Select {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return { sql: `(${PLACES.join(' or ')})`, parameters: PLACES.map(() => pattern) };
}

/** The searched columns of a row `e`, as in the index. Each has one parameter for the pattern. */
export const PLACES = [
  `e.code like ? escape '\\'`,
  `json_extract(e.condition, '$.type') like ? escape '\\'`,
  `json_extract(e.condition, '$.message') like ? escape '\\'`,
  `exists (select 1 from json_each(e.forms) f, json_each(f.value, '$.values') v where v.value like ? escape '\\')`,
  `exists (select 1 from output o where o.evaluation = e.id and o.text like ? escape '\\')`,
];

/** Reads only the events that a row shows. */
const PROOF_END = `case when json_type(e.report, '$.proof') = 'object' then json_object(
    'issues', json_extract(e.report, '$.proof.issues'),
    'total', json_array_length(e.report, '$.proof.events'),
    'events', json((select json_group_array(json(value) order by key) from (
      select key, value from json_each(e.report, '$.proof.events') order by key desc limit ${SUMMARIZED_EVENTS})))) end`;

/** Adds up the checks of an evaluation's test runs, as `testTotals` does. */
export const TEST_TOTALS = `case when json_array_length(e.report, '$.runs') > 0 then (select json_object(
    'passed', coalesce(sum(json_extract(value, '$.counts.passed')), 0),
    'failed', coalesce(sum(json_extract(value, '$.counts.failed')), 0),
    'errors', coalesce(sum(json_extract(value, '$.counts.errors')), 0)) from json_each(e.report, '$.runs')) end`;

/** Reads only the forms whose values a row shows. */
const EARLIER = `case when json_array_length(e.forms) > 1 then json_object(
    'forms', json_array_length(e.forms) - 1,
    'values', json((select json_group_array(json(printed) order by key) from (
      select key, json_extract(value, '$.values') as printed from json_each(e.forms)
      where key < json_array_length(e.forms) - 1 order by key desc limit ${EARLIER_FORMS})))) end`;

const COLUMNS = `e.id, e.kind, e.parent, e.session, e.engine, e.client, e.project, e.package, substr(e.code, 1, ${LONGEST_CODE + 1}) as code, e.outcome,
  e.started_at as startedAt, e.ended_at as endedAt, e.duration_ms as durationMs,
  json_extract(e.forms, '$[#-1].values') as "values",
  ${EARLIER} as earlier,
  coalesce((select group_concat(text, '' order by sequence) from output where evaluation = e.id and sequence <= ${LONGEST_TEXT}), '') as output,
  json_extract(e.condition, '$.type') as conditionType,
  json_extract(e.condition, '$.message') as conditionMessage, e.notes,
  ${PROOF_END} as proof, ${TEST_TOTALS} as tests`;
