/** Evaluations that a tool makes on its caller's behalf: the same path, queue and history as any other. */
import { z } from 'zod';
import { HarborError } from '../contract/errors';
import type { Evaluation } from '../contract/model';
import type { History } from '../history/history';
import type { EvaluationRequest } from '../sessions/requests';
import type { Session } from '../sessions/session';
import { isFailure, recordOf } from './record';
import { recordText } from './record-text';
import type { Caller, ToolResult } from './tool';

/** How results show such an evaluation; the schema of `eval` says it in full. */
export const OwnRecord = z.looseObject({ id: z.int(), outcome: z.string() });

export interface OwnEvaluationOptions {
  history: History;
  /** Milliseconds after which a call answers with a job. */
  softLimitMs: () => number;
}

/** The closed row, or the open one of what outlived the soft limit. A caller that goes away cancels it. */
export async function evaluateFor(
  caller: Caller,
  session: Session,
  request: Omit<EvaluationRequest, 'client'>,
  { history, softLimitMs }: OwnEvaluationOptions,
): Promise<Evaluation> {
  const evaluation = session.evaluate({ client: caller.client.key, ...request });
  const closed = await evaluation.within(softLimitMs(), caller.signal);
  if (closed) return closed;
  if (caller.signal.aborted) void session.cancel(evaluation);
  const open = history.evaluations.find(evaluation.id);
  if (open) return open;
  throw new HarborError('internal', `Row ${evaluation.id} of the history is missing.`);
}

/** What the tool answers instead when its evaluation did not end well, or still runs. */
export function evaluationInstead(row: Evaluation, session: Session, notes: readonly string[]) {
  const record = recordOf(row, { notes });
  const structured = { session: session.id, evaluation: record, notes: record.notes };
  return {
    structured,
    text: recordText(record),
    isError: isFailure(row),
    evaluation: row.id,
  } satisfies ToolResult;
}
