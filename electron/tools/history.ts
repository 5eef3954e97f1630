/** The tool that looks back: `history`, newest first, of this project and of all that the client itself evaluated. */
import { z } from 'zod';
import { HarborError } from '../contract/errors';
import { EngineName, type Evaluation, type HistoryQuery, Outcome } from '../contract/model';
import type { History } from '../history/history';
import { HistoryRowResult, rowsThatFit, rowText } from './history-row';
import { recordOf, WHOLE_RECORD } from './record';
import { recordText } from './record-text';
import type { Caller, Tool, ToolResult } from './tool';

const HistoryArguments = z.strictObject({
  query: z.string().max(500).optional().describe('Text in code, values, output or condition'),
  session: z.string().optional(),
  engine: EngineName.optional(),
  outcome: Outcome.optional(),
  id: z.int().positive().optional().describe('One evaluation, whole'),
  before: z.int().positive().optional().describe('`next` of the page before'),
  limit: z.int().min(1).max(100).optional(),
});

const HistoryResult = z.object({
  rows: z.array(HistoryRowResult),
  next: z.int().nullable().describe('Pass as `before` to go on; null at the end'),
  evaluation: z
    .looseObject({
      id: z.int(),
      code: z.string(),
      client: z.string(),
      project: z.string(),
      started_at: z.string(),
      ended_at: z.string().optional(),
    })
    .optional()
    .describe('The record as eval answers it'),
});
type HistoryResult = z.infer<typeof HistoryResult>;

export interface HistoryToolOptions {
  history: History;
  /** Whether clients see no evaluations but their own. */
  ownOnly: () => boolean;
}

export function historyTool(
  options: HistoryToolOptions,
): Tool<typeof HistoryArguments, typeof HistoryResult> {
  return {
    name: 'history',
    title: 'Evaluation history',
    description:
      'Every evaluation of this project, newest first, also of earlier runs and other clients, and your own in other projects: search by text, filter by session, engine or outcome, page with `next`, or get one whole by `id`; lists cut long texts.',
    scope: 'read',
    args: HistoryArguments,
    result: HistoryResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ id, ...query }, caller) {
      if (id !== undefined) return wholeEvaluation(visibleRow(options, id, caller));
      const page = await options.history.page({
        ...withoutUndefined(query),
        limit: query.limit ?? 20,
        ...visibility(options, caller),
      });
      const structured = rowsThatFit(page);
      return { structured, text: pageText(structured), isError: false };
    },
  };
}

/** What a client may see: the rows of its project, and its own wherever they were evaluated; or its own alone. */
function visibility(
  { ownOnly }: HistoryToolOptions,
  { client, project }: Caller,
): Pick<HistoryQuery, 'client' | 'seenBy'> {
  return ownOnly() ? { client: client.key } : { seenBy: { client: client.key, project } };
}

/** @throws HarborError `unknown_evaluation`, the same whether there is none or it is not to be seen */
function visibleRow({ history, ownOnly }: HistoryToolOptions, id: number, caller: Caller): Evaluation {
  const row = history.evaluations.find(id);
  const own = row?.client === caller.client.key;
  if (row && (own || (!ownOnly() && row.project === caller.project))) return row;
  throw new HarborError(
    'unknown_evaluation',
    `There is no evaluation ${id} of yours, nor one in the history of ${caller.project}.`,
  );
}

function wholeEvaluation(row: Evaluation): ToolResult<HistoryResult> {
  const record = recordOf(row, { maxChars: WHOLE_RECORD });
  const evaluation = {
    ...record,
    code: row.code,
    client: row.client,
    project: row.project,
    started_at: isoTime(row.startedAt),
    ...(row.endedAt === null ? {} : { ended_at: isoTime(row.endedAt) }),
  };
  const times = `started ${evaluation.started_at}, ${evaluation.ended_at ? `ended ${evaluation.ended_at}` : 'not ended'}`;
  const head = `${row.id} · client ${row.client} · project ${row.project} · ${times}`;
  const text = `${head}\n${row.code}\n\n${recordText(record, row.code, true)}`;
  return { structured: { rows: [], next: null, evaluation }, text, isError: false };
}

function pageText({ rows, next }: HistoryResult): string {
  if (rows.length === 0) return 'No evaluations.';
  const end = next === null ? '; end of the history' : `; more with before: ${next}`;
  return [...rows.map(rowText), end].join('\n\n');
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
