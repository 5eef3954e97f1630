/** The image behind a Swank port that was asked for without a session: one is opened when the first connects. */
import type { Duplex } from 'node:stream';
import { DefaultSession } from './default-session';
import type { OpenRequest } from './open-request';
import type { Sessions } from './sessions';
import { SlimeSession } from './slime-session';

export class SlimeDefault {
  readonly #sessions: DefaultSession;
  readonly #client: string;
  #current: SlimeSession | null = null;

  /** @param request for the session, in whose client's name it is opened, and anew when somebody has ended it */
  constructor(sessions: Sessions, request: OpenRequest) {
    this.#sessions = new DefaultSession(sessions, { ...request, passing: true });
    this.#client = request.client;
  }

  /** The session that was opened; null before, and when it has ended. */
  get session(): string | null {
    return this.#current?.alive ? this.#current.session : null;
  }

  get notes(): readonly string[] {
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
    const { session } = await this.#sessions.get();
    if (this.#current?.session !== session.id) this.#current = new SlimeSession(session, this.#client);
    return this.#current;
  }
}
