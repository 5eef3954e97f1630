/** Entries of the window's lists, read from the history by the ids that the index returns. */

import type { Database, Statement } from 'better-sqlite3';
import type { EntryResult, HistoryEntry } from '../../contract/history';
import type { EngineName, EvaluationKind, Outcome } from '../../contract/model';
import { PLACES, TEST_TOTALS } from '../pages';
import type { PageKeys } from './queries';

/** An entry in the index. */
export interface EntryIds {
  id: number;
  evaluation: number | null;
  call: number | null;
  tool: string | null;
}

interface EvaluationColumns {
  id: number;
  kind: EvaluationKind;
  session: string;
  sessionName: string | null;
  engine: EngineName;
  client: string;
  outcome: Outcome;
  startedAt: number;
  durationMs: number | null;
  code: string;
  /** JSON. */
  values: string | null;
  output: string | null;
  conditionType: string | null;
  conditionMessage: string | null;
  warnings: number;
  /** JSON. */
  tests: string | null;
}

interface CallColumns {
  id: number;
  tool: string;
  arguments: string;
  session: string | null;
  sessionName: string | null;
  engine: EngineName | null;
  client: string;
  outcome: string | null;
  errorCode: string | null;
  answer: string | null;
  startedAt: number;
  durationMs: number | null;
}

export class EntryRows {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(history: Database) {
    this.#statements = prepare(history);
  }

  /**
   * Returns entries in the order of the ids; deleted rows are omitted.
   * @param query the searched text to show, or null
   */
  read(ids: readonly EntryIds[], query: string | null): HistoryEntry[] {
    const evaluations = this.#byId(
      this.#statements.evaluations,
      ids.map(({ evaluation }) => evaluation),
    );
    const calls = this.#byId(
      this.#statements.calls,
      ids.map(({ call }) => call),
    );
    return ids.flatMap((entry) => {
      const evaluation = entry.evaluation === null ? undefined : evaluations.get(entry.evaluation);
      if (evaluation) return [evaluationEntry(entry, evaluation, query)];
      const call = entry.call === null ? undefined : calls.get(entry.call);
      return call ? [callEntry(entry, call, query)] : [];
    });
  }

  #byId<R extends { id: number }>(
    statement: { all: (ids: string) => R[] },
    ids: readonly (number | null)[],
  ): Map<number, R> {
    const wanted = ids.filter((id) => id !== null);
    const rows = wanted.length === 0 ? [] : statement.all(JSON.stringify(wanted));
    return new Map(rows.map((row) => [row.id, row]));
  }
}

function evaluationEntry(
  { id: key, tool }: EntryIds,
  row: EvaluationColumns,
  query: string | null,
): HistoryEntry {
  const { id, code, values, output, conditionType, conditionMessage, tests, ...rest } = row;
  const printed: string[] = JSON.parse(values ?? '[]');
  const condition = conditionType === null ? null : conditionMessage || conditionType;
  const result = shownResult({ condition, values: printed, output: output ?? '' }, query);
  const totals = tests === null ? {} : { tests: JSON.parse(tests) };
  return { ...rest, ...totals, key, evaluation: id, call: null, tool, line: lineOf(code, query), result };
}

function callEntry({ id: key, tool }: EntryIds, row: CallColumns, query: string | null): HistoryEntry {
  const { id, arguments: args, outcome, errorCode, answer, ...rest } = row;
  const line = lineOf(callLine(row.tool, args), query);
  const result: EntryResult = answer
    ? { kind: 'answer', texts: [lineOf(answer, query)] }
    : { kind: 'none', texts: [] };
  const came = { outcome: callOutcome(outcome, errorCode), warnings: 0 };
  return {
    ...rest,
    ...came,
    key,
    evaluation: null,
    call: id,
    kind: 'call',
    tool: tool ?? row.tool,
    line,
    result,
  };
}

