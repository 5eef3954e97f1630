/** Shared by `eval`, `job` and `debug`: waiting for an evaluation, and returning its record. */

import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import { isOfSandbox, type Note, note, noteIf } from '../../contract/note';
import type { History } from '../../history/history';
import type { RunningEvaluation } from '../../sessions/session/pending-evaluations';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { diagnosisText, findUnbalanced } from '../../source/diagnosis';
import { dialectOf } from '../../source/dialect';
import type { GuardedFiles } from '../../source/files';
import { LARGEST_FILE, textOf } from '../../source/text';

import { replacesLog } from '../prover/proof-text';
import { shortPath } from '../source-places';
import type { Caller, ToolResult } from '../tool';
import { canSeeRow, type SeenHistory } from '../viewer';
import { progressOf, reportProgress } from './evaluation-progress';
import { compiledFile, evaluationText, unreportedPart } from './evaluation-text';
import {
  beginningOf,
  type EvaluationRecord,
  isFailure,
  isOpen,
  jobName,
  type Queue,
  type RecordOptions,
  recordOf,
} from './record';
import { isLoadingKind } from './report-text';

/** Maximum wait of a call, in milliseconds. */
export const MAX_WAIT_MS = 600_000;

export interface OwnEvaluationOptions extends SeenHistory {
  sessions: Sessions;
  /** Returns the milliseconds after which a call returns a job. */
  softLimitMs: () => number;
}

export interface EvaluateToolOptions extends OwnEvaluationOptions {
  /** Guarded access to source files, to find out why one does not load. */
  files: GuardedFiles;
}

/** Returns the row of an open evaluation, with its output so far. */
export function rowOf(history: History, id: number): Evaluation {
  const row = history.evaluations.find(id);
  if (row) return row;
  throw new HarborError('internal', `Row ${id} of the history is missing.`);
}

/** Removes the prover's output about events. The text names its log instead, so nothing is cut for it. */
function withoutLog<R extends Evaluation>(row: R): R {
  return replacesLog(row.report?.proof) ? { ...row, stderr: '' } : row;
}

/** Returns the notes that follow the text of a record. `attachNotes` adds those about the sandbox. */
export function closingNotes({ notes }: Pick<EvaluationRecord, 'notes'>): Note[] {
  return notes.filter((each) => !isOfSandbox(each));
}

/** @param options `whole`: the caller requested all data */
export function answer(
  row: Evaluation,
  { conversation, live, names }: Pick<Caller, 'conversation' | 'live' | 'names'>,
  options: RecordOptions & { whole?: true } = {},
): ToolResult<EvaluationRecord> {
  const record = recordOf(options.whole ? row : withoutLog(row), options);
  // In most cases nothing has been reported yet.
  const isFirstReport = !options.whole && !live && !conversation.hasReported(row.id);
  const unreported = unreportedPart(row, conversation);
  const fresh = live ? { ...unreported, stdout: '', stderr: '' } : unreported;
  const shown = isFirstReport ? record : recordOf(withoutLog(fresh), options);
  const text = evaluationText(shown, fresh, conversation, {
    names,
    behind: options.queue?.text,
    ended: options.ended,
    compiling: isOpen(row) ? compiledFile(row) : undefined,
  });
  const whole = options.whole ? { whole: options.whole } : {};
  const notes = closingNotes(shown);
  return { structured: record, text, notes, isError: isFailure(row), evaluation: row.id, ...whole };
}

export interface AnswerOptions extends RecordOptions {
  /**
   * Milliseconds after which to return a job, including the wait for its turn. Absent: the soft limit, or a
   * short time if the session is busy.
   */
  waitMs?: number;
  /** Whether to return also when it is suspended in the debugger. */
  untilSuspended?: boolean;
}

