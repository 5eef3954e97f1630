/**
 * The tool `job`: follows, pages and cancels evaluations that exceeded the soft limit of their call or are
 * suspended in the debugger.
 */
import { z } from 'zod';
import { HarborError, listSimilarNames } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';
import type { Evaluation } from '../../contract/model';
import { note } from '../../contract/note';

import type { History } from '../../history/history';
import type { Caller, Tool, ToolResult } from '../tool';
import {
  answer,
  answerOpen,
  closingNotes,
  type EvaluateToolOptions,
  MAX_WAIT_MS,
  queueOf,
  rowOf,
  unbalancedFiles,
  waitFor,
} from './evaluation-answer';

import { evaluationText, unreportedPart } from './evaluation-text';

import { BriefRecord, isOpen, JOB_NAME, jobName, jobOf, type Queue, recordOf } from './record';
import { printedText, section } from './record-text';

/** Maximum characters of output in one result. */
const OUTPUT_PAGE = 50_000;

/** Milliseconds to wait until the debugger has opened. */
const BREAK_MS = 5_000;

const JobArguments = z.strictObject({
  job: z.string().regex(JOB_NAME, 'A job is named job-<number>').describe('As eval returned it'),
  action: z.enum(['status', 'wait', 'output', 'cancel', 'break']),
  wait_ms: z.int().min(0).max(MAX_WAIT_MS).optional(),
  offset: z.int().min(0).optional().describe('For output; 0: from the start'),
});

const JobResult = BriefRecord.extend({
  output: z.string().optional().describe('For output: stdout and stderr in order'),
  skipped: z.int().optional().describe('For output: characters dropped before it'),
  next_offset: z.int().nullable().optional().describe('For output: next offset; null at the end'),
});
type JobResult = z.input<typeof JobResult>;

export function jobTool(options: EvaluateToolOptions): Tool<typeof JobArguments, typeof JobResult> {
  return {
    name: 'job',
    title: 'Follow a long evaluation',
    description:
      'Controls a running, queued or suspended evaluation. status (all data, and where it is) and wait return what is new, output pages through all output, cancel interrupts it, keeping state, or removes it from the queue; break suspends it in the debugger (SBCL).',
    scope: 'evaluate',
    approval: null,
    args: JobArguments,
    result: JobResult,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const id = jobOf(args.job) ?? 0;
      const row = ownRow(options.history, id, caller);
      const session = options.sessions.get(row.session);
      const pending = session?.pending(id);
      const queue = pending && session ? queueOf(pending, session, caller, options) : null;
      if (args.action === 'output') return outputPage(options.history, row, caller, queue, args.offset);
      if (args.action === 'cancel') {
        const isSuspended = pending?.condition != null;
        if (pending) await session?.cancel(pending, caller.client.key);
        return cancelled(rowOf(options.history, id), isSuspended, caller);
      }
      if (args.action === 'break') {
        if (!pending || !session)
          throw new HarborError('bad_arguments', `${jobName(id)} has ended, so there is nothing to break.`);
        await session.hold(pending);
        await waitFor(pending, session, caller, {
          milliseconds: BREAK_MS,
          untilSuspended: true,
          isPatient: true,
        });
      }
      if (args.action === 'wait' && pending && session)
        await waitFor(pending, session, caller, {
          milliseconds: args.wait_ms ?? options.softLimitMs(),
          untilSuspended: pending.condition === null,
          isPatient: true,
        });
      if (pending && session) {
        const place = args.action === 'status' ? await session.place(pending) : null;
        const notes = place === null ? [] : [note('place', place)];
        return answerOpen(pending, session, caller, options, { notes });
      }
      const ended = rowOf(options.history, id);
      return answer(ended, caller, {
        ...(args.action === 'status' ? { whole: true } : {}),
        notes: await unbalancedFiles(ended, session, options.files),
      });
    },
  };
}

/** Number of latest jobs that an error lists. */
const NAMED_JOBS = 12;

/** Returns the row of a job. Clients see their own jobs, an administrator all. */
function ownRow(history: History, id: number, caller: Caller): Evaluation {
  const row = history.evaluations.find(id);
  if (row && (row.client === caller.client.key || caller.client.scopes.has('admin'))) return row;
  const { rows } = history.evaluations.page({ client: caller.client.key, limit: NAMED_JOBS });
  const jobs = rows.map((each) => jobName(each.id));
  throw new HarborError(
    'unknown_evaluation',
    `You have no job ${jobName(id)}. ${listSimilarNames(jobName(id), jobs)}`,
    { mentions: [mention`${ours('history')} lists evaluations.`] },
  );
}

/**
 * Returns the output from `offset` on, with the record. While the evaluation runs, there is always a next
 * offset.
 */
function outputPage(
  history: History,
  row: Evaluation,
  { conversation, names }: Caller,
  queue: Queue | null,
  offset = conversation.soFar(row.id).offset,
): ToolResult<JobResult> {
  const page = history.evaluations.output(row.id, offset, OUTPUT_PAGE);
  const { text: output, skipped, next, more, compilerNotes } = page;
  const record = recordOf({ ...row, stdout: '', stderr: '' }, queue ? { queue } : {});
  const goesOn = more || isOpen(row);
  const structured = { ...record, output, skipped, next_offset: goesOn ? next : null };
  const unreported = unreportedPart(row, conversation, { next, isAll: !more });
  const shown = recordOf(unreported);
  const text = [
    skipped > 0 ? `; ${skipped} characters here were dropped` : '',
    section('output', printedText(output, row)),
    compilerNotes > 0
      ? `; ${compilerNotes} compiler ${compilerNotes === 1 ? 'note' : 'notes'} left out: action status has them`
      : '',
    goesOn ? `; more from offset ${next}` : '; end of the output',
    evaluationText(shown, unreported, conversation, { names, behind: queue?.text }),
  ];
  const notes = closingNotes(shown);
  return { structured, text: text.filter(Boolean).join('\n'), notes, isError: false, evaluation: row.id };
}

/**
 * Returns the record after cancel. A requested interruption is not an error; a suspended evaluation ends with
 * its condition.
 */
function cancelled(row: Evaluation, isSuspended: boolean, caller: Caller): ToolResult<JobResult> {
  const result = answer(row, caller);
  return {
    ...result,
    isError: result.isError && row.outcome !== 'interrupted' && !(isSuspended && row.outcome === 'error'),
  };
}
