/** The evaluations of a session without an outcome: queued, running or suspended in the debugger. */

import type { Admission } from '../../contract/approvals';
import type { Condition, Evaluation } from '../../contract/model';
import type { Note } from '../../contract/note';
import { onAbort } from '../../host/listeners';
import type { ImageOutcome } from '../../images/image';
import type { SuspendedEvaluation } from '../../images/optional-groups';
import { TestProgress } from '../../images/test-progress';
import type { EvaluationRequest, Journal } from './session-journal';

/** An evaluation from its request until it is closed. Callers wait on it, and a job names it. */
export class RunningEvaluation {
  /** The row when it was opened. */
  readonly row: Evaluation;
  /** Resolves once with the closed row. Never rejects. */
  readonly settled: Promise<Evaluation>;
  /** The tests that it runs; absent for an evaluation that is not for tests. */
  readonly tests: TestProgress | undefined;
  readonly #settle: (evaluation: Evaluation) => void;
  readonly #turn = Promise.withResolvers<null>();
  #turnCameAt: number | null = null;
  #condition: Condition | null = null;
  #suspension = Promise.withResolvers<null>();
  readonly #notes: Note[] = [];

  constructor(row: Evaluation) {
    this.row = row;
    this.tests = row.kind === 'test' ? new TestProgress() : undefined;
    const { promise, resolve } = Promise.withResolvers<Evaluation>();
    this.settled = promise;
    this.#settle = resolve;
  }

  get id(): number {
    return this.row.id;
  }

  settle(evaluation: Evaluation): void {
    this.#settle(evaluation);
  }

  /** Marks the start: the duration is measured from now. */
  start(): void {
    this.#turnCameAt ??= performance.now();
    this.#turn.resolve(null);
  }

  /** Milliseconds since the start; null before. */
  get durationMs(): number | null {
    return this.#turnCameAt === null ? null : performance.now() - this.#turnCameAt;
  }

  /** The condition that suspends it in the debugger; null while it runs. */
  get condition(): Condition | null {
    return this.#condition;
  }

  suspend(condition: Condition): void {
    this.#condition = condition;
    this.#suspension.resolve(null);
  }

  resume(): void {
    this.#condition = null;
    this.#suspension = Promise.withResolvers();
  }

  /** Notes for its caller, in addition to those of the image. */
  get notes(): readonly Note[] {
    return this.#notes;
  }

  addNote(added: Note): void {
    this.#notes.push(added);
  }

  /** Removes a note that turned out to be wrong. */
  removeNote(wrong: Note): void {
    const last = this.#notes.lastIndexOf(wrong);
    if (last >= 0) this.#notes.splice(last, 1);
  }

  /** Resolves with the closed row, or with null when the evaluation is suspended in the debugger. */
  get settledOrSuspended(): Promise<Evaluation | null> {
    return Promise.race([this.settled, this.#suspension.promise]);
  }

  /** As `within`, but also resolves with null when the evaluation is suspended in the debugger. */
  async withinOrSuspended(milliseconds: number, signal?: AbortSignal): Promise<Evaluation | null> {
    return this.#within(milliseconds, signal, this.settledOrSuspended);
  }

  /**
   * Resolves with the closed row, or with null after `milliseconds` (may be Infinity) or when `signal` is
   * aborted.
   */
  async within(milliseconds: number, signal?: AbortSignal): Promise<Evaluation | null> {
    return this.#within(milliseconds, signal, this.settled);
  }

  /** Resolves when the evaluation starts or is closed, after `milliseconds`, or when `signal` is aborted. */
  async turnWithin(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await this.#within(milliseconds, signal, Promise.race([this.#turn.promise, this.settled]));
  }

  async #within(
    milliseconds: number,
    signal: AbortSignal | undefined,
    end: Promise<Evaluation | null>,
  ): Promise<Evaluation | null> {
    if (signal?.aborted) return null;
    const { promise: gaveUp, resolve: giveUp } = Promise.withResolvers<null>();
    const stop = () => giveUp(null);
    const timer = Number.isFinite(milliseconds) ? setTimeout(stop, milliseconds) : undefined;
    const removeListener = onAbort(signal, stop);
    try {
      return await Promise.race([end, gaveUp]);
    } finally {
      clearTimeout(timer);
      removeListener();
    }
  }
}

interface PendingEvaluation {
  evaluation: RunningEvaluation;
  request: EvaluationRequest;
  admission: Admission;
}

export class PendingEvaluations {
  readonly #journal: Journal;
  readonly #pending = new Map<number, PendingEvaluation>();
  #lastEndedAt: number | null = null;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** When the last evaluation ended; null before. */
  get lastEndedAt(): number | null {
    return this.#lastEndedAt;
  }

  /** @param row the opened row */
  add(row: Evaluation, request: EvaluationRequest, admission: Admission): RunningEvaluation {
    const evaluation = new RunningEvaluation(row);
    this.#pending.set(row.id, { evaluation, request, admission });
    return evaluation;
  }

  get(id: number): PendingEvaluation | undefined {
    return this.#pending.get(id);
  }

  /** Marks the start of its duration. */
  start(id: number): void {
    this.#pending.get(id)?.evaluation.start();
  }

  /** Marks it as suspended in the debugger. */
  suspend(id: number, suspension: SuspendedEvaluation): void {
    const evaluation = this.#pending.get(id)?.evaluation;
    if (!evaluation) return;
    evaluation.suspend(suspension.condition);
    this.#journal.suspended(evaluation.row, suspension);
  }

  /** Marks it as no longer suspended: its level exited or it ended. */
  release(id: number): void {
    this.#pending.get(id)?.evaluation.resume();
  }

  /** Records that it resumed after its level exited. */
  resume(id: number): void {
    const evaluation = this.#pending.get(id)?.evaluation;
    if (evaluation) this.#journal.resumed(evaluation.row);
  }

  /** Closes an evaluation that never began. */
  reject(id: number, outcome: ImageOutcome): void {
    this.#close(id, outcome, 0);
  }

  /** Closes an evaluation that has ended. */
  settle(id: number, outcome: ImageOutcome): void {
    this.#close(id, outcome, this.#pending.get(id)?.evaluation.durationMs ?? 0);
  }

  #close(id: number, outcome: ImageOutcome, durationMs: number): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    this.#lastEndedAt = Date.now();
    const { evaluation } = pending;
    evaluation.settle(this.#journal.close(evaluation.row, { ...outcome, endedAt: Date.now(), durationMs }));
  }
}
