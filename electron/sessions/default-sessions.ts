/** The default sessions of one connection: one for each engine and folder, opened when it is first needed. */

import type { Grant } from '../contract/approvals';
import type { EngineName } from '../contract/model';
import { type Note, note } from '../contract/note';
import type { OpenRequest } from './open-request';
import type { Session } from './session/session';
import type { Sessions } from './sessions';

export class DefaultSessions {
  readonly #of: (engine: EngineName | undefined, folder: string | null) => DefaultSession;
  readonly #sessions = new Map<string, DefaultSession>();

  /**
   * @param of creates the default session of an engine (undefined: the harbor's default engine) in a folder
   *   (null: the folder where the connection began)
   */
  constructor(of: (engine: EngineName | undefined, folder: string | null) => DefaultSession) {
    this.#of = of;
  }

  /** @throws HarborError as `Sessions.open` does */
  get(
    engine: EngineName | undefined,
    folder: string | null,
    grant: Grant | null,
  ): Promise<{ session: Session; notes: Note[] }> {
    const which = JSON.stringify([engine ?? null, folder]);
    const known = this.#sessions.get(which);
    if (known) return known.get(grant);
    const made = this.#of(engine, folder);
    this.#sessions.set(which, made);
    return made.get(grant);
  }

  async end(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.end()));
  }
}

/** The session, and notes about its opening. */
interface Opened {
  session: Session;
  notes: Note[];
}

export class DefaultSession {
  readonly #sessions: Sessions;
  readonly #request: OpenRequest;
  #opening: Promise<Opened> | null = null;

  constructor(sessions: Sessions, request: OpenRequest) {
    this.#sessions = sessions;
    this.#request = request;
  }

  async get(grant: Grant | null): Promise<Opened> {
    const opening = this.#opening;
    const known = opening && (await opening).session;
    const isOutdated = known !== null && (await this.#sessions.isOutdatedFallback(known));
    if (known && known.state !== 'ended' && !isOutdated) return { session: known, notes: [] };
    const why = isOutdated
      ? `was on ${known.identity.engine} for lack of Common Lisp, which is there now; nothing was defined in it`
      : 'was closed';
    const notes = known
      ? [note('new_session', `The default session ${known.id} ${why}; this is a new one.`)]
      : [];
    if (isOutdated) await this.#sessions.close(known);
    // Concurrent calls share one opening.
    const shared = this.#opening === opening || this.#opening === null ? this.#open(grant) : this.#opening;
    const opened = await shared;
    return { session: opened.session, notes: [...notes, ...opened.notes] };
  }

  async end(): Promise<void> {
    const opened = await this.#opening?.catch(() => null);
    if (opened) await this.#sessions.close(opened.session);
  }

  /** Opens the session. A failed opening is cleared, so that the next call tries again. */
  #open(grant: Grant | null): Promise<Opened> {
    const opening = this.#sessions.openFor(this.#request, grant);
    this.#opening = opening;
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = null;
    });
    return opening;
  }
}
