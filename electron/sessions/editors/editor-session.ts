/** A session as the editor of a person sees it: its current image, or a new one if the last was lost. */

import type { Note } from '../../contract/note';
import { DefaultSession } from '../default-sessions';
import type { OpenRequest } from '../open-request';
import type { Session } from '../session/session';
import type { Sessions } from '../sessions';

export abstract class EditorSession {
  protected readonly of: Session;
  readonly #client: string;
  readonly #connecting: string;

  /**
   * @param client the client that revives a lost session
   * @param connecting the comment that is evaluated to revive it; it is the code in the history and in the
   *   approval
   */
  constructor(session: Session, client: string, connecting: string) {
    this.of = session;
    this.#client = client;
    this.#connecting = connecting;
  }

  get session(): string {
    return this.of.id;
  }

  get project(): string {
    return this.of.identity.project;
  }

  get alive(): boolean {
    return this.of.state !== 'ended';
  }

  /** Notes about the image for the editor. */
  get notes(): readonly Note[] {
    return this.of.sandboxNotes;
  }

  /** The act of connecting, for the approval. */
  protected get act(): { client: string; grant: null; code: string } {
    return { client: this.#client, grant: null, code: this.#connecting };
  }

  /** Starts a new image if the last was lost. */
  protected async revive(): Promise<void> {
    if (this.of.state === 'lost') await this.of.evaluate({ ...this.act, kind: 'eval' }).settled;
  }
}

/** The session of a port without a session argument. It is opened by the first connection. */
export class DefaultEditorSession<S extends EditorSession> {
  readonly #sessions: DefaultSession;
  readonly #make: (session: Session) => S;
  #current: S | null = null;

  /** @param request the request for the session, also for a new one after it was closed */
  constructor(sessions: Sessions, request: OpenRequest, make: (session: Session) => S) {
    this.#sessions = new DefaultSession(sessions, { ...request, endsWithHarbor: true });
    this.#make = make;
  }

  /** The id of the open session; null if there is none. */
  get session(): string | null {
    return this.#current?.alive ? this.#current.session : null;
  }

  async get(): Promise<S> {
    const { session } = await this.#sessions.get(null);
    if (this.#current?.session !== session.id) this.#current = this.#make(session);
    return this.#current;
  }
}
