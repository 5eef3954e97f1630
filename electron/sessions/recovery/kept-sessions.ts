/** Keeps of each session in the history what a later harbor needs to bring it back. */
import type { SessionRows } from '../../history/session-rows';
import type { Log } from '../../host/log';
import type { Recorded } from '../session/session-journal';
import { type Asked, keptSession, readKept } from './kept-session';
import { SleepingSession } from './sleeping-session';

export class KeptSessions {
  readonly #rows: SessionRows;
  readonly #log: Log;
  /** By session: what it was asked for, and where it stood when that was written last. */
  readonly #kept = new Map<string, { asked: Asked; stood: string | null }>();

  constructor(rows: SessionRows, log: Log) {
    this.#rows = rows;
    this.#log = log;
  }

  /** A session has been opened.
   * @param asked null: it ends with this harbor */
  open(session: Recorded, asked: Asked | null): void {
    this.#rows.open(session.identity, asked && textOf(session, asked));
    if (asked) this.#kept.set(session.identity.id, { asked, stood: JSON.stringify(session.standing) });
  }

  /** A session that slept has an image again. */
  wake({ id, asked }: SleepingSession): void {
    this.#kept.set(id, { asked, stood: null });
  }

  /** Whether the session outlives the harbor. */
  has(id: string): boolean {
    return this.#kept.has(id);
  }

  /** Writes down what has changed of the session, if anything has. */
  changed(session: Recorded): void {
    const kept = this.#kept.get(session.identity.id);
    if (!kept) return;
    const stands = JSON.stringify(session.standing);
    if (stands === kept.stood) return;
    this.#rows.keep(session.identity.id, textOf(session, kept.asked));
    kept.stood = stands;
  }

  /** The session is closed for good. */
  end(id: string): void {
    this.#kept.delete(id);
    this.#rows.end(id, Date.now());
  }

  /** The sessions that an earlier harbor left, oldest first. What cannot be read of one ends it. */
  left(): SleepingSession[] {
    return this.#rows.left().flatMap((row) => {
      const kept = readKept(row.kept);
      if (kept) return [new SleepingSession(row, kept)];
      this.#log.warn(`Session ${row.id} cannot be brought back: what was kept of it cannot be read.`);
      this.end(row.id);
      return [];
    });
  }
}

function textOf(session: Recorded, asked: Asked): string {
  return JSON.stringify(keptSession(session.view(), asked, session.standing));
}
