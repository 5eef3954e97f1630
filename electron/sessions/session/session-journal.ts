/** The interface through which a session records its evaluations, and the types of its requests. */

import type { Act, Admission, Grant } from '../../contract/approvals';
import type {
  EngineName,
  Evaluation,
  EvaluationKind,
  Limits,
  SessionView,
  Stream,
} from '../../contract/model';

import type { Report } from '../../contract/report';
import type { ServerAddress } from '../../contract/server';
import type { EvaluateRequest, Image, ImageOutcome, OutputSink } from '../../images/image';
import type { ReplayEntry, SuspendedEvaluation } from '../../images/optional-groups';
import type { PersistentState } from '../open-request';
import type { Lineage } from '../recovery/lineage';

/** The parts of a session that a journal reads. */
export interface RecordedSession {
  readonly identity: SessionIdentity;
  readonly package: string;
  readonly persistentState: PersistentState;
  view(): SessionView;
}

/** Records the events of a session. */
export interface Journal {
  /** Opens the row before the code runs. If it cannot be written now, it is queued in memory. */
  open(session: RecordedSession, request: EvaluationRequest): Evaluation;
  /**
   * Records the package in which the evaluation begins; it may have changed since the request. Never throws.
   */
  began(opened: Evaluation, packageName: string): void;
  /** Returns the evaluations that a replay of the lineage repeats, oldest first. Never throws. */
  replayEntries(lineage: Lineage): ReplayEntry[];
  /** The evaluation is suspended in the debugger; its row stays open. Never throws. */
  suspended(opened: Evaluation, suspended: SuspendedEvaluation): void;
  /** The evaluation resumes. Never throws. */
  resumed(opened: Evaluation): void;
  /** `dropped` counts the lost characters right before `text`. Never throws. */
  output(opened: Evaluation, stream: Stream, text: string, dropped: number): void;
  /** Closes the row. Never throws: if the row cannot be written, it is returned with a note about that. */
  close(opened: Evaluation, closed: ClosedEvaluation): Evaluation;
  /** Logs an internal error of the session. Never throws. */
  failed(error: unknown): void;
  /** Writes the state from which the session comes back, if it has changed. Never throws. */
  save(session: RecordedSession): void;
  /** Saves the session and publishes its view. Never throws. */
  changed(session: RecordedSession): void;
}

/** A request to evaluate code. A `try` runs in a branch of the image, which is then discarded. */
export interface EvaluationRequest extends Omit<EvaluateRequest, 'id'> {
  client: string;
  grant: Grant | null;
  kind: EvaluationKind;
  /** The evaluation that this one is a part of. */
  parent?: number;
  /** Runs outside the image instead of `code`, which then only describes it. */
  outside?: OutsideWork;
}

/** The work of an evaluation that does not run in the image of its session, such as a fetch or a map. */
export interface OutsideWork {
  /**
   * Settles when it has ended; never rejects.
   * @param evaluation the id of its evaluation
   */
  run(sink: OutputSink, evaluation: number): Promise<Omit<ImageOutcome, 'package'>>;
  /** Stops it; `run` settles soon. */
  stop(): void;
  /** The report of what has ended so far; absent: nothing is known before the end. */
  readonly report?: Report;
}

/** Returns the act for the approval: `load` or `evaluate`. */
export function actOf({ client, kind, code }: EvaluationRequest): Omit<Act, 'signal'> {
  return { client, class: kind === 'load' || kind === 'test' ? 'load' : 'evaluate', tool: kind, code };
}

/** A request that runs something in an image without being an evaluation. Approvals treat it as one. */
export type SessionAct = Pick<Act, 'client' | 'tool' | 'code' | 'signal'> & { grant: Grant | null };

/**
 * Waits for the admission.
 * @throws HarborError `paused`, `not_approved`, `cancelled`
 */
export async function requireAdmission(
  admission: Admission,
  signal = new AbortController().signal,
): Promise<void> {
  const refusal = await admission(signal);
  if (refusal) throw refusal;
}

export interface SessionIdentity {
  id: string;
  engine: EngineName;
  name: string;
  client: string;
  project: string;
  limits: Limits;
  /** The server that the session is attached to; absent if its images are started. */
  server?: ServerAddress;
  /** The host that runs its images; absent: this computer. */
  host?: string;
  openedAt: number;
}

/** The initial state of a session. */
export interface SessionBeginning extends Omit<PersistentState, 'package'> {
  /** The first image. */
  image: Image;
  /** The id of its newest evaluation; 0 before the first. */
  newestRow: number;
  /** Why an earlier image is gone, to follow the word "because"; null if this is the first image. */
  sleptBecause: string | null;
}

/** The outcome of an evaluation with the time of its end. */
export interface ClosedEvaluation extends ImageOutcome {
  endedAt: number;
  durationMs: number;
}
