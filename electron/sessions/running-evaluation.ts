/** An evaluation from the moment it is asked for until it is settled: what callers wait on, and what a job names. */
import type { Evaluation, SessionId } from '../contract/model';

export class RunningEvaluation {
  readonly id: number;
  readonly session: SessionId;
  readonly client: string;
  /** Settles once with the closed row; never rejects. */
  readonly settled: Promise<Evaluation>;
  #settle: (evaluation: Evaluation) => void;

  constructor(id: number, session: SessionId, client: string) {
    this.id = id;
    this.session = session;
    this.client = client;
    const { promise, resolve } = Promise.withResolvers<Evaluation>();
    this.settled = promise;
    this.#settle = resolve;
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
