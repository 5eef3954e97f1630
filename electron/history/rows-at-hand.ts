/**
 * Rows whose newest state is in memory: of evaluations that have not ended, which need not be read back, and those that
 * wait to be written.
 */
import type { OpenedEvaluation, StateOfRow } from './row-state';
import type { Write } from './writer';

export interface RowAtHand {
  readonly opened: OpenedEvaluation;
  /** What put the row into the database, or will. */
  readonly opening: Write;
  state: StateOfRow;
  /** The package it began in. */
  packageBefore: string;
  /** Whether it printed anything: that lies elsewhere. */
  printed: boolean;
  /** Whether the row, in whatever state, is in the database. */
  onDisk: boolean;
}

export class RowsAtHand {
  readonly #rows = new Map<number, RowAtHand>();
  /** By session, how many of its rows found no room. */
  readonly #lost = new Map<string, number>();

  get(id: number): RowAtHand | undefined {
    return this.#rows.get(id);
  }

  set(id: number, row: RowAtHand): void {
    this.#rows.set(id, row);
  }

  /** The database has it as it is now. */
  delete(id: number): void {
    this.#rows.delete(id);
  }

  /** One more of the session will never be written as it was. @returns how many those are */
  lose(session: string): number {
    const count = this.lostOf(session) + 1;
    this.#lost.set(session, count);
    return count;
  }

  lostOf(session: string): number {
    return this.#lost.get(session) ?? 0;
  }

  /** The id of the oldest; Infinity for none. */
  get oldest(): number {
    return this.#rows.keys().next().value ?? Number.POSITIVE_INFINITY;
  }

  /** Oldest first. */
  get ids(): number[] {
    return [...this.#rows.keys()];
  }

  /** Those of one session, oldest first. */
  of(session: string): (RowAtHand & { id: number })[] {
    return [...this.#rows]
      .filter(([, { opened }]) => opened.session === session)
      .map(([id, row]) => ({ ...row, id }));
  }
}
