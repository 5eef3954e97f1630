/** The evaluations of a session that have no outcome yet, with what was asked for: those in its image, and those that wait. */
import type { Admission } from '../../contract/approvals';
import type { Evaluation } from '../../contract/model';
import type { ImageOutcome } from '../../images/image';
import type { HeldEvaluation } from '../../images/optional-groups';
import type { EvaluationRequest } from './evaluation-request';
import { RunningEvaluation } from './running-evaluation';
import type { Journal } from './session-journal';

export interface PendingEvaluation {
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

  /** When the last one ended; null before. */
  get lastEndedAt(): number | null {
    return this.#lastEndedAt;
  }

  /** @param row as it was opened */
  add(row: Evaluation, request: EvaluationRequest, admission: Admission): RunningEvaluation {
    const evaluation = new RunningEvaluation(row);
    this.#pending.set(row.id, { evaluation, request, admission });
    return evaluation;
  }

  get(id: number): PendingEvaluation | undefined {
    return this.#pending.get(id);
  }

  /** Its duration counts from now. */
  turnCame(id: number): void {
    this.#pending.get(id)?.evaluation.begin();
  }

  /** It is held in the debugger. */
  hold(id: number, held: HeldEvaluation): void {
    const evaluation = this.#pending.get(id)?.evaluation;
    if (!evaluation) return;
    evaluation.hold(held.condition);
    this.#journal.held(evaluation.row, held);
  }

  /** It is not held any more: its level was left, or it has come to its end. */
  release(id: number): void {
    this.#pending.get(id)?.evaluation.goOn();
  }

  /** It goes on at the level that was left. */
  goOn(id: number): void {
    const evaluation = this.#pending.get(id)?.evaluation;
    if (evaluation) this.#journal.wentOn(evaluation.row);
  }

  /** Closes what never began. */
  turnAway(id: number, outcome: ImageOutcome): void {
    this.#close(id, outcome, 0);
  }

  /** Closes what has come to its end. */
  settle(id: number, outcome: ImageOutcome): void {
    this.#close(id, outcome, this.#pending.get(id)?.evaluation.runsFor ?? 0);
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
