/** An evaluation from the moment it is asked for until it is settled: what callers wait on, and what a job names. */
import type { Condition, Evaluation } from '../../contract/model';

export class RunningEvaluation {
  /** Its row as it was opened. */
  readonly row: Evaluation;
  /** Settles once with the closed row; never rejects. */
  readonly settled: Promise<Evaluation>;
  readonly #settle: (evaluation: Evaluation) => void;
  readonly #turn = Promise.withResolvers<null>();
  #turnCameAt: number | null = null;
  #held: Condition | null = null;
  #hold = Promise.withResolvers<null>();
  readonly #notes: string[] = [];

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

  /** What came before it is over: its duration counts from now. */
  begin(): void {
    this.#turnCameAt ??= performance.now();
    this.#turn.resolve(null);
  }

  /** Milliseconds since its turn came; null before. */
  get runsFor(): number | null {
    return this.#turnCameAt === null ? null : performance.now() - this.#turnCameAt;
  }

  /** What holds it in the debugger; null while it runs. */
  get held(): Condition | null {
    return this.#held;
  }

  hold(condition: Condition): void {
    this.#held = condition;
    this.#hold.resolve(null);
  }

  goOn(): void {
    this.#held = null;
    this.#hold = Promise.withResolvers();
  }

  /** What its caller must be told beside what the image says. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  tell(note: string): void {
    this.#notes.push(note);
  }

  /** It was told too early: nothing came of that. */
  takeBack(note: string): void {
    const last = this.#notes.lastIndexOf(note);
    if (last >= 0) this.#notes.splice(last, 1);
  }

  /** The closed row, or null when it is held in the debugger, be it by now. */
  get atRest(): Promise<Evaluation | null> {
    return Promise.race([this.settled, this.#hold.promise]);
  }

  /** As `within`, but null also when it is held in the debugger, be it by now. */
  async withinOrHeld(milliseconds: number, signal?: AbortSignal): Promise<Evaluation | null> {
    return this.#within(milliseconds, signal, this.atRest);
  }

  /** The closed row, or null when it still runs after `milliseconds`, be it Infinity, or when `signal` aborts the wait. */
  async within(milliseconds: number, signal?: AbortSignal): Promise<Evaluation | null> {
    return this.#within(milliseconds, signal, this.settled);
  }

  /** Settles when its turn has come, when it never will, or after `milliseconds`, or when `signal` aborts the wait. */
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
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([end, gaveUp]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}
