/** The tool `history`: evaluations of this project, and all that the client itself evaluated, newest first. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { EngineName, type Evaluation, Outcome } from '../../contract/model';
import { beginning } from '../../history/cut-text';
import type { History } from '../../history/history';
import type { Tool, ToolResult } from '../tool';
import { type SeenHistory, visibility, visibleRow } from '../viewer';
import { HistoryRowResult, rowsThatFit } from './history-row';
import { pageText } from './lean-rows';
import { recordOf, valuesIn, WHOLE_RECORD } from './record';
import { printedText, recordText } from './record-text';

const HistoryArguments = z.strictObject({
  query: z.string().max(500).optional().describe('Text in code, values, output, condition'),
  session: z.string().optional(),
  // The names are in the listing once, with open_session.
  engine: z.string().pipe(EngineName).optional(),
  outcome: Outcome.optional(),
  mine: z.boolean().optional(),
  id: z.int().positive().optional().describe('One; with offset a page of its values'),
  offset: z.int().min(0).optional(),
  before: z.int().positive().optional().describe('To go on'),
  limit: z.int().min(1).max(100).optional(),
});

const HistoryResult = z.object({
  rows: z.array(HistoryRowResult),
  next: z.int().nullable().describe('Pass as `before` to go on; null at the end'),
  evaluation: z
    .looseObject({ id: z.int() })
    .optional()
    .describe(
      'The record as eval answers it, with its code, client, project and times; or a page of its values',
    ),
});
type HistoryResult = z.infer<typeof HistoryResult>;

export function historyTool(options: SeenHistory): Tool<typeof HistoryArguments, typeof HistoryResult> {
  return {
    name: 'history',
    title: 'Evaluation history',
    description: `Evaluations of this project, newest first, also of earlier runs and other clients, and yours elsewhere; in short, one by \`id\` with up to ${WHOLE_RECORD} characters of each text. outcome running: all not ended; mine: only yours.`,
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
        throw new HarborError('bad_arguments', 'offset goes with the id of an evaluation.');
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

/** One row with all that is kept of it, as data and as text. */
export function wholeEvaluation(row: Evaluation): ToolResult<HistoryResult> {
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
  const text = `${head}\n${row.code}\n\n${recordText(record, true)}`;
  return { structured: { rows: [], next: null, evaluation }, text, isError: false };
}

/** Characters of values in one answer. */
const VALUES_PAGE = 50_000;

/** The values of all forms, each on a line of its own, from a character on. */
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

/** Drops what was not asked, because absence and `undefined` are different things to the query. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
