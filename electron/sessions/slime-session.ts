/** A session as Emacs sees it through SLIME: whatever image it has now, a fresh one when the last was lost. */
import type { Duplex } from 'node:stream';
import type { SlimeServer } from '../images/optional-groups';
import type { Session } from './session/session';

/** What reviving a lost session evaluates: nothing, but its row says who asked. So does the question to a person. */
const CONNECTING = ';; Emacs connects with SLIME.';

const ATTACHED =
  'A person’s Emacs is attached to this image with SLIME: it may define and change things at any time, and none of that is in the history.';

export class SlimeSession {
  readonly #session: Session;
  readonly #client: string;
  /** The image whose next evaluation was told that Emacs is attached. */
  #told = 0;

  /** @param client in whose name a lost session is revived */
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

  /** What Emacs must be told of the image. */
  get notes(): readonly string[] {
    return this.#session.sandboxNotes;
  }

  /**
   * Makes Swank ready in the image.
   * @returns the version of SLIME
   * @throws HarborError `not_supported`, `session_ended`, `paused`, `not_approved`, and what SlimeServer.start throws
   */
  async start(): Promise<string | null> {
    return (await this.#server()).start();
  }

  /** @throws HarborError as `start` */
  async connect(): Promise<Duplex> {
    const server = await this.#server();
    await server.start();
    const { generation } = this.#session;
    if (this.#told !== generation) this.#session.tell(ATTACHED);
    this.#told = generation;
    return server.connect();
  }

  /** Ends all connections; answers the names of threads that go on all the same. */
  async stop(): Promise<string[]> {
    const { state } = this.#session;
    if (state === 'lost' || state === 'ended' || state === 'starting') return [];
    return this.#session.ability('slime').stop();
  }

  async #server(): Promise<SlimeServer> {
    if (this.#session.state === 'lost') {
      const revival = { client: this.#client, kind: 'eval', code: CONNECTING } as const;
      await this.#session.evaluate(revival).settled;
    }
    return this.#session.abilityFor({ client: this.#client, tool: 'slime', code: CONNECTING }, 'slime');
  }
}