/** Waits for `evaluation` and returns its record, or a job if it has not ended. */
export async function answerFor(
  evaluation: RunningEvaluation,
  session: Session,
  caller: Caller,
  options: EvaluateToolOptions,
  { waitMs, untilSuspended = false, ...recordOptions }: AnswerOptions,
): Promise<ToolResult<EvaluationRecord>> {
  const milliseconds = waitMs ?? options.softLimitMs();
  const wait = { milliseconds, untilSuspended, isPatient: waitMs !== undefined };
  const closed = await waitForEnd(evaluation, session, caller, wait);
  if (closed === null) return answerOpen(evaluation, session, caller, options, recordOptions);
  return answer(closed, caller, {
    ...recordOptions,
    notes: [...(recordOptions.notes ?? []), ...(await unbalancedFiles(closed, session, options.files))],
  });
}

/** Returns the record of an unfinished evaluation, with its progress. */
export async function answerOpen(
  evaluation: RunningEvaluation,
  session: Session,
  caller: Pick<Caller, 'conversation' | 'live' | 'names' | 'client' | 'project'>,
  seen: SeenHistory,
  options: RecordOptions = {},
): Promise<ToolResult<EvaluationRecord>> {
  const progress = await progressOf(evaluation, session);
  const queue = queueOf(evaluation, session, caller, seen);
  const notes = [...(options.notes ?? []), ...stoppingNotes(evaluation, session)];
  const recordOptions = { ...options, notes, ...(queue ? { queue } : {}), ...(progress ? { progress } : {}) };
  const report = session.reportSoFar(evaluation);
  const row = { ...rowOf(seen.history, evaluation.id), ...(report ? { report } : {}) };
  return answer(row, caller, recordOptions);
}

function stoppingNotes({ id }: RunningEvaluation, session: Session): Note[] {
  if (session.view().stopping?.evaluation !== id) return [];
  return [
    note(
      'stopping',
      'The evaluation was interrupted and has not stopped yet. If its code blocks interrupts, the image is killed.',
    ),
  ];
}

interface Wait {
  milliseconds: number;
  /** Whether the wait also ends when it is suspended in the debugger. */
  untilSuspended: boolean;
  /** Whether to wait for its turn as well, whatever is ahead in the queue. */
  isPatient: boolean;
}

/**
 * Waits for the end of an evaluation; null if the call must return a job. A call that can outlive its result
 * (`Caller.outlive`) reports the job and continues to wait. A caller that disconnects or cancels interrupts
 * the evaluation.
 */
