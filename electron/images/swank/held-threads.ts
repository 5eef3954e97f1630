/** The debugger levels of one connection that are held for somebody to choose, innermost last. */

import type { SwankEvaluation } from './evaluation';
import type { Debug } from './swank-events';

export interface HeldThread {
  debug: Debug;
  evaluation: SwankEvaluation;
  /** What is done to leave it, for the notes of its evaluation. */
  departing: string | null;
  readonly left: PromiseWithResolvers<void>;
}

export class HeldThreads {
  readonly #held: HeldThread[] = [];

  get depth(): number {
    return this.#held.length;
  }

  get innermost(): HeldThread | undefined {
    return this.#held.at(-1);
  }

  get all(): readonly HeldThread[] {
    return this.#held;
  }

  /** The level at which `debug` is held already: Swank shows a level anew when one inside it was left. */
  refresh(debug: Debug): boolean {
    const held = this.#held.find((each) => isSameLevel(each.debug, debug));
    if (!held) return false;
    held.debug = debug;
    return true;
  }

  hold(debug: Debug, evaluation: SwankEvaluation): void {
    this.#held.push({ debug, evaluation, departing: null, left: Promise.withResolvers() });
    evaluation.held(debug, this.depth);
  }

  /** The server says that a level was left; those inside it have been. */
  leave(level: { thread: number; level: number }): void {
    const at = this.#held.findIndex(({ debug }) => isSameLevel(debug, level));
    if (at === -1) return;
    for (const { evaluation, departing, left } of this.#held.splice(at).toReversed()) {
      evaluation.left(departing ?? 'was given up');
      left.resolve();
    }
  }

  /** The connection is gone; evaluations that were held tell so themselves. */
  clear(): void {
    for (const { left } of this.#held.splice(0)) left.resolve();
  }
}

function isSameLevel(
  debug: { thread: number; level: number },
  other: { thread: number; level: number },
): boolean {
  return debug.thread === other.thread && debug.level === other.level;
}
