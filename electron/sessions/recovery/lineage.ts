/**
 * The lineage of an image: where its state comes from, so that another image can be brought to the same
 * state.
 */
import { z } from 'zod';
import { RowRange } from '../../history/session-rows';

/** A checkpoint that an image can start from. */
const SavedState = z.object({
  name: z.string(),
  file: z.string(),
  /** Sentences about state that the file does not include. */
  missing: z.array(z.string()).readonly(),
});
export type SavedState = z.infer<typeof SavedState>;

/** The checkpoint that an image began with, and the evaluations since. */
export const Lineage = z.object({
  checkpoint: SavedState.nullable(),
  stretches: z.array(RowRange).readonly(),
});
export type Lineage = z.infer<typeof Lineage>;

/** The lineage of a session with an empty image. */
export function freshLineage(session: string, after = 0): Lineage {
  return { checkpoint: null, stretches: [{ session, after, until: null }] };
}

/** The lineage of `session` from a checkpoint; its own evaluations are those after row `after`. */
export function lineageFrom(checkpoint: SavedState, session: string, after: number): Lineage {
  return { checkpoint, stretches: [{ session, after, until: null }] };
}

/** The lineage of a new session that continues the state of another one up to row `until`. */
export function continued({ checkpoint, stretches }: Lineage, until: number, session: string): Lineage {
  const ended = stretches.map((stretch) => ({ ...stretch, until: stretch.until ?? until }));
  return { checkpoint, stretches: [...ended, { session, after: 0, until: null }] };
}

/** The lineages that a new image can begin from. */
export class Lineages {
  /** Oldest first. Older ones serve if the checkpoint of a newer one is dropped. */
  #all: Lineage[];
  /** Whether something without a row, such as Emacs, may have changed the state since the newest lineage. */
  #changedUnseen = false;

  /** @param all at least one */
  constructor(all: readonly Lineage[]) {
    this.#all = [...all];
  }

  /** Oldest first. */
  get all(): readonly Lineage[] {
    return this.#all;
  }

  /** The lineage that a new image begins from. */
  get newest(): Lineage {
    return this.#all.at(-1) as Lineage;
  }

  /** The state of the current or next image is that of `lineage`. */
  startOverFrom(lineage: Lineage): void {
    this.#all = [lineage];
    this.#changedUnseen = false;
  }

  /** The current state was saved. */
  saved(lineage: Lineage): void {
    this.#all.push(lineage);
    this.#changedUnseen = false;
  }

  /** From now on the state may change without a row. */
  mayChangeUnseen(): void {
    this.#changedUnseen = true;
  }

  /** Returns the file of the checkpoint whose state the image still has; null if it evaluated since. */
  unchangedSince(newestRow: number): string | null {
    const { checkpoint } = this.newest;
    return checkpoint !== null && this.isCurrent(newestRow) ? checkpoint.file : null;
  }

  /** Reports whether nothing was evaluated since the newest lineage, up to row `newestRow`. */
  isCurrent(newestRow: number): boolean {
    const { stretches } = this.newest;
    return !this.#changedUnseen && stretches.every(({ after, until }) => after === (until ?? newestRow));
  }

  /** Reports whether the current or next image needs this file and cannot begin from another one. */
  needs(file: string): boolean {
    return this.#all[0]?.checkpoint?.file === file;
  }

  /** Removes lineages whose checkpoint file was deleted. */
  forget(file: string): void {
    this.#all = this.#all.filter(({ checkpoint }) => checkpoint?.file !== file);
  }
}
