/** What `eval`, `job` and `debug` have in common: waiting for an evaluation, and answering with its record. */
import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import type { History } from '../../history/history';
import type { RunningEvaluation } from '../../sessions/session/running-evaluation';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import type { GuardedFiles } from '../../source/files';
import { standsForLog } from '../prover/proof-text';
import type { Caller, ToolResult } from '../tool';
import type { SeenHistory } from '../viewer';
import { unbalancedFiles } from './balanced-code';
import { progressOf, tellProgress } from './evaluation-progress';
import { leanText } from './lean-text';
import { newsOf } from './news';
import { queueOf, turnOf } from './queue';
import { type EvaluationRecord, isFailure, jobName, type RecordOptions, recordOf } from './record';

/** Longest wait that a call may ask for. */
export const LONGEST_WAIT_MS = 600_000;

export interface OwnEvaluationOptions extends SeenHistory {
  sessions: Sessions;
  /** Milliseconds after which a call answers with a job. */
  softLimitMs: () => number;
}

export interface EvaluateToolOptions extends OwnEvaluationOptions {
  /** Source that may not load is looked at through these. */
  files: GuardedFiles;
}

/** The row of an evaluation that was opened, with its output so far. */
export function rowOf(history: History, id: number): Evaluation {
  const row = history.evaluations.find(id);
  if (row) return row;
  throw new HarborError('internal', `Row ${id} of the history is missing.`);
}

/** What the prover printed of events is named and not shown, so that nothing is cut for it. */
function withoutLog<R extends Evaluation>(row: R): R {
  return standsForLog(row.report?.proof) ? { ...row, stderr: '' } : row;
}

/** @param options `whole`: somebody has asked for all data of it */
export function answer(
  row: Evaluation,
  { told, live }: Pick<Caller, 'told' | 'live'>,
  options: RecordOptions & { whole?: true } = {},
): ToolResult<EvaluationRecord> {
  const record = recordOf(options.whole ? row : withoutLog(row), options);
  // Nearly always all of it is news.
  const isAllNews = !options.whole && !live && !told.knows(row.id);
  const untold = newsOf(row, told);
  const news = live ? { ...untold, stdout: '', stderr: '' } : untold;
  const toTell = isAllNews ? record : recordOf(withoutLog(news), options);
  const text = leanText(toTell, news, told, { behind: options.queue?.told, ended: options.ended });
  const whole = options.whole ? { whole: options.whole } : {};
  return { structured: record, text, isError: isFailure(row), evaluation: row.id, ...whole };
}

export interface AnswerOptions extends RecordOptions {
  /** Milliseconds after which to answer with a job, also while it waits for its turn. Absent: the soft limit, and soon where
   * the session is busy. */
  waitMs?: number;
  /** Whether to answer as well when it is held in the debugger. */
  untilHeld?: boolean;
}

/** The record of `evaluation` when it has ended, or as a job. */
export async function answerFor(
  evaluation: RunningEvaluation,
  session: Session,
  caller: Caller,
  options: EvaluateToolOptions,
  { waitMs, untilHeld = false, ...telling }: AnswerOptions,
): Promise<ToolResult<EvaluationRecord>> {
  const milliseconds = waitMs ?? options.softLimitMs();
  const wait = { milliseconds, untilHeld, isPatient: waitMs !== undefined };
  const closed = await waitOut(evaluation, session, caller, wait);
  if (closed === null) return answerOpen(evaluation, session, caller, options, telling);
  return answer(closed, caller, {
    ...telling,
    notes: [...(telling.notes ?? []), ...(await unbalancedFiles(closed, session, options.files))],
  });
}

/** The record of what has not ended, with how far it has come. */
export async function answerOpen(
  evaluation: RunningEvaluation,
  session: Session,
  caller: Pick<Caller, 'told' | 'live' | 'client' | 'project'>,
  seen: SeenHistory,
  options: RecordOptions = {},
): Promise<ToolResult<EvaluationRecord>> {
  const progress = await progressOf(evaluation, session);
  const queue = queueOf(evaluation, session, caller, seen);
  const notes = [...(options.notes ?? []), ...stoppingNotes(evaluation, session)];
  const told = { ...options, notes, ...(queue ? { queue } : {}), ...(progress ? { progress } : {}) };
  return answer(rowOf(seen.history, evaluation.id), caller, told);
}

function stoppingNotes({ id }: RunningEvaluation, session: Session): string[] {
  if (session.view().stopping?.evaluation !== id) return [];
  return [
    'It has been told to stop and has not stopped yet. Where code lets no interrupt in, its image is ended.',
  ];
}

export interface Wait {
  milliseconds: number;
  /** Whether the wait also ends when it is held in the debugger, or is held already. */
  untilHeld: boolean;
  /** Whether to wait for its turn as well, whatever comes before it. */
  isPatient: boolean;
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
    isPatient: true,
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
  { milliseconds, untilHeld, isPatient }: Wait,
): Promise<Evaluation | null> {
  caller.begun?.(evaluation.id);
  const endWait = caller.awaited.add(evaluation.id, milliseconds);
  const endProgress = tellProgress(evaluation, session, caller);
  try {
    const left = isPatient ? milliseconds : await turnOf(evaluation, session, caller, milliseconds);
    return untilHeld
      ? await evaluation.withinOrHeld(left, caller.signal)
      : await evaluation.within(left, caller.signal);
  } finally {
    endProgress();
    endWait();
  }
}
