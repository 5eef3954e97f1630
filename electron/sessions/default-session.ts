/** The session of calls that name none: opened when first needed, opened anew when somebody ended it. */

import type { OpenRequest } from './open-request';
import type { Session } from './session/session';
import type { Sessions } from './sessions';

/** What is said when it is opened. */
interface Opened {
  session: Session;
  notes: string[];
}

export class DefaultSession {
  readonly #sessions: Sessions;
  readonly #request: OpenRequest;
  #opening: Promise<Opened> | null = null;

  constructor(sessions: Sessions, request: OpenRequest) {
    this.#sessions = sessions;
    this.#request = request;
  }

  async get(): Promise<Opened> {
    const opening = this.#opening;
    const known = opening && (await opening).session;
    if (known && known.state !== 'ended') return { session: known, notes: [] };
    const notes = known ? [`The default session ${known.id} had been closed; this is a new one.`] : [];
    // Calls that come while it opens share the one opening.
    const shared = this.#opening === opening || this.#opening === null ? this.#open() : this.#opening;
    const opened = await shared;
    return { session: opened.session, notes: [...notes, ...opened.notes] };
  }

  async end(): Promise<void> {
    const opened = await this.#opening?.catch(() => null);
    if (opened) await this.#sessions.close(opened.session);
  }

  /** A failed opening is forgotten, so that the next call tries again. */
  #open(): Promise<Opened> {
    const opening = this.#sessions.openFor(this.#request);
    this.#opening = opening;
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = null;
    });
    return opening;
  }
}
