/**
 * The history in the window: evaluations and tool calls in one list, newest first. Times are milliseconds
 * since the epoch.
 */
import { z } from 'zod';
import { EngineName, Evaluation, EvaluationKind, Outcome, SessionId } from './model';
import { TestTotals } from './report';
import { TraceContext } from './trace-context';

/** Kind of an evaluation, or `call` for a tool call without an evaluation. */
export const EntryKind = z.enum([...EvaluationKind.options, 'call']);
export type EntryKind = z.infer<typeof EntryKind>;

/**
 * Filter of entries; absent members match everything. The outcome `running` matches all that have not ended.
 */
export const HistoryFilter = z.object({
  query: z.string().max(500).optional(),
  session: SessionId.optional(),
  engine: EngineName.optional(),
  client: z.string().max(200).optional(),
  outcome: Outcome.optional(),
  kind: EntryKind.optional(),
  tool: z.string().max(200).optional(),
  /** Started at this time or later. */
  from: z.number().int().optional(),
  /** Started before this time. */
  until: z.number().int().optional(),
});
export type HistoryFilter = z.infer<typeof HistoryFilter>;

/** Result of an entry, shortened to one line. `printed` is a line of output. */
export const EntryResult = z.object({
  kind: z.enum(['values', 'condition', 'printed', 'answer', 'none']),
  texts: z.array(z.string()),
});
export type EntryResult = z.infer<typeof EntryResult>;

/**
 * One row: an evaluation, or a call without one; the other id is null. `key` identifies the entry in pages
 * and increases with its start time. In a search, `line` and `result` show the match.
 */
export const HistoryEntry = z.object({
  key: z.number().int(),
  evaluation: z.number().int().nullable(),
  call: z.number().int().nullable(),
  kind: EntryKind,
  /** The tool that it came through; null for the window and for protocols without tools. */
  tool: z.string().nullable(),
  session: z.string().nullable(),
  sessionName: z.string().nullable(),
  engine: EngineName.nullable(),
  client: z.string(),
  outcome: Outcome,
  startedAt: z.number(),
  durationMs: z.number().nullable(),
  line: z.string(),
  result: EntryResult,
  /** Absent if no tests ran. */
  tests: TestTotals.optional(),
  warnings: z.number().int(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/**
 * Length of a list. `keys` has the key of every `step`th entry, starting with the first. `searchedSince` is
 * the time back to which a text of one or two letters was searched, null for all; `unindexed` counts entries
 * that are not indexed yet and therefore in no list.
 */
export const HistoryOutline = z.object({
  total: z.number().int(),
  step: z.number().int(),
  keys: z.array(z.number().int()),
  searchedSince: z.number().nullable(),
  unindexed: z.number().int(),
});
export type HistoryOutline = z.infer<typeof HistoryOutline>;

/** Values to filter by. Sessions are the latest, newest first. */
export const HistoryFacets = z.object({
  clients: z.array(z.string()),
  engines: z.array(EngineName),
  tools: z.array(z.string()),
  sessions: z.array(z.object({ id: SessionId, name: z.string(), engine: EngineName })),
});
export type HistoryFacets = z.infer<typeof HistoryFacets>;

/**
 * Activity of each client. The time since `from` is divided into `spans` of `step` milliseconds; a mark
 * counts what one client started in a span and has the newest of it. Refusals are counted separately.
 */
export const HistoryTimeline = z.object({
  from: z.number(),
  step: z.number(),
  spans: z.int(),
  marks: z.array(
    z.object({
      client: z.string(),
      span: z.int(),
      evaluations: z.int(),
      edits: z.int(),
      calls: z.int(),
      refusals: z.int(),
      newest: HistoryEntry.pick({ evaluation: true, call: true }),
    }),
  ),
});
export type HistoryTimeline = z.infer<typeof HistoryTimeline>;
export type TimelineMark = HistoryTimeline['marks'][number];

/**
 * A call with all saved data. `arguments` is JSON without secrets; `answer` is the beginning of the response.
 */
export const CallRecord = Evaluation.pick({ client: true, startedAt: true, durationMs: true }).extend({
  id: z.number().int(),
  endpoint: z.string(),
  tool: z.string(),
  arguments: z.string(),
  outcome: Outcome,
  errorCode: z.string().nullable(),
  answer: z.string().nullable(),
  session: z.string().nullable(),
  evaluation: z.number().int().nullable(),
  trace: TraceContext.optional(),
});
export type CallRecord = z.infer<typeof CallRecord>;

/** Export formats: loadable source, a notebook, or text to read. */
export const ExportFormat = z.enum(['lisp', 'clj', 'ipynb', 'md']);
export type ExportFormat = z.infer<typeof ExportFormat>;

/**
 * Session for running an evaluation again, always in its own engine. `branch` opens a session with the
 * present state of the original one.
 */
export const RunAgainSession = z.enum(['same', 'new', 'branch']);
export type RunAgainSession = z.infer<typeof RunAgainSession>;
