/** The tool `history`: evaluations of this project, and all of the client itself, newest first. */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { mention, messageText, ours } from '../../contract/mention';
import {
  EngineName,
  type Evaluation,
  type HistoryPage,
  type HistoryRow,
  Outcome,
} from '../../contract/model';
import type { History } from '../../history/history';
import { beginning, cut } from '../../history/long-text';
import { Allowance } from '../allowance';
import { closingLines } from '../notes';
import { inOneLine, isOfProver, quoted } from '../prover/quoted';
import type { Caller, Tool, ToolResult } from '../tool';
import { type SeenHistory, type Viewer, visibility, visibleRow } from '../viewer';
import { type EvaluationRecord, RECORD_LIMIT, recordOf, tenths, valuesIn, WHOLE_RECORD } from './record';
import { printedText, recordText, valuesText } from './record-text';

// Rows of the history in lists, and as many of them as fit into one result.

/** Maximum characters of one text of a row. */
const ROW_TEXT = 2_000;
/** Maximum characters of one row, so that the first rows do not use up the page. */
const ROW_LIMIT = 10_000;

const HistoryRowResult = z.object({
  id: z.int(),
  session: z.string(),
  engine: z.string(),
  package: z.string(),
  client: z.string(),
  project: z.string(),
  outcome: Outcome,
  code: z.string(),
  values: z.array(z.string()),
  output: z.string(),
  condition: z.string().optional(),
  started_at: z.string(),
  ended_at: z.string().optional(),
  duration_ms: z.number().optional(),
  truncated: z.boolean().optional().describe('Get it whole by its id'),
});
type HistoryRowResult = z.infer<typeof HistoryRowResult>;

/** Returns as many rows as fit into one result, at least one. `next` continues after the last of them. */
export function rowsThatFit({ rows, next }: HistoryPage): {
  rows: HistoryRowResult[];
  next: number | null;
} {
  const fitting: HistoryRowResult[] = [];
  let characters = 0;
  for (const row of rows.map(rowResult)) {
    characters += JSON.stringify(row).length;
    const last = fitting.at(-1);
    if (last && characters > RECORD_LIMIT) return { rows: fitting, next: last.id };
    fitting.push(row);
  }
  return { rows: fitting, next };
}

function rowResult(row: HistoryRow): HistoryRowResult {
  const allowance = new Allowance(ROW_LIMIT);
  const text = (whole: string) => allowance.head(whole, ROW_TEXT);
  const condition =
    row.conditionType === null
      ? {}
      : { condition: text(`${row.conditionType}: ${row.conditionMessage ?? ''}`) };
  return {
    id: row.id,
    session: row.session,
    engine: row.engine,
    package: row.package,
    client: row.client,
    project: row.project,
    outcome: row.outcome,
    code: text(row.code),
    ...condition,
    values: allowance.first(row.values, 'values', text),
    output: text(row.output),
    started_at: new Date(row.startedAt).toISOString(),
    ...(row.endedAt === null ? {} : { ended_at: new Date(row.endedAt).toISOString() }),
    ...(row.durationMs === null ? {} : { duration_ms: tenths(row.durationMs) }),
    ...(allowance.exceeded ? { truncated: true } : {}),
  };
}

/** @param viewer its client and project are not named in the text; absent: every row names them */
export function rowText(row: HistoryRowResult, viewer?: Viewer): string {
  const head = [
    row.id,
    row.outcome,
    row.session,
    `package ${inOneLine(row.package)}`,
    ...(row.client === viewer?.client.key ? [] : [`client ${row.client}`]),
    ...(row.project === viewer?.project ? [] : [`project ${row.project}`]),
    row.started_at.replace(/\.\d+Z$/, 'Z'),
    row.duration_ms === undefined ? 'not ended' : `${Math.round(row.duration_ms)} ms`,
    ...(row.truncated ? ['truncated'] : []),
  ];
  return [
    head.join(' · '),
    isOfProver(row) ? quoted(row.code) : row.code,
    row.output && `[output]\n${printedText(row.output, row)}`,
    ...(row.values.length > 0 ? [valuesText(row.values, row)] : []),
    row.condition && (isOfProver(row) ? quoted(row.condition) : row.condition),
  ]
    .filter(Boolean)
    .join('\n');
}

