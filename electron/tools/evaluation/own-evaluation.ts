/** Evaluations that a tool makes for its caller. They use the same path, queue and history as any other. */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import type { Note } from '../../contract/note';
import { onAbort } from '../../host/listeners';
import type { Session } from '../../sessions/session/session';
import type { EvaluationRequest, SessionAct } from '../../sessions/session/session-journal';
import type { Caller, ToolResult } from '../tool';
import {
  answer,
  answerOpen,
  type OwnEvaluationOptions,
  queueOf,
  rowOf,
  waitForEnd,
} from './evaluation-answer';

/** Outline of such a record in results. The schema of `eval` has the details. */
export const OwnRecord = z.looseObject({ id: z.int(), outcome: z.string() });

/** Returns an act of the caller on the image that is not an evaluation, for the execution guard. */
export function actOf({ client, grant, tool, signal }: Caller, code: string): SessionAct {
  return { client: client.key, grant, tool, code, signal };
}

/**
 * Evaluates in the current state of the session, also at a debugger level. Conditions are reported, never
 * suspended. A caller that disconnects cancels it. Returns the closed row, or the open one after the soft
 * limit, or after a short time if the session is busy.
 */
export async function evaluateFor(
  caller: Caller,
  session: Session,
  request: Omit<EvaluationRequest, 'client' | 'grant'>,
  { history, softLimitMs }: OwnEvaluationOptions,
): Promise<Evaluation> {
  const evaluation = session.evaluate({
    client: caller.client.key,
    grant: caller.grant,
    ...(session.level > 0 ? { level: session.level } : {}),
    onError: 'report',
    ...request,
  });
  const closed = await waitForEnd(evaluation, session, caller, {
    milliseconds: softLimitMs(),
    untilSuspended: false,
    isPatient: false,
  });
  return closed ?? rowOf(history, evaluation.id);
}

/**
 * Returns the values that a tool needs for its own result, which no job can supply later.
 * @throws HarborError `busy` if it has not ended in time; the evaluation is then withdrawn
 */
export async function valuesFor(
  caller: Caller,
  session: Session,
  request: Omit<EvaluationRequest, 'client' | 'grant'>,
  options: OwnEvaluationOptions,
): Promise<string[]> {
  const row = await evaluateFor(caller, session, request, options);
  const pending = session.pending(row.id);
  if (!pending) return row.forms.at(-1)?.values ?? [];
  const behind = queueOf(pending, session, caller, options);
  void session.cancel(pending);
  throw new HarborError(
    'busy',
    `${session.id} is busy${behind ? ` with ${behind.text}` : ''}: retry when that has ended.`,
  );
}

/**
 * Returns the tool's result if its evaluation failed or has not ended; in the latter case also what it waits
 * for.
 */
export async function evaluationInstead(
  row: Evaluation,
  session: Session,
  caller: Caller,
  options: OwnEvaluationOptions,
  notes: readonly Note[],
) {
  const pending = session.pending(row.id);
  const { structured: record, ...rest } = await (pending
    ? answerOpen(pending, session, caller, options, { notes })
    : answer(row, caller, { notes }));
  const structured = { session: session.id, evaluation: record, notes: record.notes };
  return { ...rest, structured } satisfies ToolResult;
}

/**
 * Waits for `answer` with a limit of its own.
 * @throws `tooLate` after `milliseconds`, or when `signal` aborts; else as `answer` does
 */
export async function withinLimit<T>(
  answer: Promise<T>,
  milliseconds: number,
  signal: AbortSignal,
  tooLate: HarborError,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const stop = () => reject(tooLate);
  const timer = setTimeout(stop, milliseconds);
  const removeListener = onAbort(signal, stop);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    removeListener();
  }
}
