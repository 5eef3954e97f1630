/** What `eval` and `job` have in common: waiting for an evaluation, and answering with its record. */
import { HarborError } from '../contract/errors';
import type { Evaluation } from '../contract/model';
import type { History } from '../history/history';
import type { RunningEvaluation } from '../sessions/running-evaluation';
import type { Session } from '../sessions/session';
import type { Sessions } from '../sessions/sessions';
import { type EvaluationRecord, isFailure, type RecordOptions, recordOf } from './record';
import { recordText } from './record-text';
import type { Caller, ToolResult } from './tool';

const PROGRESS_EVERY_MS = 5_000;
/** Longest wait that a call may ask for. */
export const LONGEST_WAIT_MS = 600_000;

export interface EvaluateToolOptions {
  sessions: Sessions;
  history: History;
  /** Milliseconds after which a call answers with a job. */
  softLimitMs: () => number;
}

/** The row of an evaluation that was opened, with its output so far. */
export function rowOf(history: History, id: number): Evaluation {
  const row = history.evaluations.find(id);
  if (row) return row;
  throw new HarborError('internal', `Row ${id} of the history is missing.`);
}

/** @param sent the code as the caller knows it already */
export function answer(
  row: Evaluation,
  options: RecordOptions = {},
  sent?: string,
): ToolResult<EvaluationRecord> {
  const record = recordOf(row, options);
  return { structured: record, text: recordText(record, sent), isError: isFailure(row), evaluation: row.id };
}

export interface AnswerOptions extends RecordOptions {
  /** Milliseconds after which to answer with a job; the soft limit unless given. */
  waitMs?: number;
  /** The code as the caller knows it already. */
  sent?: string;
}

/** The record of `evaluation` when it has ended, or as a job. A caller that goes away meanwhile cancels it. */
export async function answerFor(
  evaluation: RunningEvaluation,
  session: Session,
  caller: Caller,
  { history, softLimitMs }: EvaluateToolOptions,
  { waitMs = softLimitMs(), sent, ...options }: AnswerOptions,
): Promise<ToolResult<EvaluationRecord>> {
  const closed = await waitFor(evaluation, caller, waitMs);
  if (!closed && caller.signal.aborted) void session.cancel(evaluation);
  return answer(closed ?? rowOf(history, evaluation.id), options, sent);
}

/** Waits for the end, telling progress to a caller that asked for it; null when it still runs after `milliseconds`. */
export async function waitFor(
  evaluation: RunningEvaluation,
  caller: Caller,
  milliseconds: number,
): Promise<Evaluation | null> {
  const began = Date.now();
  const report = () => caller.progress?.(`running for ${Math.round((Date.now() - began) / 1000)} s`);
  const timer = caller.progress ? setInterval(report, PROGRESS_EVERY_MS) : undefined;
  try {
    return await evaluation.within(milliseconds, caller.signal);
  } finally {
    clearInterval(timer);
  }
}
