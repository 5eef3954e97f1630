/** Evaluations that a tool makes on its caller's behalf: the same path, queue and history as any other. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import type { EvaluationRequest, SessionAct } from '../../sessions/session/evaluation-request';
import type { Session } from '../../sessions/session/session';
import type { Caller, ToolResult } from '../tool';
import { answer, answerOpen, type OwnEvaluationOptions, rowOf, waitOut } from './evaluation-answer';
import { queueOf } from './queue';

/** How results show such an evaluation; the schema of `eval` says it in full. */
export const OwnRecord = z.looseObject({ id: z.int(), outcome: z.string() });

/** What the caller has the image do that is no evaluation, for the door. */
export function actOf({ client, tool, signal }: Caller, code: string): SessionAct {
  return { client: client.key, tool, code, signal };
}

/** Evaluates where the session stands, also at a debugger level; conditions are reported, never held. A caller that goes
 * away cancels it. Answers the closed row, or the open one after the soft limit, and soon where the session is busy. */
export async function evaluateFor(
  caller: Caller,
  session: Session,
  request: Omit<EvaluationRequest, 'client'>,
  { history, softLimitMs }: OwnEvaluationOptions,
): Promise<Evaluation> {
  const evaluation = session.evaluate({
    client: caller.client.key,
    ...(session.level > 0 ? { level: session.level } : {}),
    onError: 'report',
    ...request,
  });
  const closed = await waitOut(evaluation, session, caller, {
    milliseconds: softLimitMs(),
    untilHeld: false,
    isPatient: false,
  });
  return closed ?? rowOf(history, evaluation.id);
}

/**
 * The values of what a tool asks for its own answer, which no job can give later.
 * @throws HarborError `busy` where it has not ended in time; it is taken back then
 */
export async function valuesFor(
  caller: Caller,
  session: Session,
  request: Omit<EvaluationRequest, 'client'>,
  options: OwnEvaluationOptions,
): Promise<string[]> {
  const row = await evaluateFor(caller, session, request, options);
  const pending = session.pending(row.id);
  if (!pending) return row.forms.at(-1)?.values ?? [];
  const behind = queueOf(pending, session, caller, options);
  void session.cancel(pending);
  throw new HarborError(
    'busy',
    `${session.id} is busy${behind ? ` with ${behind.told}` : ''}: ask again when that has ended.`,
  );
}

/** What the tool answers instead when its evaluation did not end well, or has not ended: then what it waits behind, too. */
export async function evaluationInstead(
  row: Evaluation,
  session: Session,
  caller: Caller,
  options: OwnEvaluationOptions,
  notes: readonly string[],
) {
  const pending = session.pending(row.id);
  const { structured: record, ...rest } = await (pending
    ? answerOpen(pending, session, caller, options, { notes })
    : answer(row, caller, { notes }));
  const structured = { session: session.id, evaluation: record, notes: record.notes };
  return { ...rest, structured } satisfies ToolResult;
}
