/**
 * Sessions that outlive the harbor: how they are saved, and how they are listed until a client wakes them.
 */

import { existsSync } from 'node:fs';
import type { SessionView } from '../../contract/model';
import type { SessionRows, StoredSession } from '../../history/session-rows';
import type { Log } from '../../host/log';
import {
  type OpenRequest,
  type PersistentState,
  parseSavedSession,
  type SavedRequest,
  type SavedSession,
  toSavedSession,
} from '../open-request';
import type { Session } from '../session/session';
import type { RecordedSession, SessionIdentity } from '../session/session-journal';
import { type Lineage, Lineages } from './lineage';

export class SleepingSession {
  readonly identity: SessionIdentity;
  readonly request: SavedRequest;
  /** The id of its newest evaluation; 0 if there is none. */
  readonly newestRow: number;
  /** Where the state of its next image comes from. */
  readonly lineages: Pick<Lineages, 'newest' | 'needs' | 'forget'>;
  readonly #lineages: Lineages;
  readonly #saved: SavedSession;
  readonly #lastUsedAt: number;
  /** Whether its image is being started. */
  isWaking = false;

  constructor({ kept: _text, newestRow, lastUsedAt, ...opened }: StoredSession, kept: SavedSession) {
    const { server, host } = kept.asked;
    this.identity = {
      ...{ ...opened, limits: kept.limits },
      ...(server ? { server } : {}),
      ...(host === undefined ? {} : { host }),
    };
    this.request = kept.asked;
    this.newestRow = newestRow;
    this.#lineages = new Lineages(startable(kept.standing.lineages));
    this.lineages = this.#lineages;
    this.#saved = kept;
    this.#lastUsedAt = lastUsedAt;
  }

  get id(): string {
    return this.identity.id;
  }

  /** The saved state. */
  get persistentState(): PersistentState {
    return { ...this.#saved.standing, lineages: this.#lineages.all };
  }

  view(): SessionView {
    const { openedAt, ...identity } = this.identity;
    const { standing, shown } = this.#saved;
    return {
      ...identity,
      note: '',
      ...standing.called,
      ...shown,
      state: this.isWaking ? 'starting' : 'asleep',
      package: standing.package,
      pid: null,
      memoryBytes: null,
      startedAt: openedAt,
      lastUsedAt: this.#lastUsedAt,
      generation: standing.generation,
      runningEvaluation: null,
      stopping: null,
      lostBecause: null,
      comesBack: {
        ...shown.comesBack,
        checkpoint: this.lineages.newest.checkpoint?.name ?? null,
      },
      // The permission ended with the image.
      ...(shown.rawLisp === undefined ? {} : { rawLisp: false }),
      trust: null,
    };
  }
}

/**
 * Returns the lineages whose checkpoint file exists. If there are none, returns all: starting the image then
 * reports the missing file.
 */
function startable(lineages: readonly Lineage[]): readonly Lineage[] {
  const found = lineages.filter(({ checkpoint }) => checkpoint === null || existsSync(checkpoint.file));
  return found.length > 0 ? found : lineages;
}

/** The sessions that an earlier harbor left: asleep until a client uses or closes them. */
export class SleepingSessions {
  readonly #asleep = new Map<string, SleepingSession>();
  readonly #waking = new Map<string, Promise<Session>>();

  /** @param wanted whether the user wants them back; otherwise they are ended */
  constructor(kept: SavedSessions, { wanted, log }: { wanted: boolean; log: Log }) {
    for (const session of kept.load()) {
      if (wanted) this.#asleep.set(session.id, session);
      else kept.end(session.id);
    }
    if (this.#asleep.size > 0) log.info(`${this.#asleep.size} sessions of the last run are asleep.`);
  }

  /** Oldest first. */
  get all(): readonly SleepingSession[] {
    return [...this.#asleep.values()];
  }

  get(id: string): SleepingSession | undefined {
    return this.#asleep.get(id);
  }

  /** Removes the session. Returns whether it was there. */
  forget(id: string): boolean {
    return this.#asleep.delete(id);
  }

  /** Wakes the session; concurrent callers share one wake-up. If it fails, the session stays asleep. */
  waking(session: SleepingSession, wake: () => Promise<Session>): Promise<Session> {
    const { id } = session;
    const current = this.#waking.get(id);
    if (current) return current;
    session.isWaking = true;
    const waking = wake().finally(() => {
      session.isWaking = false;
      this.#waking.delete(id);
    });
    this.#waking.set(id, waking);
    return waking;
  }

  /** Returns the sleeping sessions of the request's conversation, client and project. */
  ofConversation({ client, project, conversation }: OpenRequest): readonly SleepingSession[] {
    if (conversation === undefined) return [];
    return this.all.filter(
      ({ identity, request: asked }) =>
        asked.conversation === conversation && identity.client === client && identity.project === project,
    );
  }
}

/** Saves each session in the history, so that the next harbor can bring it back. */
export class SavedSessions {
  readonly #rows: SessionRows;
  readonly #log: Log;
  /** By session: its request, and its state when it was written last. */
  readonly #saved = new Map<string, { asked: SavedRequest; written: string | null }>();

  constructor(rows: SessionRows, log: Log) {
    this.#rows = rows;
    this.#log = log;
  }

  /**
   * Saves a new session.
   * @param asked null: it ends with this harbor
   */
  open(session: RecordedSession, asked: SavedRequest | null): void {
    this.#rows.open(session.identity, asked && textOf(session, asked));
    if (asked)
      this.#saved.set(session.identity.id, { asked, written: JSON.stringify(session.persistentState) });
  }

  /** A session that was asleep has an image again. */
  wake({ id, request: asked }: SleepingSession): void {
    this.#saved.set(id, { asked, written: null });
  }

  /** Reports whether the session outlives the harbor. */
  has(id: string): boolean {
    return this.#saved.has(id);
  }

  /** Writes the state of the session if it has changed. */
  changed(session: RecordedSession): void {
    const kept = this.#saved.get(session.identity.id);
    if (!kept) return;
    const state = JSON.stringify(session.persistentState);
    if (state === kept.written) return;
    this.#rows.save(session.identity.id, textOf(session, kept.asked));
    kept.written = state;
  }

  /** The session is closed for good. */
  end(id: string): void {
    this.#saved.delete(id);
    this.#rows.end(id, Date.now());
  }

  /** Returns the sessions that an earlier harbor left, oldest first. Ends those that cannot be parsed. */
  load(): SleepingSession[] {
    return this.#rows.unfinished().flatMap((row) => {
      const kept = parseSavedSession(row.kept);
      if (kept) return [new SleepingSession(row, kept)];
      this.#log.warn(`Session ${row.id} cannot be restored: its saved state is invalid.`);
      this.end(row.id);
      return [];
    });
  }
}

function textOf(session: RecordedSession, asked: SavedRequest): string {
  return JSON.stringify(toSavedSession(session.view(), asked, session.persistentState));
}
