/** Calls of the window about the list of all evaluations and calls. */
import { z } from 'zod';
import {
  CallRecord,
  ExportFormat,
  HistoryEntry,
  HistoryFacets,
  HistoryFilter,
  HistoryOutline,
  HistoryTimeline,
} from '../history';
import { Evaluation, HistoryPage, HistoryQuery, SessionView, Stream } from '../model';
import { AgainWhere } from '../run-again';
import { byId, type CallTable, nothing } from './parameters';

export const historyCalls = {
  'history:page': { args: HistoryQuery, result: HistoryPage },
  'history:evaluation': { args: byId, result: Evaluation },
  /** A page of one value of an evaluation, from a character on; forms and values count from 0.
   * @throws HarborError `unknown_evaluation` */
  'history:value': {
    args: byId.extend({ form: z.int().min(0), value: z.int().min(0), offset: z.int().min(0) }),
    result: z.object({ text: z.string(), next: z.int() }),
  },
  /** The last characters that an evaluation has printed by now, in the order they came. */
  'history:printed': {
    args: byId.extend({ last: z.int().min(1).max(1_000_000) }),
    result: z.array(z.object({ stream: Stream, text: z.string() })),
  },
  /** Entries by their keys, newest first: below one, up to one, or above one. */
  'history:entries': {
    args: z.object({
      filter: HistoryFilter,
      page: z.object({
        below: z.number().int().optional(),
        upTo: z.number().int().optional(),
        above: z.number().int().optional(),
        limit: z.number().int().min(1).max(500),
      }),
    }),
    result: z.array(HistoryEntry),
  },
  /** How long that list is, and where its pages begin; null when another was asked for meanwhile. */
  'history:outline': { args: HistoryFilter, result: HistoryOutline.nullable() },
  /** When each client did what of that list; null when another was asked for meanwhile, and for a text of one or two letters. */
  'history:timeline': { args: HistoryFilter, result: HistoryTimeline.nullable() },
  /** The key of an evaluation or a call, or of the newest entry that began before a time; null for none. */
  'history:locate': {
    args: z.union([
      z.object({ evaluation: z.number().int() }),
      z.object({ call: z.number().int() }),
      z.object({ before: z.number().int() }),
    ]),
    result: z.number().int().nullable(),
  },
  'history:facets': { args: nothing, result: HistoryFacets },
  /** @throws HarborError `unknown_evaluation` */
  'history:call': { args: byId, result: CallRecord },
  /** Evaluates its code again, in a session of its engine. @throws HarborError `unknown_evaluation`, `not_supported` for what
   * is no code, `session_ended` where its session is wanted, and as opening a session and saving a checkpoint do */
  'history:runAgain': {
    args: byId.extend({ where: AgainWhere }),
    result: z.object({ session: SessionView, evaluation: z.number().int() }),
  },
  /** Shows the system's save dialog and writes the newest evaluations that the filter means; `left` counts those that the
   * kind of file cannot hold. Null when the person cancelled. @throws HarborError `file_not_allowed` */
  'history:export': {
    args: z.object({ filter: HistoryFilter, format: ExportFormat }),
    result: z.object({ file: z.string(), evaluations: z.number().int(), left: z.number().int() }).nullable(),
  },
  /** Shows the system's save dialog and writes the report of a final check, as text and as JSON; null when the person
   * cancelled. @throws HarborError `unknown_evaluation`, `file_not_allowed` */
  'history:saveCheck': { args: byId, result: z.object({ file: z.string() }).nullable() },
} satisfies CallTable;