function prepare(history: Database) {
  return {
    evaluations: history.prepare<[string], EvaluationColumns>(
      `select e.id, kind, e.session, name as sessionName, e.engine, e.client, outcome, started_at as startedAt,
         duration_ms as durationMs, substr(code, 1, 20000) as code, json_extract(forms, '$[#-1].values') as "values",
         (select substr(group_concat(text, '' order by sequence), -4000) from output
            where evaluation = e.id and sequence < 20000) as output,
         json_extract(condition, '$.type') as conditionType,
         substr(json_extract(condition, '$.message'), 1, 2000) as conditionMessage,
         (select count(*) from json_each(warnings) where json_extract(value, '$.severity') != 'note') as warnings,
         ${TEST_TOTALS} as tests
       from evaluations e left join sessions on sessions.id = e.session
       where e.id in (select value from json_each(?))`,
    ),
    calls: history.prepare<[string], CallColumns>(
      `select c.id, tool, arguments, c.session, name as sessionName, engine, c.client, outcome,
         error_code as errorCode, answer, started_at as startedAt, duration_ms as durationMs
       from calls c left join sessions on sessions.id = c.session
       where c.id in (select value from json_each(?))`,
    ),
  };
}

// Tool calls in a list: one line with the tool, its arguments and its outcome.

/** Maximum characters of one argument, and of the line. */
const LONGEST_ARGUMENT = 80;
const LONGEST_LINE = 400;

/** Errors that refuse a call before it does anything. */
const REFUSALS: ReadonlySet<string> = new Set([
  'file_not_allowed',
  'not_approved',
  'path_not_allowed',
  'paused',
  'profile_not_chosen',
  'project_not_approved',
  'scope_missing',
  'secret_path',
]);

/**
 * Returns the tool and its short arguments in their order: `edit_form src/tide.lisp · replace · defun · ebb`.
 */
export function callLine(tool: string, argumentsJson: string): string {
  const parts = Object.entries(parsed(argumentsJson)).flatMap(([name, value]) => argument(name, value));
  return `${tool}${parts.length > 0 ? ` ${parts.join(' · ')}` : ''}`.slice(0, LONGEST_LINE);
}

/** @param outcome the column of the table; null: not answered */
export function callOutcome(outcome: string | null, errorCode: string | null): Outcome {
  if (outcome === null) return 'crashed';
  if (outcome === 'ok') return 'ok';
  return REFUSALS.has(errorCode ?? '') ? 'refused' : 'error';
}

function argument(name: string, value: unknown): string[] {
  // The session has a column of its own.
  if (name === 'session' || value === null || value === undefined) return [];
  if (typeof value === 'boolean') return value ? [name] : [];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const first = text.trim().split('\n', 1)[0] ?? '';
  if (first === '') return [];
  const whole = first === text.trim() && first.length <= LONGEST_ARGUMENT;
  return [whole ? first : `${first.slice(0, LONGEST_ARGUMENT)}…`];
}

function parsed(json: string): object {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? value : { value };
}

// The shown part of long texts: the beginning, or the line that contains the searched text.

const LONGEST_VALUE = 200;
const MOST_VALUES = 8;

/** Returns the first line that is not blank, or the first with a hit; cut parts become an ellipsis. */
export function lineOf(text: string, query: string | null): string {
  const at = hit(text, query);
  const trimmed = text.trim();
  if (at < 0) {
    const end = trimmed.indexOf('\n');
    const first = end < 0 ? trimmed : `${trimmed.slice(0, end).trimEnd()} …`;
    return cutAt(first, 0);
  }
  const start = text.lastIndexOf('\n', at) + 1;
  const end = text.indexOf('\n', at);
  const line = text.slice(start, end < 0 ? undefined : end);
  const before = text.slice(0, start).trim() === '' ? '' : '… ';
  const after = end < 0 || text.slice(end).trim() === '' ? '' : ' …';
  return before + cutAt(line.trim(), at - start - (line.length - line.trimStart().length)) + after;
}

/**
 * Returns the condition, else the last values, else the last printed line; another one of them if only that
 * has a hit.
 */
export function shownResult(
  { condition, values, output }: { condition: string | null; values: readonly string[]; output: string },
  query: string | null,
): EntryResult {
  const shown: EntryResult[] = [
    ...(condition === null
      ? []
      : [{ kind: 'condition' as const, texts: [lineOf(joined(condition), query)] }]),
    ...(values.length === 0 ? [] : [{ kind: 'values' as const, texts: shownValues(values, query) }]),
    ...(output.trim() === '' ? [] : [{ kind: 'printed' as const, texts: [printedLine(output, query)] }]),
  ];
  const found = shown.find(({ texts }) => texts.some((text) => hit(text, query) >= 0));
  return found ?? shown[0] ?? { kind: 'none', texts: [] };
}

