/**
 * The tool `eval`: evaluates code in a session. An evaluation that exceeds the call's soft limit continues as
 * a job.
 */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';
import type { Condition } from '../../contract/model';
import { note } from '../../contract/note';
import { SamplingMode } from '../../contract/report';
import { visibleLine, visibleText } from '../../contract/visible-text';
import { cut } from '../../history/long-text';
import { ItemMap, MAX_COPIES, MAX_ITEMS } from '../../sessions/item-map';
import { restartArguments, restartCode } from '../../sessions/parsed-arguments';
import type { Checkpoints } from '../../sessions/recovery/checkpoints';
import type { RunningEvaluation } from '../../sessions/session/pending-evaluations';
import type { Session } from '../../sessions/session/session';
import type { EvaluationRequest } from '../../sessions/session/session-journal';
import { sessionOf } from '../arguments';
import type { Caller, ChosenRestart, SuspendedOffer, Tool, ToolResult } from '../tool';
import {
  type AnswerOptions,
  answer,
  answerFor,
  answerOpen,
  type EvaluateToolOptions,
  MAX_WAIT_MS,
  requireBalanced,
  rowOf,
} from './evaluation-answer';
import { actOf, withinLimit } from './own-evaluation';
import { EvaluationRecord } from './record';
import { restartText } from './record-text';

const OnError = z.enum(['report', 'debug']);

// Bounds are refinements, which the list of tools omits. A refusal names them.
const upTo = (most: number) => (value: number) => value >= 1 && value <= most;

const MapArguments = z.strictObject({
  as: z.string(),
  items: z
    .array(z.string())
    .refine(({ length }) => upTo(MAX_ITEMS)(length), `1 to ${MAX_ITEMS} items`)
    .optional(),
  count: z.int().refine(upTo(MAX_ITEMS), `1 to ${MAX_ITEMS}`).optional(),
  most: z.int().refine(upTo(MAX_COPIES), `1 to ${MAX_COPIES} copies`).optional(),
  idempotent: z.boolean().optional(),
  on: z.union([z.string(), z.array(z.string())]).optional(),
});

const EvalArguments = z.strictObject({
  code: z.string().min(1).max(2_000_000).describe('Top-level forms'),
  session: z.string().optional(),
  package: z.string().max(500).optional().describe('For this call only'),
  level: z.int().min(1).optional().describe('Of a suspended session'),
  on_error: OnError.optional().describe('debug: suspend for the debug tool'),
  try: z.boolean().optional().describe('In a discarded copy of the image'),
  wait_ms: z.int().min(0).max(MAX_WAIT_MS).optional().describe('Return a job after this long'),
  map: MapArguments.optional().describe(
    'Run for each item (form, or 0 … count-1), bound to `as`, in parallel copies',
  ),
  limit_ms: z.int().min(1).max(MAX_WAIT_MS).optional().describe('Interrupt after this long'),
  profile: SamplingMode.optional(),
  safe_read: z.boolean().optional().describe('Without #.'),
  max_chars: z.int().min(100).max(1_000_000).optional().describe('Of value and output; default 20000'),
});

interface EvalToolOptions extends EvaluateToolOptions {
  /**
   * Whether unclosed code is refused with a suggested fix. Other systems promise the engine's own messages
   * for that.
   */
  requiresBalance?: boolean;
  /** Saves the state of the session for its copies; absent: `map` is refused. */
  checkpoints?: Checkpoints;
}

/** Options that only tools of other systems set. */
type ExtraOptions = Pick<EvaluationRequest, 'keepValues' | 'printLevel' | 'printLength' | 'framesWithLocals'>;

