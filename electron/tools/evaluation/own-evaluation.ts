/** Evaluations that a tool makes on its caller's behalf: the same path, queue and history as any other. */
import { z } from 'zod';
import type { Evaluation } from '../../contract/model';
import type { EvaluationRequest, SessionAct } from '../../sessions/session/evaluation-request';
import type { Session } from '../../sessions/session/session';
import type { Caller, ToolResult } from '../tool';
import { answer, type EvaluateToolOptions, rowOf, waitOut } from './evaluation-answer';

/** How results show such an evaluation; the schema of `eval` says it in full. */
export const OwnRecord = z.looseObject({ id: z.int(), outcome: z.string() });

/** What the caller has the image do that is no evaluation, for the door. */
export function actOf({ client, tool, signal }: Caller, code: string): SessionAct {
  return { client: client.key, tool, code, signal };
}

/** Evaluates where the session stands, also at a debugger level; conditions are reported, never held. A caller that goes
 * away cancels it. Answers the closed row, or the open one after the soft limit. */
export async function evaluateFor(
  caller: Caller,
  session: Session,
  request: Omit<EvaluationRequest, 'client'>,
  { history, softLimitMs }: EvaluateToolOptions,
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
    isPatient: true,
  });
  return closed ?? rowOf(history, evaluation.id);
}

/** What the tool answers instead when its evaluation did not end well, or still runs. */
export function evaluationInstead(
  row: Evaluation,
  session: Session,
  caller: Pick<Caller, 'told'>,
  notes: readonly string[],
) {
  const { structured: record, ...rest } = answer(row, caller, { notes });
  const structured = { session: session.id, evaluation: record, notes: record.notes };
  return { ...rest, structured } satisfies ToolResult;
}
