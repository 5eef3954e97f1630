/** All sessions of the harbor: opened, found by those who may, listed, ended. Every evaluation goes through one of them. */
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import type { Client, EngineName, SessionView } from '../contract/model';
import { addressText, type ServerAddress } from '../contract/server';
import type { History } from '../history/history';
import type { Engines } from '../images/discovery';
import type { Engine, Image } from '../images/image';
import type { Launcher } from '../launchers/launcher';
import type { Log } from '../log';
import { SessionEvents } from './events';
import { HistoryJournal } from './journal';
import type { SessionIdentity } from './requests';
import { Session } from './session';
import type { SessionFolders } from './session-folders';

export interface OpenRequest {
  client: string;
  project: string;
  engine?: EngineName;
  /** Attaches to this server instead of starting an image; its kind is the engine. */
  server?: ServerAddress;
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
  /** Asked before each start of an image. @throws HarborError `project_not_approved` when the project has moved */
  checkProject: (project: string) => void;
  /** Asked before each connection to a server. @throws HarborError `not_approved` when nobody has named it */
  checkServer: (server: ServerAddress) => void;
  log: Log;
}

export class Sessions {
  readonly events = new SessionEvents();
  readonly #options: SessionsOptions;
  readonly #journal: HistoryJournal;
  readonly #sessions = new Map<string, Session>();
  readonly #opening = new Set<Promise<Session>>();
  readonly #closing = new Map<string, Promise<void>>();
  #ended = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#journal = new HistoryJournal(options.history, this.events, options.log);
  }

  /** Folders that every image may read beside its project. */
  get libraries(): readonly string[] {
    return this.#options.libraries;
  }

  /** @throws HarborError `engine_unavailable`, `engine_failed`, `project_not_approved`, `not_approved`, `session_ended` */
  open(request: OpenRequest): Promise<Session> {
    const opening = this.#open(request);
    this.#opening.add(opening);
    return opening.finally(() => this.#opening.delete(opening));
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

  /** Ends the session; settles when it has ended, also for a second caller. */
  async close(session: Session): Promise<void> {
    if (this.#sessions.delete(session.id)) this.#closing.set(session.id, this.#end(session));
    await this.#closing.get(session.id);
    this.#closing.delete(session.id);
  }

  /** Ends them all, also those that are just being opened; no other is opened after. */
  async closeAll(): Promise<void> {
    this.#ended = true;
    await Promise.allSettled(this.#opening);
    const closing = [...this.#sessions.values()].map((session) => this.close(session));
    await Promise.allSettled([...closing, ...this.#closing.values()]);
  }

  async #open(request: OpenRequest): Promise<Session> {
    if (this.#ended)
      throw new HarborError('session_ended', 'The harbor is ending; no session can be opened.');
    const { server } = request;
    const wanted = server?.kind ?? request.engine ?? (await this.#options.engines.default());
    const engine = this.#options.engines.get(wanted);
    const identity: SessionIdentity = {
      id: `${engine.name}-${handle()}`,
      engine: engine.name,
      name: request.name ?? this.#freeName(server ? nameOf(server) : path.basename(request.project)),
      client: request.client,
      project: request.project,
      ...(server ? { server } : {}),
      openedAt: Date.now(),
    };
    const startImage = () => this.#startImage(engine, identity, request.package);
    try {
      return await this.#begin(identity, await startImage(), startImage);
    } catch (error) {
      await this.#options.folders.remove(identity.id);
      throw error;
    }
  }

  async #begin(identity: SessionIdentity, image: Image, startImage: () => Promise<Image>): Promise<Session> {
    try {
      this.#options.history.sessions.open(identity);
    } catch (error) {
      await image.end();
      throw error;
    }
    const session = new Session(identity, image, startImage, this.#journal);
    this.#sessions.set(session.id, session);
    await session.refreshUsage();
    this.#journal.changed(session);
    return session;
  }

  async #end(session: Session): Promise<void> {
    await session.end();
    await this.#options.folders.remove(session.id);
    this.#journal.ended(session);
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
    if (identity.server) return this.#attachImage(engine, identity.server, packageName);
    this.#options.checkProject(identity.project);
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

  async #attachImage(engine: Engine, server: ServerAddress, packageName: string | undefined) {
    this.#options.checkServer(server);
    if (!engine.attach)
      throw new HarborError(
        'not_supported',
        `Sessions of ${engine.name} are not attached; leave attach out.`,
      );
    return engine.attach({ server, ...(packageName === undefined ? {} : { package: packageName }) });
  }
}

function nameOf({ kind, ...address }: ServerAddress): string {
  return `${kind} ${addressText(address)}`;
}

function maySee(client: Client, session: Session): boolean {
  return session.identity.client === client.key || client.scopes.has('admin');
}

/** Six letters and digits that are hard to mistake for each other when read aloud. */
function handle(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  return Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('');
}
