/** The evaluations of a session that have no outcome yet: those in its image, and those that wait for their turn. */
import type { Evaluation } from '../../contract/model';
import type { ImageOutcome } from '../../images/image';
import { RunningEvaluation } from './running-evaluation';
import type { Journal } from './session-journal';

export class Unsettled {
  readonly #journal: Journal;
  readonly #evaluations = new Map<number, RunningEvaluation>();
  readonly #inImage = new Set<RunningEvaluation>();
  /** Those that begin with a fresh image, and so wait at no level. */
  readonly #resets = new WeakSet<RunningEvaluation>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** @param reset whether it begins with a fresh image */
  add(row: Evaluation, { reset }: { reset: boolean }): RunningEvaluation {
    const evaluation = new RunningEvaluation(row);
    this.#evaluations.set(evaluation.id, evaluation);
    if (reset) this.#resets.add(evaluation);
    return evaluation;
  }

  get(id: number): RunningEvaluation | undefined {
    return this.#evaluations.get(id);
  }

  get all(): readonly RunningEvaluation[] {
    return [...this.#evaluations.values()];
  }

  has(evaluation: RunningEvaluation): boolean {
    return this.#evaluations.has(evaluation.id);
  }

  /** Whether the image evaluates or holds it, and has not told its end. */
  inImage(evaluation: RunningEvaluation): boolean {
    return this.#inImage.has(evaluation);
  }

  entersImage(evaluation: RunningEvaluation): void {
    this.#inImage.add(evaluation);
  }

  leavesImage(evaluation: RunningEvaluation): void {
    this.#inImage.delete(evaluation);
  }

  settle(evaluation: RunningEvaluation, outcome: ImageOutcome, durationMs = 0): void {
    this.#evaluations.delete(evaluation.id);
    const closed = { ...outcome, endedAt: Date.now(), durationMs };
    evaluation.settle(this.#journal.close(evaluation.row, closed));
  }

  /** Settles all that wait for their turn. */
  settleWaiting(outcome: ImageOutcome): void {
    for (const each of this.all) if (!this.#inImage.has(each)) this.settle(each, outcome);
  }

  /** Settles all that wait at a debugger level or for one to be left. */
  settleWaitingAtLevel(outcome: ImageOutcome): void {
    for (const each of this.all)
      if (!this.#inImage.has(each) && !this.#resets.has(each)) this.settle(each, outcome);
  }
}