export function evalTool(
  options: EvalToolOptions,
  extra: ExtraOptions = {},
): Tool<typeof EvalArguments, typeof EvaluationRecord> {
  return {
    name: 'eval',
    title: 'Evaluate Lisp',
    description:
      'Evaluates each form; returns values, output, warnings and any condition with its backtrace. Definitions stay. A long evaluation, or one in a busy session, becomes a job; only limit_ms stops it.',
    scope: 'evaluate',
    args: EvalArguments,
    result: EvaluationRecord,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      if (args.try && (args.on_error === 'debug' || args.level !== undefined))
        throw new HarborError(
          'bad_arguments',
          'try runs at the top level of a copy and cannot be suspended: leave out on_error and level.',
        );
      const answering = args.max_chars === undefined ? {} : { maxChars: args.max_chars };
      if (caller.chosen) return resumeWithRestart(caller.chosen, caller, options, answering);
      const { session, notes } = await sessionOf(args.session, caller, options.sessions);
      if (options.requiresBalance) requireBalanced(args.code, session);
      const outside = args.map && { outside: mapOf(args, args.map, session, caller, options) };
      const evaluation = session.evaluate({ ...requestOf(args, caller), ...extra, ...outside });
      if (args.limit_ms !== undefined) void interruptAfter(args.limit_ms, evaluation, session);
      // Only a call that requested suspension returns at it. Otherwise it waits, as the user may take a restart.
      const untilSuspended = args.on_error === 'debug';
      const result = await answerFor(evaluation, session, caller, options, {
        ...answering,
        notes,
        untilSuspended,
        ...waiting(args),
      });
      return untilSuspended ? withOffer(result, evaluation) : result;
    },
  };
}

/** @throws HarborError `bad_arguments`, `not_supported` */
function mapOf(
  { code, package: packageName, safe_read: safeRead, ...args }: z.output<typeof EvalArguments>,
  { as, items, count, most, idempotent = false, on }: z.output<typeof MapArguments>,
  session: Session,
  caller: Caller,
  { sessions, checkpoints }: EvalToolOptions,
): ItemMap {
  const misplaced = (['try', 'level', 'on_error', 'profile'] as const).filter(
    (name) => args[name] !== undefined,
  );
  if (misplaced.length > 0)
    throw new HarborError(
      'bad_arguments',
      `map runs in copies of the session: leave out ${misplaced.join(', ')}.`,
    );
  if ((items === undefined) === (count === undefined))
    throw new HarborError('bad_arguments', 'map takes either items, a list of forms, or count.');
  if (!checkpoints) throw new HarborError('not_supported', 'This profile has no map.');
  const evaluation = {
    code,
    ...(packageName === undefined ? {} : { package: packageName }),
    ...(safeRead === undefined ? {} : { safeRead }),
  };
  const forms = items ?? Array.from({ length: count ?? 0 }, (_, index) => String(index));
  const hosts = on === undefined ? [] : [on].flat();
  const request = { evaluation, as, forms, idempotent, hosts, ...(most === undefined ? {} : { most }) };
  return new ItemMap(request, { session, requester: caller, sessions, checkpoints });
}

/** An evaluation with a limit ends by itself, so its end is waited for. */
function waiting({ wait_ms: waitMs, limit_ms: limit }: z.output<typeof EvalArguments>): { waitMs?: number } {
  if (waitMs !== undefined) return { waitMs };
  return limit === undefined ? {} : { waitMs: MAX_WAIT_MS };
}

/**
 * Interrupts as `job` does, keeping state where the engine can. The limit counts from the start of
 * evaluation. A suspended evaluation is not interrupted.
 */
async function interruptAfter(
  milliseconds: number,
  evaluation: RunningEvaluation,
  session: Session,
): Promise<void> {
  await evaluation.turnWithin(Number.POSITIVE_INFINITY);
  const row = await evaluation.within(milliseconds);
  if (row === null && !evaluation.condition) await session.cancel(evaluation);
}

function requestOf(
  args: z.output<typeof EvalArguments>,
  { client, grant, input }: Caller,
): EvaluationRequest {
  return {
    client: client.key,
    grant,
    kind: args.map ? 'map' : args.try ? 'try' : 'eval',
    code: args.code,
    ...(args.package === undefined ? {} : { package: args.package }),
    ...(args.safe_read === undefined ? {} : { safeRead: args.safe_read }),
    ...(args.profile === undefined ? {} : { profile: args.profile }),
    ...(args.level === undefined ? {} : { level: args.level }),
    ...(args.on_error === undefined ? {} : { onError: args.on_error }),
    ...(input === undefined ? {} : { input }),
  };
}

