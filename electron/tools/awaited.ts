/**
 * The evaluations whose ends calls of a conversation wait for, and until when. A model that has made several calls at once
 * goes on when all of them are answered: to answer one early, because another still runs, would only cost it a call more.
 */

/** Calls of one turn come within so many milliseconds of each other. */
const ONE_TURN_MS = 1_000;

interface Wait {
  evaluation: number;
  since: number;
  until: number;
}

export class Awaited {
  /** Whether several conversations make the calls, which only time can tell apart. */
  readonly #isShared: boolean;
  readonly #waits = new Set<Wait>();

  constructor(isShared = false) {
    this.#isShared = isShared;
  }

  /** A call waits so long at most for the end of an evaluation; Infinity: it was answered, and waits for itself alone.
   * Answers what ends that. */
  add(evaluation: number, milliseconds: number): () => void {
    if (milliseconds === Number.POSITIVE_INFINITY) return () => undefined;
    const since = performance.now();
    const wait = { evaluation, since, until: since + milliseconds };
    this.#waits.add(wait);
    return () => this.#waits.delete(wait);
  }

  /** Milliseconds until the last call is answered that waits for one of them; null when one of them no call waits for. */
  longest(evaluations: readonly number[]): number | null {
    const now = performance.now();
    const ends = evaluations.map((evaluation) => this.#until(evaluation, now));
    return ends.includes(null) ? null : Math.max(...ends.map(Number)) - now;
  }

  #until(evaluation: number, now: number): number | null {
    const waits = [...this.#waits].filter(
      (wait) => wait.evaluation === evaluation && !(this.#isShared && now - wait.since > ONE_TURN_MS),
    );
    return waits.length === 0 ? null : Math.max(...waits.map(({ until }) => until));
  }
}
