/** The history as the window lists it: evaluations and calls of tools in one list, newest first. Times are milliseconds since the epoch. */
import { z } from 'zod';
import { EngineName, Evaluation, EvaluationKind, Outcome, SessionId } from './model';

/** An evaluation's kind, or `call` for a call of a tool that evaluated nothing. */
export const EntryKind = z.enum([...EvaluationKind.options, 'call']);
export type EntryKind = z.infer<typeof EntryKind>;

/** Which entries are meant; what is absent asks for all. The outcome `running` asks for all that has not ended. */
export const HistoryFilter = z.object({
  query: z.string().max(500).optional(),
  session: SessionId.optional(),
  engine: EngineName.optional(),
  client: z.string().max(200).optional(),
  outcome: Outcome.optional(),
  kind: EntryKind.optional(),
  tool: z.string().max(200).optional(),
  /** Begun at this time or later. */
  from: z.number().int().optional(),
  /** Begun before this time. */
  until: z.number().int().optional(),
});
export type HistoryFilter = z.infer<typeof HistoryFilter>;

/** What an entry came to, as far as there is room in a line. `printed` is a line of output. */
export const EntryResult = z.object({
  kind: z.enum(['values', 'condition', 'printed', 'answer', 'none']),
  texts: z.array(z.string()),
});
export type EntryResult = z.infer<typeof EntryResult>;

/**
 * One line of the list: an evaluation, or a call that evaluated nothing; the other of the two ids is null. `key` grows with
 * the time at which it began and names the entry in pages. Where a text is looked for, `line` and `result` show where it is.
 */
export const HistoryEntry = z.object({
  key: z.number().int(),
  evaluation: z.number().int().nullable(),
  call: z.number().int().nullable(),
  kind: EntryKind,
  /** The tool through which it came; null for the window and for what knows no tools. */
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
  warnings: z.number().int(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/**
 * How long the list is: `keys` has the key of every `step`th entry, the first one's first. `searchedSince` is the time down
 * to which a text of one or two letters was looked for, null: everywhere; `unindexed` counts entries that the index does not
 * have yet, so that they are in no list.
 */
export const HistoryOutline = z.object({
  total: z.number().int(),
  step: z.number().int(),
  keys: z.array(z.number().int()),
  searchedSince: z.number().nullable(),
  unindexed: z.number().int(),
});
export type HistoryOutline = z.infer<typeof HistoryOutline>;

/** What there is to filter by. Sessions are the latest, newest first. */
export const HistoryFacets = z.object({
  clients: z.array(z.string()),
  engines: z.array(EngineName),
  tools: z.array(z.string()),
  sessions: z.array(z.object({ id: SessionId, name: z.string(), engine: EngineName })),
});
export type HistoryFacets = z.infer<typeof HistoryFacets>;

/**
 * When each client did what. The time from `from` on is in `spans` of `step` milliseconds each; a mark counts what one client began in
 * one of them, and has the newest of it. Refusals are not among the others.
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

/** A call with all that is kept of it. `arguments` is JSON, without secrets; `answer` the beginning of what it was told. */
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
});
export type CallRecord = z.infer<typeof CallRecord>;

/** Kinds of file that evaluations are exported to: source that can be loaded, a notebook, a text to read. */
export const ExportFormat = z.enum(['lisp', 'clj', 'ipynb', 'md']);
export type ExportFormat = z.infer<typeof ExportFormat>;