// Offers the restarts of a suspended evaluation to the caller, so that a client can ask the user which to
// take, and continues the same call with the answer.

/** Maximum characters of a condition's message in a question. The record has it whole. */
const MAX_MESSAGE_LENGTH = 1_000;

/** Returns the result with an offer if its evaluation is suspended now. */
function withOffer(
  result: ToolResult<EvaluationRecord>,
  { id, row, condition: suspended }: RunningEvaluation,
): ToolResult<EvaluationRecord> {
  if (suspended === null || result.structured.outcome !== 'debugger') return result;
  return { ...result, suspended: offerOf(id, row.session, suspended) };
}

/** Returns a restart as it is offered, and recognized in the answer. */
function offeredText(restart: Condition['restarts'][number]): string {
  return visibleLine(restartText(restart));
}

function offerOf(
  evaluation: number,
  session: string,
  { type, message, level, restarts }: Condition,
): SuspendedOffer {
  return {
    evaluation,
    // A condition has the text that code in the image gave it.
    question: visibleText(
      [
        `Evaluation ${evaluation} is suspended at debugger level ${level} of session ${session}.`,
        `[${type}] ${cut(message, MAX_MESSAGE_LENGTH)}`,
        'How should it continue? Decline to leave it suspended.',
      ].join('\n'),
    ),
    restarts: restarts.map(offeredText),
    needsValues: restarts.some((restart) => restart.arguments.length > 0),
  };
}

/**
 * Continues an evaluation that a call of this caller left suspended: takes the restart, waits, and returns
 * the record of the same row. Another client may have resumed it meanwhile.
 * @throws HarborError `unknown_evaluation`, and errors of the restart
 */
async function resumeWithRestart(
  chosen: ChosenRestart,
  caller: Caller,
  options: EvaluateToolOptions,
  answering: AnswerOptions,
): Promise<ToolResult<EvaluationRecord>> {
  const row = rowOf(options.history, chosen.evaluation);
  if (row.client !== caller.client.key)
    throw new HarborError('unknown_evaluation', `Evaluation ${row.id} is not from a call of yours.`);
  // The question to the user replaced the result that reported it.
  caller.conversation.forget(row.id, row.session);
  const session = options.sessions.get(row.session);
  const evaluation = session?.pending(row.id);
  if (!session || !evaluation) return answer(row, caller, answering);
  if (chosen.restart === null) return answerOpen(evaluation, session, caller, options, answering);
  const restart = evaluation.condition?.restarts.find((each) => offeredText(each) === chosen.restart);
  if (!restart || session.suspended !== evaluation) {
    const notes = [
      ...(answering.notes ?? []),
      note('restart_gone', 'The chosen restart is no longer offered.'),
    ];
    return answerOpen(evaluation, session, caller, options, { ...answering, notes });
  }
  await take(session, restart.index, chosen, caller, options);
  const result = await answerFor(evaluation, session, caller, options, {
    ...answering,
    untilSuspended: true,
  });
  return withOffer(result, evaluation);
}

async function take(
  session: Session,
  restart: number,
  { arguments: forms }: ChosenRestart,
  caller: Caller,
  { softLimitMs }: EvaluateToolOptions,
): Promise<void> {
  const suspended = await session.debuggerFor(actOf(caller, restartCode(restart, forms)));
  await withinLimit(
    suspended.restart({
      restart,
      ...(forms.length === 0 ? {} : { arguments: restartArguments(forms, session) }),
    }),
    softLimitMs(),
    caller.signal,
    new HarborError('took_too_long', 'The restart has not replied yet. The code that it runs may loop.', {
      mentions: [mention`${ours('debug')} shows the state of the session.`],
    }),
  );
}
