/** All sessions of the harbor: opened, found by those who may, listed, ended. Every evaluation goes through one of them. */
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import type { Client, EngineName, SessionView } from '../contract/model';
import type { History } from '../history/history';
import type { Engines } from '../images/discovery';
import type { Engine, Image } from '../images/image';
import type { Launcher } from '../launchers/launcher';
import { SessionEvents } from './events';
import { HistoryJournal } from './journal';
import { Session, type SessionIdentity } from './session';
import type { SessionFolders } from './session-folders';

export interface OpenRequest {
  client: string;
  project: string;
  engine?: EngineName;
  name?: string;
  /** Package to begin in; absent means the engine's usual one. */
  package?: string;
}

export interface SessionsOptions {
  engines: Engines;
  launcher: Launcher;
  history: History;
  folders: SessionFolders;
  /** Folders that every image may read, such as shared Lisp libraries. */
  libraries: readonly string[];
}

export class Sessions {
  readonly events = new SessionEvents();
  readonly #options: SessionsOptions;
  readonly #journal: HistoryJournal;
  readonly #sessions = new Map<string, Session>();
  readonly #starting = new Set<Promise<Image>>();
  #ended = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#journal = new HistoryJournal(options.history, this.events);
  }

  /** @throws HarborError `engine_unavailable`, `engine_failed` */
  async open(request: OpenRequest): Promise<Session> {
    const engine = this.#options.engines.get(request.engine ?? (await this.#options.engines.default()));
    const identity: SessionIdentity = {
      id: `${engine.name}-${handle()}`,
      engine: engine.name,
      name: request.name ?? this.#freeName(path.basename(request.project)),
      client: request.client,
      project: request.project,
      openedAt: Date.now(),
    };
    const startImage = () => this.#startImage(engine, identity, request.package);
    const image = await this.#whileOpen(startImage());
    const session = new Session(identity, image, startImage, this.#journal);
    this.#sessions.set(session.id, session);
    this.#options.history.sessions.open(identity);
    await session.refreshUsage();
    this.#journal.changed(session);
    return session;
  }

  /** The session `id` if it is the client's own, or anyone's for an administrator.
   * @throws HarborError `unknown_session`, the same whether it is another's or nobody's. */
  find(id: string, client: Client): Session {
    const session = this.#sessions.get(id);
    if (session && maySee(client, session)) return session;
    throw new HarborError(
      'unknown_session',
      `There is no session ${id} of yours. \`images\` lists those you have; \`open_session\` opens one.`,
    );
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** Those the client may see, oldest first, with fresh memory figures. */
  async list(client: Client): Promise<SessionView[]> {
    const seen = [...this.#sessions.values()].filter((session) => maySee(client, session));
    await Promise.all(seen.map((session) => session.refreshUsage()));
    return seen.map((session) => session.view());
  }

  /** Names of all sessions, for questions to a person. */
  get names(): string[] {
    return [...this.#sessions.values()].map((session) => session.identity.name);
  }

  /** How much would be lost by ending now. */
  get load(): { sessions: number; running: number } {
    const all = [...this.#sessions.values()];
    return { sessions: all.length, running: all.filter((session) => session.running).length };
  }

  async close(session: Session): Promise<void> {
    if (!this.#sessions.delete(session.id)) return;
    await session.end();
    this.#options.history.sessions.end(session.id, Date.now());
    await this.#options.folders.remove(session.id);
    this.events.emit('ended', session.id);
  }

  /** Ends them all, also those that are just being opened; no other is opened after. */
  async closeAll(): Promise<void> {
    this.#ended = true;
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#sessions.values()].map((session) => this.close(session)));
  }

  /** Keeps track of an image that starts, so that none outlives the harbor. */
  async #whileOpen(starting: Promise<Image>): Promise<Image> {
    this.#starting.add(starting);
    try {
      const image = await starting;
      if (!this.#ended) return image;
      await image.end();
      throw new HarborError('session_ended', 'The harbor is ending; no session can be opened.');
    } finally {
      this.#starting.delete(starting);
    }
  }

  /** `api`, then `api 2`, `api 3`: names tell people their sessions apart. */
  #freeName(base: string): string {
    const taken = new Set(this.names);
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? base : `${base} ${number}`;
      if (!taken.has(name)) return name;
    }
  }

  async #startImage(engine: Engine, identity: SessionIdentity, packageName: string | undefined) {
    const home = await this.#options.folders.make(identity.id);
    return engine.start({
      launcher: this.#options.launcher,
      confinement: {
        writable: [identity.project, home],
        readable: this.#options.libraries,
        network: false,
      },
      project: identity.project,
      home,
      ...(packageName === undefined ? {} : { package: packageName }),
    });
  }
}

function maySee(client: Client, session: Session): boolean {
  return session.identity.client === client.key || client.scopes.has('admin');
}

/** Six letters and digits that are hard to mistake for each other when read aloud. */
function handle(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  return Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('');
}