const HistoryArguments = z.strictObject({
  query: z.string().max(500).optional().describe('Text in code, values, output, condition'),
  session: z.string().optional(),
  // The names are listed once, with open_session.
  engine: z.string().pipe(EngineName).optional(),
  outcome: Outcome.optional(),
  mine: z.boolean().optional(),
  id: z.int().positive().optional().describe('One row; with offset a page of its values'),
  offset: z.int().min(0).optional(),
  before: z.int().positive().optional().describe('To continue'),
  limit: z.int().min(1).max(100).optional(),
});

const HistoryResult = z.object({
  rows: z.array(HistoryRowResult),
  next: z.int().nullable().describe('Pass as `before` to continue; null at the end'),
  evaluation: z
    .looseObject({ id: z.int() })
    .optional()
    .describe(
      'The record as eval returns it, with its code, client, project and times; or a page of its values',
    ),
});
type HistoryResult = z.infer<typeof HistoryResult>;

export function historyTool(options: SeenHistory): Tool<typeof HistoryArguments, typeof HistoryResult> {
  return {
    name: 'history',
    title: 'Evaluation history',
    description: `Evaluations of this project, newest first, including earlier runs and other clients, and yours elsewhere; in brief, or one by \`id\` with up to ${WHOLE_RECORD} characters of each text. outcome running: all unfinished; mine: only yours.`,
    scope: 'read',
    args: HistoryArguments,
    result: HistoryResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ id, offset, mine = false, ...query }, caller) {
      if (id !== undefined) {
        const row = visibleRow(options, id, caller);
        return offset === undefined ? wholeEvaluation(row) : valuesPage(row, offset, options.history);
      }
      if (offset !== undefined)
        throw new HarborError('bad_arguments', 'offset requires the id of an evaluation.');
      const page = await options.history.page({
        ...withoutUndefined(query),
        limit: query.limit ?? 20,
        ...(mine ? { client: caller.client.key } : visibility(options, caller)),
      });
      const structured = rowsThatFit(page);
      return { structured, text: pageText(structured, caller, query), isError: false };
    },
  };
}

/** Returns everything recorded about one row, as data and as text. */
export function wholeEvaluation(row: Evaluation): ToolResult<HistoryResult> {
  const record = recordOf(row, { maxChars: WHOLE_RECORD });
  const evaluation = {
    ...record,
    code: row.code,
    client: row.client,
    project: row.project,
    started_at: isoTime(row.startedAt),
    ...(row.endedAt === null ? {} : { ended_at: isoTime(row.endedAt) }),
    ...(row.trace && { trace: row.trace }),
  };
  const times = `started ${evaluation.started_at}, ${evaluation.ended_at ? `ended ${evaluation.ended_at}` : 'not ended'}`;
  const head = `${row.id} · client ${row.client} · project ${row.project} · ${times}${row.trace ? ` · trace ${row.trace.traceparent}` : ''}`;
  const code = isOfProver(row) ? quoted(row.code) : row.code;
  const text = `${head}\n${code}\n\n${recordText(record, true)}`;
  return { structured: { rows: [], next: null, evaluation }, text, notes: record.notes, isError: false };
}

/** Maximum characters of values in one result. */
const VALUES_PAGE = 50_000;

/** Returns the values of all forms, one per line, from a character offset on. */
function valuesPage(row: Evaluation, offset: number, history: History): ToolResult<HistoryResult> {
  const all = valuesIn(history.evaluations.whole(row.id) ?? row).join('\n');
  const values = beginning(all.slice(offset, offset + VALUES_PAGE + 1), VALUES_PAGE);
  const next = offset + values.length;
  const goesOn = next < all.length;
  const structured = { id: row.id, values, next_offset: goesOn ? next : null };
  const text = [
    printedText(values, row),
    goesOn ? `; more from offset ${next}, of ${all.length} characters` : '; end of the values',
  ];
  return {
    structured: { rows: [], next: null, evaluation: structured },
    text: text.join('\n'),
    isError: false,
  };
}

