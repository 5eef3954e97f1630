/**
 * The debugger levels of a session: which evaluations are held, and the queue of each place. An evaluation is asked for
 * at the innermost place, the top level or a held evaluation, and waits there for those before it.
 */
import type { Condition } from '../../contract/model';
import type { RunningEvaluation } from './running-evaluation';

interface Place {
  /** null for the top level. */
  held: RunningEvaluation | null;
  queue: Promise<unknown>;
}

export class HeldLevels {
  readonly #top: Place = { held: null, queue: Promise.resolve() };
  readonly #levels: Place[] = [];

  /** How many levels are held; the number of the innermost one. */
  get depth(): number {
    return this.#levels.length;
  }

  /** What is held at the innermost level. */
  get innermost(): RunningEvaluation | null {
    return this.#innermost.held;
  }

  /** The level at which `evaluation` is held; 0 when it is not. */
  levelOf(evaluation: RunningEvaluation): number {
    return this.#levels.findIndex(({ held }) => held === evaluation) + 1;
  }

  hold(evaluation: RunningEvaluation, condition: Condition): void {
    this.#levels.push({ held: evaluation, queue: Promise.resolve() });
    evaluation.hold(condition);
  }

  /** The level of `evaluation` is left, and those inside it are; none is when it is not held. */
  leave(evaluation: RunningEvaluation): void {
    const level = this.levelOf(evaluation);
    if (level === 0) return;
    for (const { held } of this.#levels.splice(level - 1)) held?.goOn();
  }

  /** The image is gone; what it held will not go on. */
  clear(): void {
    this.#levels.length = 0;
  }

  /** Why nothing can be evaluated at `level` now, or null. */
  misplacement(level: number): string | null {
    if (level === this.depth) return null;
    const { innermost } = this;
    if (!innermost) return `No debugger level ${level} is held; leave level out.`;
    return `The session is held at debugger level ${this.depth}, by evaluation ${innermost.id}: \`debug\` shows it and goes on or gives up; to evaluate there, pass level: ${this.depth}.`;
  }

  /** Does `work`, which never rejects, after what was enqueued before it at the innermost place. */
  enqueue(work: () => Promise<void>): void {
    const place = this.#innermost;
    place.queue = place.queue.then(work);
  }

  /** As `enqueue`, at the top level: after all that is held now. */
  enqueueAtTop(work: () => Promise<void>): void {
    this.#top.queue = this.#top.queue.then(work);
  }

  /** Settles when all that was enqueued at the top level is done. */
  get done(): Promise<unknown> {
    return this.#top.queue;
  }

  get #innermost(): Place {
    return this.#levels.at(-1) ?? this.#top;
  }
}
