/** An evaluation from the moment it is asked for until it is settled: what callers wait on, and what a job names. */
import type { Evaluation } from '../contract/model';

export class RunningEvaluation {
  /** Its row as it was opened. */
  readonly row: Evaluation;
  /** Settles once with the closed row; never rejects. */
  readonly settled: Promise<Evaluation>;
  readonly #settle: (evaluation: Evaluation) => void;

  constructor(row: Evaluation) {
    this.row = row;
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

  /** The closed row, or null when it still runs after `milliseconds` or when `signal` aborts the wait. */
  async within(milliseconds: number, signal?: AbortSignal): Promise<Evaluation | null> {
    if (signal?.aborted) return null;
    const { promise: gaveUp, resolve: giveUp } = Promise.withResolvers<null>();
    const stop = () => giveUp(null);
    const timer = setTimeout(stop, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([this.settled, gaveUp]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}