/** Removes undefined members, since the query treats an absent member differently. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

// Brief text of a history page: a line for each row. A heading line names session, client and project where
// these change.

/** Characters for all rows, and the minimum and maximum for the code or the outcome of one. */
const PAGE_CHARACTERS = 700;
const MIN_ROW_CHARACTERS = 36;
const MAX_ROW_CHARACTERS = 400;

interface Page {
  rows: readonly HistoryRowResult[];
  next: number | null;
}

/** Formats a page. With fewer rows, each gets more characters. `history` with an id returns one row whole. */
function pageText(
  { rows, next }: Page,
  { client, project, names }: Caller,
  { session }: { session?: string | undefined },
): string {
  if (rows.length === 0)
    return session === undefined
      ? 'No evaluations.'
      : messageText(
          {
            text: `No such evaluations in session ${session}.`,
            mentions: [mention`${ours('images')} lists the handles of open sessions.`],
          },
          names,
        );
  const each = Math.max(
    MIN_ROW_CHARACTERS,
    Math.min(MAX_ROW_CHARACTERS, Math.floor(PAGE_CHARACTERS / rows.length / 2)),
  );
  const lines = rows.flatMap((row, place) => {
    const where = whereText(row, { client: client.key, project });
    const before = rows[place - 1];
    const isSame = before !== undefined && whereText(before, { client: client.key, project }) === where;
    return [...(isSame ? [] : [`; ${where}`]), rowLine(row, each)];
  });
  return [...lines, ...closingLines(next === null ? [] : [`more with before: ${next}`])].join('\n');
}

/** Returns the session, and the client and project where they are not the caller's. */
function whereText(row: HistoryRowResult, caller: { client: string; project: string }): string {
  return [
    row.session,
    row.package,
    ...(row.client === caller.client ? [] : [`client ${row.client}`]),
    ...(row.project === caller.project ? [] : [`project ${row.project}`]),
    row.started_at.slice(0, 10),
  ].join(' · ');
}

/** Formats one row. Characters that the code does not use are given to the outcome, and vice versa. */
function rowLine(row: HistoryRowResult, each: number): string {
  const { id, outcome, started_at: started, condition } = row;
  const code = oneLine(shortenedCode(row.code, row.project));
  const output = oneLine(row.output.replaceAll(/^; compiling .*$/gm, ''));
  const came = oneLine(condition ?? row.values.map((value) => `=> ${value}`).join(' '));
  const hidesOutput = output === '' || condition !== undefined;
  return [
    `${id} ${started.slice(11, 16)}`,
    ...(outcome === 'ok' ? [] : [outcome]),
    cut(code, Math.max(each, 2 * each - came.length)),
    cut(came, Math.max(each, 2 * each - code.length)),
    ...(hidesOutput ? [] : [`[output] ${cut(output, Math.floor(each / 2))}`]),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Shortens code: calls of our loader lose its package name, and files of the project their folder. */
function shortenedCode(code: string, project: string): string {
  return code.replace(/^\(lisp-harbor(?::|\.[a-z-]+\/)/, '(').replaceAll(`${project}/`, '');
}

function oneLine(text: string): string {
  return inOneLine(text.trim().replaceAll(/\s+/g, ' '));
}

/**
 * Returns the whole record of the last failure in a session, for tools of other systems; null if nothing has
 * failed.
 * @param session its handle
 */
export async function lastFailedIn(session: string, history: History): Promise<EvaluationRecord | null> {
  const { rows } = await history.page({ session, outcome: 'error', limit: 1 });
  const row = rows[0] && history.evaluations.find(rows[0].id);
  return row ? recordOf(row, { maxChars: WHOLE_RECORD }) : null;
}
