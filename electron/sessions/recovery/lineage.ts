/** Where the state of a session's image comes from, so that another image can be brought to the same state. */
import type { RowStretch } from '../../history/replays';

/** A saved state that an image can start from. */
export interface SavedState {
  name: string;
  file: string;
  /** Sentences on what the file could not carry. */
  missing: readonly string[];
}

/** What an image began with, and what was evaluated since. */
export interface Lineage {
  checkpoint: SavedState | null;
  stretches: readonly RowStretch[];
}

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
