/** A row of the history as lists of the `history` tool show it, and as many rows as one answer may carry. */
import { z } from 'zod';
import { type HistoryPage, type HistoryRow, Outcome } from '../../contract/model';
import { Allowance } from '../allowance';
import { inOneLine, isOfProver, quoted } from '../prover/quoted';
import type { Viewer } from '../viewer';
import { RECORD_LIMIT, tenths } from './record';
import { printedText, valuesText } from './record-text';

/** Longest text of a row, in characters. */
const ROW_TEXT = 2_000;
/** Characters of one row: the first rows of a page must not take all of it. */
const ROW_LIMIT = 10_000;

export const HistoryRowResult = z.object({
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
export type HistoryRowResult = z.infer<typeof HistoryRowResult>;

/** As many rows as fit into one answer, at least one; `next` then goes on after the last of them. */
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

/** @param viewer whose own client and project need not be told; absent: they are told of every row */
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
    row.code,
    row.output && `[output]\n${printedText(row.output, row)}`,
    ...(row.values.length > 0 ? [valuesText(row.values, row)] : []),
    row.condition && (isOfProver(row) ? quoted(row.condition) : row.condition),
  ]
    .filter(Boolean)
    .join('\n');
}
