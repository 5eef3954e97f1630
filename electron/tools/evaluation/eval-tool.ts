/** The tool `eval`: evaluates code in a session. What outlives the call's soft limit goes on as a job. */
import { z } from 'zod';
import { SamplingMode } from '../../contract/cost';
import { HarborError } from '../../contract/errors';
import type { EvaluationRequest } from '../../sessions/session/evaluation-request';
import type { RunningEvaluation } from '../../sessions/session/running-evaluation';
import type { Session } from '../../sessions/session/session';
import { sessionOf } from '../arguments';
import type { Caller, Tool } from '../tool';
import { requireBalanced } from './balanced-code';
import { answerFor, type EvaluateToolOptions, LONGEST_WAIT_MS } from './evaluation-answer';
import { goOnWith, offering } from './offered-restart';
import { EvaluationRecord } from './record';

const OnError = z.enum(['report', 'debug']);

const EvalArguments = z.strictObject({
  code: z.string().min(1).max(2_000_000).describe('One or more top-level forms'),
  session: z.string().optional().describe('Omitted: your default session'),
  package: z.string().max(500).optional().describe('For this call only'),
  level: z.int().min(1).optional().describe('Debugger level of a held session'),
  on_error: OnError.optional().describe('debug: hold an error for the debug tool'),
  try: z.boolean().optional().describe('In a copy of the image, thrown away'),
  wait_ms: z.int().min(0).max(LONGEST_WAIT_MS).optional().describe('Answer with a job after this long'),
  limit_ms: z.int().min(1).max(LONGEST_WAIT_MS).optional().describe('Interrupt after this long'),
  profile: SamplingMode.optional().describe('Sample where CPU time or allocation goes'),
  safe_read: z.boolean().optional().describe('Refuse reader evaluation (#.)'),
  max_chars: z.int().min(100).max(1_000_000).optional().describe('Longest value and output (default 20000)'),
});

export interface EvalToolOptions extends EvaluateToolOptions {
  /** Whether code that does not end is refused, with what mends it. Other systems promise the engine's own words for that. */
  requiresBalance?: boolean;
}

/** What a tool of another system asks for that agents do not give. */
export type BesideArguments = Pick<
  EvaluationRequest,
  'keepValues' | 'printLevel' | 'printLength' | 'framesWithLocals'
>;

export function evalTool(
  options: EvalToolOptions,
  beside: BesideArguments = {},
): Tool<typeof EvalArguments, typeof EvaluationRecord> {
  return {
    name: 'eval',
    title: 'Evaluate Lisp',
    description:
      'Evaluates each form and answers values, output, warnings and any condition with its backtrace. Definitions stay. What runs long, or finds the session busy, goes on as a job: no timer kills it but limit_ms.',
    scope: 'evaluate',
    args: EvalArguments,
    result: EvaluationRecord,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      if (args.try && (args.on_error === 'debug' || args.level !== undefined))
        throw new HarborError(
          'bad_arguments',
          'What is tried runs at the top level of a copy and is not held: leave out on_error and level.',
        );
      const answering = args.max_chars === undefined ? {} : { maxChars: args.max_chars };
      if (caller.chosen) return goOnWith(caller.chosen, caller, options, answering);
      const { session, notes } = await sessionOf(args.session, caller, options.sessions);
      if (options.requiresBalance) requireBalanced(args.code, session);
      const evaluation = session.evaluate({ ...requestOf(args, caller), ...beside });
      if (args.limit_ms !== undefined) void interruptAfter(args.limit_ms, evaluation, session);
      // Who asked to hold is who will choose; otherwise a person may yet do so.
      const untilHeld = args.on_error === 'debug';
      const result = await answerFor(evaluation, session, caller, options, {
        ...answering,
        notes,
        untilHeld,
        ...waiting(args),
      });
      return untilHeld ? offering(result, evaluation) : result;
    },
  };
}

/** What is limited ends by itself, and its end is waited for. */
function waiting({ wait_ms: waitMs, limit_ms: limit }: z.output<typeof EvalArguments>): { waitMs?: number } {
  if (waitMs !== undefined) return { waitMs };
  return limit === undefined ? {} : { waitMs: LONGEST_WAIT_MS };
}

/** As `job` interrupts: state is kept where the engine can. It counts from its turn on; what is held by then waits for its
 * restart. */
async function interruptAfter(
  milliseconds: number,
  evaluation: RunningEvaluation,
  session: Session,
): Promise<void> {
  await evaluation.turnWithin(Number.POSITIVE_INFINITY);
  const row = await evaluation.within(milliseconds);
  if (row === null && !evaluation.held) await session.cancel(evaluation);
}

function requestOf(args: z.output<typeof EvalArguments>, { client }: Caller): EvaluationRequest {
  return {
    client: client.key,
    kind: args.try ? 'try' : 'eval',
    code: args.code,
    ...(args.package === undefined ? {} : { package: args.package }),
    ...(args.safe_read === undefined ? {} : { safeRead: args.safe_read }),
    ...(args.profile === undefined ? {} : { profile: args.profile }),
    ...(args.level === undefined ? {} : { level: args.level }),
    ...(args.on_error === undefined ? {} : { onError: args.on_error }),
  };
}