export async function waitForEnd(
  evaluation: RunningEvaluation,
  session: Session,
  caller: Caller,
  wait: Wait,
): Promise<Evaluation | null> {
  const soon = await waitFor(evaluation, session, caller, wait);
  if (soon || (wait.untilSuspended && evaluation.condition)) return soon;
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

/** Waits for the end and reports progress to a caller that requested it; null after the timeout. */
export async function waitFor(
  evaluation: RunningEvaluation,
  session: Session,
  caller: Caller,
  { milliseconds, untilSuspended, isPatient }: Wait,
): Promise<Evaluation | null> {
  caller.begun?.(evaluation.id);
  const endWait = caller.deadlines.add(evaluation.id, milliseconds);
  const endProgress = reportProgress(evaluation, session, caller);
  try {
    const remaining = isPatient ? milliseconds : await waitForTurn(evaluation, session, caller, milliseconds);
    return untilSuspended
      ? await evaluation.withinOrSuspended(remaining, caller.signal)
      : await evaluation.within(remaining, caller.signal);
  } finally {
    endProgress();
    endWait();
  }
}

// The queue of a busy session: how long a call waits for its evaluation's turn, and how the queue is
// reported.

/**
 * Milliseconds to wait for the turn of an evaluation behind a running one, unless the caller asked for
 * longer.
 */
const GRACE_MS = 1_000;

/** Returns null if the evaluation has begun. */
export function queueOf(
  evaluation: RunningEvaluation,
  session: Session,
  caller: QueueViewer,
  seen: SeenHistory,
): Queue | null {
  const before = session.before(evaluation);
  if (before === null) return null;
  const [first, ...others] = before;
  if (first === undefined) return { before, text: 'the start of an image' };
  const text = firstText(first, session, caller, seen);
  return { before, text: others.length === 0 ? text : `${text} and ${others.length} more` };
}

/** Returns what the session runs or is suspended at, for calls that cannot queue; null for nothing. */
export function currentActivity(session: Session, caller: QueueViewer, seen: SeenHistory): string | null {
  const now = session.running ?? session.suspended;
  return now && firstText(now.id, session, caller, seen);
}

type QueueViewer = Pick<Caller, 'client' | 'project'>;

function firstText(id: number, session: Session, caller: QueueViewer, seen: SeenHistory): string {
  const row = seen.history.evaluations.find(id);
  const isSeen = row && canSeeRow(seen, row, caller);
  const code = isSeen ? ` ${beginningOf(row.code)}` : '';
  const owner = row?.client === caller.client.key ? '' : ` of ${isSeen ? row.client : 'another client'}`;
  const ran = Math.round((session.pending(id)?.durationMs ?? 0) / 1_000);
  return `${jobName(id)}${code}${owner}${ran === 0 ? '' : `, running for ${ran} s`}`;
}

/**
 * Waits for the turn of an evaluation. If other calls of this conversation wait for everything ahead of it,
 * waits as long as they do; otherwise, such as behind a job or another client's evaluation, only for a
 * moment.
 * @returns the milliseconds that remain for the evaluation itself
 */
export async function waitForTurn(
  evaluation: RunningEvaluation,
  session: Session,
  { deadlines, signal }: Pick<Caller, 'deadlines' | 'signal'>,
  milliseconds: number,
): Promise<number> {
  const before = session.before(evaluation) ?? [];
  if (before.length === 0) return milliseconds;
  const came = performance.now();
  const limit = deadlines.longest(before) ?? ((session.running?.durationMs ?? 0) < GRACE_MS ? GRACE_MS : 0);
  await evaluation.turnWithin(Math.min(limit, milliseconds), signal);
  return evaluation.durationMs === null ? 0 : milliseconds - (performance.now() - came);
}

// Checks delimiters before any code runs. An unclosed form means that part of the code is missing.

/** @throws HarborError `unbalanced_code`, with the place and a likely fix */
export function requireBalanced(code: string, session: Session): void {
  const problem = problemOf(code, session);
  if (problem !== null) throw new HarborError('unbalanced_code', `${problem} Nothing was evaluated.`);
}

/**
 * Checks a file before it is loaded.
 * @param file its real path
 * @throws HarborError `unbalanced_code`
 */
export async function requireBalancedFile(
  file: string,
  session: Session,
  files: GuardedFiles,
): Promise<void> {
  const problem = await problemIn(file, session, files);
  if (problem !== null) throw new HarborError('unbalanced_code', `${problem} Nothing of it was loaded.`);
}

/** Maximum number of files checked after a system failed to load. */
const MAX_FILES = 3;

/**
 * Returns the unbalanced files among those that `row` could not load. Only the engine reads system
 * definitions.
 */
export async function unbalancedFiles(
  row: Evaluation,
  session: Session | undefined,
  files: GuardedFiles,
): Promise<Note[]> {
  if (!session || !isLoadingKind(row)) return [];
  const failed = new Set(row.report?.failures.flatMap(({ file }) => file ?? []));
  const problems = [...failed].slice(0, MAX_FILES).map((file) => problemIn(file, session, files));
  return (await Promise.all(problems)).flatMap((problem) => noteIf('unbalanced', problem));
}

/** Returns null also for a file that may not be read here or is not source; the engine decides then. */
async function problemIn(file: string, session: Session, files: GuardedFiles): Promise<string | null> {
  const { project } = session.identity;
  const read = await files.read(project, file).catch(nullIfRefused);
  const text = read && read.bytes.length <= LARGEST_FILE ? textOf(read.bytes) : null;
  const problem = text && problemOf(text.text, session);
  return problem && `${shortPath(file, project)}: ${problem}`;
}

function problemOf(code: string, { identity, image }: Session): string | null {
  const diagnosis = image.hasOwnSyntax ? null : findUnbalanced(code, dialectOf(identity.engine));
  return diagnosis && diagnosisText(diagnosis);
}

function nullIfRefused(error: unknown): null {
  if (error instanceof HarborError) return null;
  throw error;
}
