/** The tools that evaluate: `eval`, and `job` for what outlived its call's soft limit or is held in the debugger. */
import { z } from 'zod';
import { HarborError } from '../contract/errors';
import type { Evaluation } from '../contract/model';
import type { History } from '../history/history';
import type { RunningEvaluation } from '../sessions/running-evaluation';
import type { Sessions } from '../sessions/sessions';
import { EvaluationRecord, isFailure, jobName, recordOf } from './record';
import { recordText } from './record-text';
import { sessionOf } from './session-argument';
import type { Caller, Tool, ToolResult } from './tool';

const PROGRESS_EVERY_MS = 5_000;
const LONGEST_WAIT_MS = 600_000;
/** Characters of output in one answer of `job`. */
const OUTPUT_PAGE = 50_000;

export interface EvaluateToolOptions {
  sessions: Sessions;
  history: History;
  /** Milliseconds after which a call answers with a job. */
  softLimitMs: () => number;
}

const OnError = z.enum(['report', 'debug']);

const EvalArguments = z.strictObject({
  code: z.string().min(1).max(2_000_000).describe('One or more top-level forms'),
  session: z.string().optional().describe('A session handle; omitted: your default session'),
  package: z.string().max(500).optional().describe('Package or namespace for this call only'),
  level: z.int().min(1).optional().describe('The debugger level that a held session is at'),
  on_error: OnError.optional().describe('debug: hold an unhandled condition for the debug tool'),
  wait_ms: z.int().min(0).max(LONGEST_WAIT_MS).optional().describe('Answer with a job after this long'),
  safe_read: z.boolean().optional().describe('Refuse reader evaluation (#.)'),
  max_chars: z.int().min(100).max(1_000_000).optional().describe('Longest printed value and output'),
});

export function evalTool(options: EvaluateToolOptions): Tool<typeof EvalArguments, typeof EvaluationRecord> {
  return {
    name: 'eval',
    title: 'Evaluate Lisp',
    description:
      'Evaluates every form in the session and answers values, stdout, stderr, warnings and any condition with its restarts and backtrace. Definitions stay. What runs longer than the soft limit goes on as a job: nothing is killed by a timer. With on_error: debug the debug tool can look around and go on.',
    scope: 'evaluate',
    args: EvalArguments,
    result: EvaluationRecord,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const { session, notes } = await sessionOf(args.session, caller, options.sessions);
      const evaluation = session.evaluate({
        client: caller.client.key,
        kind: 'eval',
        code: args.code,
        ...(args.package === undefined ? {} : { package: args.package }),
        ...(args.safe_read === undefined ? {} : { safeRead: args.safe_read }),
        ...(args.max_chars === undefined ? {} : { maxChars: args.max_chars }),
        ...(args.level === undefined ? {} : { level: args.level }),
        ...(args.on_error === undefined ? {} : { onError: args.on_error }),
      });
      const closed = await waitFor(evaluation, caller, {
        milliseconds: args.wait_ms ?? options.softLimitMs(),
        // Who asked to hold is who will choose; otherwise a person may yet do so.
        untilHeld: args.on_error === 'debug',
      });
      if (!closed && caller.signal.aborted) void session.cancel(evaluation);
      const row = closed ?? options.history.evaluations.find(evaluation.id);
      return answer(row, evaluation.id, {
        notes,
        ...(args.max_chars === undefined ? {} : { outputLimit: args.max_chars }),
      });
    },
  };
}

const JobArguments = z.strictObject({
  job: z
    .string()
    .regex(/^job-\d+$/, 'A job reads job-<number>')
    .describe('As eval answered it'),
  action: z.enum(['status', 'wait', 'output', 'cancel']),
  wait_ms: z.int().min(0).max(LONGEST_WAIT_MS).optional(),
  offset: z.int().min(0).optional().describe('For output: characters to skip'),
});

const JobResult = EvaluationRecord.extend({
  output: z.string().optional().describe('For output: stdout and stderr in the order they came'),
  next_offset: z.int().nullable().optional().describe('For output: where to go on; null at the end'),
});

export function jobTool(options: EvaluateToolOptions): Tool<typeof JobArguments, typeof JobResult> {
  return {
    name: 'job',
    title: 'Follow a long evaluation',
    description:
      'For an evaluation that outlived its call or is held: status says how it stands, wait waits for its end, output pages through all it printed, cancel interrupts it (state is kept where the engine can).',
    scope: 'evaluate',
    args: JobArguments,
    result: JobResult,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const id = Number(args.job.slice('job-'.length));
      const row = ownRow(options.history, id, caller);
      const session = options.sessions.get(row.session);
      const unsettled = session?.unsettled(id);
      if (args.action === 'cancel' && unsettled) await session?.cancel(unsettled);
      if (args.action === 'wait' && unsettled)
        await waitFor(unsettled, caller, {
          milliseconds: args.wait_ms ?? options.softLimitMs(),
          untilHeld: unsettled.held === null,
        });
      const now = options.history.evaluations.find(id) ?? row;
      if (args.action !== 'output') return answer(now, id, {});
      return outputPage(options.history, now, args.offset ?? 0);
    },
  };
}

/** A client follows its own jobs; an administrator anyone's. */
function ownRow(history: History, id: number, caller: Caller): Evaluation {
  const row = history.evaluations.find(id);
  if (row && (row.client === caller.client.key || caller.client.scopes.has('admin'))) return row;
  throw new HarborError(
    'unknown_evaluation',
    `There is no job ${jobName(id)} of yours. \`history\` lists evaluations.`,
  );
}

function outputPage(
  history: History,
  row: Evaluation,
  offset: number,
): ToolResult<z.input<typeof JobResult>> {
  const page = history.evaluations.output(row.id, offset, OUTPUT_PAGE);
  const next = page.more ? page.next : null;
  const record = { ...recordOf(row), stdout: '', stderr: '', output: page.text, next_offset: next };
  const skipped = page.skipped > 0 ? `; ${page.skipped} characters here were not kept\n` : '';
  const text = `${skipped}${page.text}\n\n; ${next === null ? 'end of the output' : `more from offset ${next}`}`;
  return { structured: record, text, isError: false };
}

function answer(
  row: Evaluation | null,
  id: number,
  options: Parameters<typeof recordOf>[1],
): ToolResult<EvaluationRecord> {
  if (!row) throw new HarborError('internal', `Row ${id} of the history is missing.`);
  const record = recordOf(row, options);
  return { structured: record, text: recordText(record), isError: isFailure(row), evaluation: id };
}

export interface Wait {
  milliseconds: number;
  /** Also until it is held in the debugger, be it by now. */
  untilHeld: boolean;
}

/** Waits for the end, telling progress to a caller that asked for it; null when it has not come by then. */
export async function waitFor(
  evaluation: RunningEvaluation,
  caller: Caller,
  { milliseconds, untilHeld }: Wait,
): Promise<Evaluation | null> {
  const began = Date.now();
  const report = () => caller.progress?.(`running for ${Math.round((Date.now() - began) / 1000)} s`);
  const timer = caller.progress ? setInterval(report, PROGRESS_EVERY_MS) : undefined;
  try {
    return untilHeld
      ? await evaluation.withinOrHeld(milliseconds, caller.signal)
      : await evaluation.within(milliseconds, caller.signal);
  } finally {
    clearInterval(timer);
  }
}
