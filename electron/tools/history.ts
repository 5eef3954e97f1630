/** The tool that looks back: `history`, newest first, of this project. */
import { z } from 'zod';
import { HarborError } from '../contract/errors';
import { EngineName, type HistoryRow, Outcome } from '../contract/model';
import type { History } from '../history/history';
import { recordOf } from './record';
import { recordText } from './record-text';
import type { Caller, Tool } from './tool';

const HistoryArguments = z.strictObject({
  query: z.string().max(500).optional().describe('Text in code, values, output or condition'),
  session: z.string().optional(),
  engine: EngineName.optional(),
  outcome: Outcome.optional(),
  id: z.int().positive().optional().describe('One evaluation, whole'),
  before: z.int().positive().optional().describe('`next` of the page before'),
  limit: z.int().min(1).max(100).optional(),
});

const Row = z.object({
  id: z.int(),
  session: z.string(),
  engine: EngineName,
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
});
type Row = z.infer<typeof Row>;

const HistoryResult = z.object({
  rows: z.array(Row),
  next: z.int().nullable().describe('Pass as `before` to go on; null at the end'),
  evaluation: z
    .looseObject({ id: z.int(), code: z.string(), client: z.string(), started_at: z.string() })
    .optional()
    .describe('The record as eval answers it'),
});
type HistoryResult = z.infer<typeof HistoryResult>;

export interface HistoryToolOptions {
  history: History;
  ownOnly: () => boolean;
}

export function historyTool(
  options: HistoryToolOptions,
): Tool<typeof HistoryArguments, typeof HistoryResult> {
  return {
    name: 'history',
    title: 'Evaluation history',
    description:
      'Every evaluation of this project, newest first, also of earlier runs and other clients: search by text, filter by session, engine or outcome, page with `next`, or get one whole by `id`.',
    scope: 'read',
    args: HistoryArguments,
    result: HistoryResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ id, ...query }, caller) {
      if (id !== undefined) return oneEvaluation(options, id, caller);
      const page = await options.history.page({
        ...withoutUndefined(query),
        limit: query.limit ?? 20,
        project: caller.project,
        ...(options.ownOnly() ? { client: caller.client.key } : {}),
      });
      const structured = { rows: page.rows.map(rowResult), next: page.next };
      return { structured, text: pageText(structured), isError: false };
    },
  };
}

function oneEvaluation({ history, ownOnly }: HistoryToolOptions, id: number, caller: Caller) {
  const row = history.evaluations.find(id);
  const visible = row && row.project === caller.project && (!ownOnly() || row.client === caller.client.key);
  if (!visible)
    throw new HarborError(
      'unknown_evaluation',
      `There is no evaluation ${id} in the history of ${caller.project}.`,
    );
  const record = recordOf(row);
  const evaluation = { ...record, code: row.code, client: row.client, started_at: isoTime(row.startedAt) };
  const text = `${id} · ${row.client} · ${evaluation.started_at}\n${row.code}\n\n${recordText(record)}`;
  return { structured: { rows: [], next: null, evaluation }, text, isError: false };
}

function rowResult(row: HistoryRow): Row {
  const condition =
    row.conditionType === null ? {} : { condition: `${row.conditionType}: ${row.conditionMessage ?? ''}` };
  return {
    id: row.id,
    session: row.session,
    engine: row.engine,
    package: row.package,
    client: row.client,
    project: row.project,
    outcome: row.outcome,
    code: row.code,
    values: row.values,
    output: row.output,
    ...condition,
    started_at: isoTime(row.startedAt),
    ...(row.endedAt === null ? {} : { ended_at: isoTime(row.endedAt) }),
    ...(row.durationMs === null ? {} : { duration_ms: row.durationMs }),
  };
}

function pageText({ rows, next }: Pick<HistoryResult, 'rows' | 'next'>): string {
  if (rows.length === 0) return 'No evaluations.';
  return [...rows.map(rowText), next === null ? '; end of the history' : `; more with before: ${next}`].join(
    '\n\n',
  );
}

function rowText(row: Row): string {
  const took = row.duration_ms === undefined ? '' : ` · ${Math.round(row.duration_ms)} ms`;
  const head = `${row.id} · ${row.outcome} · ${row.session} · ${row.client} · package ${row.package} · ${row.started_at}${took}`;
  const values = row.values.map((value) => `=> ${value}`);
  return [head, row.code, row.output && `[output]\n${row.output}`, ...values, row.condition ?? '']
    .filter(Boolean)
    .join('\n');
}

/** Drops what was not asked, because absence and `undefined` are different things to the query. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
