/** The tool `job`: follows, pages and cancels what outlived its call's soft limit or is held in the debugger. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import { thereAre } from '../../contract/names-there';
import type { History } from '../../history/history';
import type { Caller, Tool, ToolResult } from '../tool';
import { unbalancedFiles } from './balanced-code';
import {
  answer,
  answerOpen,
  type EvaluateToolOptions,
  LONGEST_WAIT_MS,
  rowOf,
  waitFor,
} from './evaluation-answer';
import { leanText } from './lean-text';
import { newsOf } from './news';
import { queueOf } from './queue';
import { BriefRecord, isOpen, JOB_NAME, jobName, jobOf, type Queue, recordOf } from './record';
import { printedText, section } from './record-text';

/** Characters of output in one answer. */
const OUTPUT_PAGE = 50_000;

const JobArguments = z.strictObject({
  job: z.string().regex(JOB_NAME, 'A job reads job-<number>').describe('As eval answered it'),
  action: z.enum(['status', 'wait', 'output', 'cancel']),
  wait_ms: z.int().min(0).max(LONGEST_WAIT_MS).optional(),
  offset: z.int().min(0).optional().describe('For output; 0: from the beginning'),
});

const JobResult = BriefRecord.extend({
  output: z.string().optional().describe('For output: stdout and stderr in the order they came'),
  skipped: z.int().optional().describe('For output: characters before it that were not kept'),
  next_offset: z.int().nullable().optional().describe('For output: where to go on; null at the end'),
});
type JobResult = z.input<typeof JobResult>;

export function jobTool(options: EvaluateToolOptions): Tool<typeof JobArguments, typeof JobResult> {
  return {
    name: 'job',
    title: 'Follow a long evaluation',
    description:
      'Of an evaluation that runs on, waits or is held: status (with all data) and wait tell what is new, output pages through all it printed, cancel interrupts it, keeping state, or takes it out of the queue.',
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
        const held = pending?.held != null;
        if (pending) await session?.cancel(pending, caller.client.key);
        return cancelled(rowOf(options.history, id), held, caller);
      }
      if (args.action === 'wait' && pending && session)
        await waitFor(pending, session, caller, {
          milliseconds: args.wait_ms ?? options.softLimitMs(),
          untilHeld: pending.held === null,
          isPatient: true,
        });
      if (pending && session) return answerOpen(pending, session, caller, options);
      const ended = rowOf(options.history, id);
      return answer(ended, caller, {
        ...(args.action === 'status' ? { whole: true } : {}),
        notes: await unbalancedFiles(ended, session, options.files),
      });
    },
  };
}

/** Of the latest, where one is asked for that is none. */
const NAMED_JOBS = 12;

/** A client follows its own jobs; an administrator anyone's. */
function ownRow(history: History, id: number, caller: Caller): Evaluation {
  const row = history.evaluations.find(id);
  if (row && (row.client === caller.client.key || caller.client.scopes.has('admin'))) return row;
  const { rows } = history.evaluations.page({ client: caller.client.key, limit: NAMED_JOBS });
  const jobs = rows.map((each) => jobName(each.id));
  throw new HarborError(
    'unknown_evaluation',
    `There is no job ${jobName(id)} of yours. ${thereAre(jobName(id), jobs)} \`history\` lists evaluations.`,
  );
}

/** What was printed from `offset` on, with the record beside it; while it runs there is always somewhere to go on. */
function outputPage(
  history: History,
  row: Evaluation,
  { told }: Caller,
  queue: Queue | null,
  offset = told.soFar(row.id).offset,
): ToolResult<JobResult> {
  const { text: output, skipped, next, more } = history.evaluations.output(row.id, offset, OUTPUT_PAGE);
  const record = recordOf({ ...row, stdout: '', stderr: '' }, queue ? { queue } : {});
  const goesOn = more || isOpen(row);
  const structured = { ...record, output, skipped, next_offset: goesOn ? next : null };
  const news = newsOf(row, told, { next, isAll: !more });
  const text = [
    skipped > 0 ? `; ${skipped} characters here were not kept` : '',
    section('output', printedText(output, row)),
    goesOn ? `; more from offset ${next}` : '; end of the output',
    leanText(recordOf(news), news, told, { behind: queue?.told }),
  ];
  return { structured, text: text.filter(Boolean).join('\n'), isError: false, evaluation: row.id };
}

/** An interruption that was asked for is no error; what was held in the debugger ends with the condition that held it. */
function cancelled(row: Evaluation, held: boolean, caller: Caller): ToolResult<JobResult> {
  const result = answer(row, caller);
  return {
    ...result,
    isError: result.isError && row.outcome !== 'interrupted' && !(held && row.outcome === 'error'),
  };
}
