/** Where the state of a session's image comes from, so that another image can be brought to the same state. */
import { z } from 'zod';
import { RowStretch } from '../../history/replays';

/** A saved state that an image can start from. */
const SavedState = z.object({
  name: z.string(),
  file: z.string(),
  /** Sentences on what the file could not carry. */
  missing: z.array(z.string()).readonly(),
});
export type SavedState = z.infer<typeof SavedState>;

/** What an image began with, and what was evaluated since. */
export const Lineage = z.object({
  checkpoint: SavedState.nullable(),
  stretches: z.array(RowStretch).readonly(),
});
export type Lineage = z.infer<typeof Lineage>;

/** The lineage of a session that begins with an image which holds nothing yet. */
export function freshLineage(session: string, after = 0): Lineage {
  return { checkpoint: null, stretches: [{ session, after, until: null }] };
}

/** The lineage of `session` from a state on; its own evaluations are those after row `after`. */
export function lineageFrom(checkpoint: SavedState, session: string, after: number): Lineage {
  return { checkpoint, stretches: [{ session, after, until: null }] };
}

/** The lineage of a new session that has the state which another one has now, after row `until`. */
export function continued({ checkpoint, stretches }: Lineage, until: number, session: string): Lineage {
  const ended = stretches.map((stretch) => ({ ...stretch, until: stretch.until ?? until }));
  return { checkpoint, stretches: [...ended, { session, after: 0, until: null }] };
}

/** The states of a session that a new image can begin from, each with what was evaluated since. */
export class Lineages {
  /** Oldest first; the older ones are for when the checkpoint of a newer one is dropped. */
  #all: Lineage[];

  /** @param all one at least */
  constructor(all: readonly Lineage[]) {
    this.#all = [...all];
  }

  /** Oldest first. */
  get all(): readonly Lineage[] {
    return this.#all;
  }

  /** What a new image begins from. */
  get newest(): Lineage {
    return this.#all.at(-1) as Lineage;
  }

  /** The image has just been brought to the state of `lineage`, or the next one shall be. */
  startOverFrom(lineage: Lineage): void {
    this.#all = [lineage];
  }

  /** The present state has been saved. */
  saved(lineage: Lineage): void {
    this.#all.push(lineage);
  }

  /** Whether the current image, or the next one, needs this file and no other will do. */
  needs(file: string): boolean {
    return this.#all[0]?.checkpoint?.file === file;
  }

  /** The file is gone. */
  forget(file: string): void {
    this.#all = this.#all.filter(({ checkpoint }) => checkpoint?.file !== file);
  }
}