/** Joins the lines of a message: engines break it around each value. */
function joined(message: string): string {
  return message.trim().replace(/\s+/g, ' ');
}

function shownValues(values: readonly string[], query: string | null): string[] {
  const shown = values.slice(0, MOST_VALUES).map((value) => lineOf(value, query).slice(0, LONGEST_VALUE));
  return values.length > MOST_VALUES ? [...shown, '…'] : shown;
}

function printedLine(output: string, query: string | null): string {
  if (hit(output, query) >= 0) return lineOf(output, query);
  return cutAt(output.trim().split('\n').at(-1) ?? '', 0);
}

function hit(text: string, query: string | null): number {
  return query === null ? -1 : text.toLowerCase().indexOf(query.toLowerCase());
}

/** Cuts a line to the maximum around `place`. */
function cutAt(line: string, place: number): string {
  if (line.length <= LONGEST_LINE) return line;
  const from = Math.max(0, Math.min(place - LONGEST_LINE / 4, line.length - LONGEST_LINE));
  const cut = line.slice(from, from + LONGEST_LINE).toWellFormed();
  return `${from > 0 ? '…' : ''}${cut}${from + LONGEST_LINE < line.length ? '…' : ''}`;
}

// Search for texts of one or two letters, which the trigram index cannot find: entries are read, newest
// first, until there are enough hits.

/** Entries read at once, and maximum entries searched for a count. */
const CHUNK = 500;
const NEWEST = 20_000;

type Matching = Statement<[{ ids: string; pattern: string }], number>;
type Ids = (keys: PageKeys) => EntryIds[];

export class ShortTexts {
  readonly #evaluations: Matching;
  readonly #calls: Matching;

  constructor(history: Database) {
    const ids = (sql: string) => history.prepare<[{ ids: string; pattern: string }], number>(sql).pluck();
    this.#evaluations = ids(
      `select id from evaluations e where id in (select value from json_each(@ids)) and
         (${PLACES.map((place) => place.replaceAll('?', '@pattern')).join(' or ')})`,
    );
    this.#calls = ids(
      `select id from calls where id in (select value from json_each(@ids)) and
         (tool like @pattern escape '\\' or arguments like @pattern escape '\\' or answer like @pattern escape '\\')`,
    );
  }

  /** @param ids returns entries that pass the filter */
  page(text: string, page: PageKeys, ids: Ids): EntryIds[] {
    const hits: EntryIds[] = [];
    for (const { chunk } of this.#chunks(page, ids)) {
      hits.push(...this.#matching(chunk, text));
      if (hits.length >= page.limit) break;
    }
    return hits.slice(0, page.limit);
  }

  /**
   * @returns all hits among the newest entries, and the key of the last one read; null if there are no more
   */
  newest(text: string, ids: Ids): { hits: EntryIds[]; last: number | null } {
    const hits: EntryIds[] = [];
    let read = 0;
    for (const { chunk, last } of this.#chunks({ limit: CHUNK }, ids)) {
      hits.push(...this.#matching(chunk, text));
      read += chunk.length;
      if (read >= NEWEST) return { hits, last };
    }
    return { hits, last: null };
  }

  *#chunks(page: PageKeys, ids: Ids): Generator<{ chunk: EntryIds[]; last: number }> {
    let chunk = ids({ ...page, limit: CHUNK });
    for (;;) {
      const last = chunk.at(-1)?.id;
      if (last === undefined) return;
      yield { chunk, last };
      if (chunk.length < CHUNK) return;
      chunk = ids({ ...(page.above === undefined ? {} : { above: page.above }), below: last, limit: CHUNK });
    }
  }

  #matching(entries: readonly EntryIds[], text: string): EntryIds[] {
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    const found = (statement: Matching, wanted: (number | null)[]) =>
      new Set(statement.all({ ids: JSON.stringify(wanted.filter((id) => id !== null)), pattern }));
    const evaluations = found(
      this.#evaluations,
      entries.map(({ evaluation }) => evaluation),
    );
    const calls = found(
      this.#calls,
      entries.map(({ call }) => call),
    );
    return entries.filter(({ evaluation, call }) => evaluations.has(evaluation ?? 0) || calls.has(call ?? 0));
  }
}
