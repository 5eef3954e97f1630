/** What `eval`, `job` and `debug` have in common: waiting for an evaluation, and answering with its record. */
import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import type { History } from '../../history/history';
import type { RunningEvaluation } from '../../sessions/session/running-evaluation';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import type { Caller, ToolResult } from '../tool';
import { progressOf, tellProgress } from './evaluation-progress';
import { leanText } from './lean-text';
import { type EvaluationRecord, isFailure, jobName, type RecordOptions, recordOf } from './record';

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

export function answer(
  row: Evaluation,
  { told, live }: Pick<Caller, 'told' | 'live'>,
  options: RecordOptions = {},
): ToolResult<EvaluationRecord> {
  const record = recordOf(row, options);
  const text = leanText(live ? { ...record, stdout: '', stderr: '' } : record, row, told);
  return { structured: record, text, isError: isFailure(row), evaluation: row.id };
}

export interface AnswerOptions extends RecordOptions {
  /** Milliseconds after which to answer with a job; the soft limit unless given. */
  waitMs?: number;
  /** Whether to answer as well when it is held in the debugger. */
  untilHeld?: boolean;
}

/** The record of `evaluation` when it has ended, or as a job. */
export async function answerFor(
  evaluation: RunningEvaluation,
  session: Session,
  caller: Caller,
  { history, softLimitMs }: EvaluateToolOptions,
  { waitMs = softLimitMs(), untilHeld = false, ...options }: AnswerOptions,
): Promise<ToolResult<EvaluationRecord>> {
  const closed = await waitOut(evaluation, session, caller, { milliseconds: waitMs, untilHeld });
  return closed ? answer(closed, caller, options) : answerOpen(evaluation, session, caller, history, options);
}

/** The record of what has not ended, with how far it has come. */
export async function answerOpen(
  evaluation: RunningEvaluation,
  session: Session,
  caller: Pick<Caller, 'told' | 'live'>,
  history: History,
  options: RecordOptions = {},
): Promise<ToolResult<EvaluationRecord>> {
  const progress = await progressOf(evaluation, session);
  const before = session.before(evaluation);
  const told = { ...options, ...(before ? { before } : {}), ...(progress ? { progress } : {}) };
  return answer(rowOf(history, evaluation.id), caller, told);
}

export interface Wait {
  milliseconds: number;
  /** Whether the wait also ends when it is held in the debugger, or is held already. */
  untilHeld: boolean;
}

/**
 * Waits for the end of what a call began; null when the call is to answer with a job. A call that can outlive its answer
 * (`Caller.outlive`) tells the job and waits on. A caller that goes away, or cancels, interrupts the evaluation.
 */
export async function waitOut(
  evaluation: RunningEvaluation,
  session: Session,
  caller: Caller,
  wait: Wait,
): Promise<Evaluation | null> {
  const soon = await waitFor(evaluation, session, caller, wait);
  if (soon || (wait.untilHeld && evaluation.held)) return soon;
  if (caller.signal.aborted) void session.cancel(evaluation);
  if (caller.signal.aborted || !caller.outlive) return null;
  caller.outlive(jobName(evaluation.id));
  const late = await waitFor(evaluation, session, caller, {
    ...wait,
    milliseconds: Number.POSITIVE_INFINITY,
  });
  if (late || !caller.signal.aborted) return late;
  await session.cancel(evaluation);
  return evaluation.settled;
}

/** Waits for the end, telling progress to a caller that asked for it; null when it has not come by then. */
export async function waitFor(
  evaluation: RunningEvaluation,
  session: Session,
  caller: Caller,
  { milliseconds, untilHeld }: Wait,
): Promise<Evaluation | null> {
  caller.begun?.(evaluation.id);
  const endProgress = tellProgress(evaluation, session, caller);
  try {
    return untilHeld
      ? await evaluation.withinOrHeld(milliseconds, caller.signal)
      : await evaluation.within(milliseconds, caller.signal);
  } finally {
    endProgress();
  }
}
