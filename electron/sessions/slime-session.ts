/** A session as SLIME in Emacs sees it: its current image, or a new one if the last was lost. */

import type { Duplex } from 'node:stream';
import { type Note, note } from '../contract/note';
import type { SlimeServer } from '../images/optional-groups';
import { DefaultSession } from './default-sessions';
import type { OpenRequest } from './open-request';
import type { Session } from './session/session';
import type { Sessions } from './sessions';

/**
 * The comment that is evaluated to revive a lost session; it is the code in the history and in the approval.
 */
const CONNECTING = ';; Emacs connects with SLIME.';

const ATTACHED = note(
  'emacs_attached',
  'Emacs is attached to this image with SLIME. It may define and change things at any time; the history does not record that.',
);

export class SlimeSession {
  readonly #session: Session;
  readonly #client: string;
  /** The generation of the image that already has a note about Emacs. */
  #noted = 0;

  /** @param client the client that revives a lost session */
  constructor(session: Session, client: string) {
    this.#session = session;
    this.#client = client;
  }

  get session(): string {
    return this.#session.id;
  }

  get alive(): boolean {
    return this.#session.state !== 'ended';
  }

  /** Notes about the image for Emacs. */
  get notes(): readonly Note[] {
    return this.#session.sandboxNotes;
  }

  /**
   * Prepares Swank in the image.
   * @returns the version of SLIME
   * @throws HarborError `not_supported`, `session_ended`, `paused`, `not_approved`, and what
   *   SlimeServer.start throws
   */
  async start(): Promise<string | null> {
    return (await this.#server()).start();
  }

  /** @throws HarborError as `start` */
  async connect(): Promise<Duplex> {
    const server = await this.#server();
    await server.start();
    const { generation } = this.#session;
    if (this.#noted !== generation) this.#session.addNotes(ATTACHED);
    this.#session.lineages.mayChangeUnseen();
    this.#noted = generation;
    return server.connect();
  }

  /** Closes all connections. Returns the names of threads that continue to run. */
  async stop(): Promise<string[]> {
    const { state } = this.#session;
    if (state === 'lost' || state === 'ended' || state === 'starting') return [];
    return this.#session.ability('slime').stop();
  }

  async #server(): Promise<SlimeServer> {
    if (this.#session.state === 'lost') {
      const revival = { client: this.#client, grant: null, kind: 'eval', code: CONNECTING } as const;
      await this.#session.evaluate(revival).settled;
    }
    return this.#session.abilityFor(
      { client: this.#client, grant: null, tool: 'slime', code: CONNECTING },
      'slime',
    );
  }
}

/** The session of a Swank port without a session argument. It is opened by the first connection. */
export class SlimeDefault {
  readonly #sessions: DefaultSession;
  readonly #client: string;
  #current: SlimeSession | null = null;

  /** @param request the request for the session, also for a new one after it was closed */
  constructor(sessions: Sessions, request: OpenRequest) {
    this.#sessions = new DefaultSession(sessions, { ...request, endsWithHarbor: true });
    this.#client = request.client;
  }

  /** The id of the open session; null if there is none. */
  get session(): string | null {
    return this.#current?.alive ? this.#current.session : null;
  }

  get notes(): readonly Note[] {
    return this.#current?.notes ?? [];
  }

  async start(): Promise<string | null> {
    return (await this.#opened()).start();
  }

  async connect(): Promise<Duplex> {
    return (await this.#opened()).connect();
  }

  async stop(): Promise<string[]> {
    return this.#current?.stop() ?? [];
  }

  async #opened(): Promise<SlimeSession> {
    const { session } = await this.#sessions.get(null);
    if (this.#current?.session !== session.id) this.#current = new SlimeSession(session, this.#client);
    return this.#current;
  }
}
