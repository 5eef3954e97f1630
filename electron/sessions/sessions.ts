/** All sessions of the harbor: opened, found by those who may, listed, ended. Every evaluation goes through one of them. */
import path from 'node:path';
import { HarborError } from '../contract/errors';
import type { Limits, MemoryView } from '../contract/memory';
import type { Client, EngineName, SessionView } from '../contract/model';
import { thereAre } from '../contract/names-there';
import { addressText, type ServerAddress } from '../contract/server';
import type { History } from '../history/history';
import type { Log } from '../host/log';
import type { Engines } from '../images/discovery';
import type { Image } from '../images/image';
import { ImagePool } from '../images/pool';
import type { ImagePlan } from '../images/warm-image';
import { isWithin } from '../sandbox/project-rules';
import { SessionEvents } from './events';
import { ImageStarts, type ImageStartsOptions } from './image-starts';
import { HistoryJournal } from './journal';
import type { Memory } from './memory-reserve';
import type { OpenRequest } from './open-request';
import { freshLineage, type Lineage } from './recovery/lineage';
import type { SessionIdentity } from './session/evaluation-request';
import { Session } from './session/session';
import { limitsOf } from './session-limits';
import { freeName, sessionHandle } from './session-names';

export interface SessionsOptions extends ImageStartsOptions {
  engines: Engines;
  history: History;
  /** The limits of sessions that are opened without a word about them. */
  limits: (engine: EngineName) => Limits;
  memory: Memory;
  /** Reasons why an image is not sandboxed that a person has accepted. */
  acceptedUnsandboxed: () => readonly string[];
  /** Whether images may be kept ready for sessions to come. */
  keepReady: () => boolean;
  log: Log;
}

export class Sessions {
  readonly events = new SessionEvents();
  readonly #options: SessionsOptions;
  readonly #journal: HistoryJournal;
  readonly #pool: ImagePool;
  readonly #starts: ImageStarts;
  readonly #sessions = new Map<string, Session>();
  readonly #opening = new Set<Promise<Session>>();
  readonly #closing = new Map<string, Promise<void>>();
  #ended = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#journal = new HistoryJournal(options.history, this.events, options.log);
    this.#starts = new ImageStarts(options);
    const { folders, memory, keepReady, log } = options;
    this.#pool = new ImagePool({
      folders,
      handle: sessionHandle,
      mayKeep: async () => keepReady() && !(await memory.read()).short,
      log,
    });
  }

  /** Folders whose files a session of the project may load beside its own. */
  librariesOf(project: string): readonly string[] {
    const { readable, writable } = this.#options.confine(project);
    return [...writable, ...readable].filter((folder) => !isWithin(folder, project, process.platform));
  }

  /** Those whose images are confined to something else than a new one would be. */
  get outdated(): readonly Session[] {
    return this.all.filter(({ identity }) => this.#starts.isOutdated(identity));
  }

  /** @throws HarborError `engine_unavailable`, `engine_failed`, `project_not_approved`, `not_approved`, `session_ended`,
   * `not_supported` for a limit that the engine does not keep, `memory_short` */
  open(request: OpenRequest): Promise<Session> {
    const opening = this.#open(request);
    this.#opening.add(opening);
    return opening.finally(() => {
      this.#opening.delete(opening);
      this.#pool.restock();
    });
  }

  /** The session `id` if it is the client's own, or anyone's for an administrator.
   * @throws HarborError `unknown_session`, the same whether it is another's or nobody's. */
  find(id: string, client: Client): Session {
    const session = this.#sessions.get(id);
    if (session && maySee(client, session.identity)) return session;
    throw new HarborError(
      'unknown_session',
      `There is no session ${id} of yours. ${thereAre(
        id,
        this.of(client).map((each) => each.id),
      )} \`images\` tells what they are; \`open_session\` opens one.`,
    );
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** Oldest first. */
  get all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Those the client may use, oldest first. */
  of(client: Client): Session[] {
    return this.all.filter(({ identity }) => maySee(client, identity));
  }

  /** As `of`, as views with fresh memory figures. */
  async list(client: Client): Promise<SessionView[]> {
    const seen = this.of(client);
    await Promise.all(seen.map((session) => session.refreshUsage()));
    return seen.map((session) => session.view());
  }

  /** The machine's memory, and what images take of it by the last reading of each. */
  async memory(): Promise<MemoryView> {
    const { totalBytes, availableBytes, short } = await this.#options.memory.read();
    const views = this.all.map((session) => session.view());
    const imagesBytes = views.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
    return { totalBytes, availableBytes, imagesBytes, ready: await this.#pool.usage(), short };
  }

  /** Names of all sessions, for questions to a person. */
  get names(): string[] {
    return this.all.map((session) => session.identity.name);
  }

  /** How much would be lost by ending now. */
  get load(): { sessions: number; running: number } {
    const running = this.all.filter((session) => session.running);
    return { sessions: this.#sessions.size, running: running.length };
  }

  /** Ids of the sessions that need this file of a checkpoint. */
  needing(file: string): string[] {
    return this.all.filter((session) => session.lineages.needs(file)).map(({ id }) => id);
  }

  /** The file of a checkpoint that no session needs is gone. */
  forgetCheckpoint(file: string): void {
    for (const session of this.all) session.forget(file);
  }

  /** Stops in every session what clients evaluate, and leaves alone what a person does. Settles when all stand. */
  async stopClients(person: string): Promise<void> {
    await Promise.allSettled(this.all.map((session) => stopClientsIn(session, person)));
  }

  /** Ends the session; settles when it has ended, also for a second caller. */
  async close(session: Session): Promise<void> {
    if (this.#sessions.delete(session.id)) this.#closing.set(session.id, this.#end(session));
    await this.#closing.get(session.id);
    this.#closing.delete(session.id);
  }

  /** No session is opened from now on: those that are just being opened fail. */
  giveUpOpening(): void {
    this.#ended = true;
    this.#starts.giveUp();
  }

  /** Ends them all; no other is opened after. */
  async closeAll(): Promise<void> {
    this.giveUpOpening();
    await Promise.allSettled(this.#opening);
    const closing = this.all.map((session) => this.close(session));
    await Promise.allSettled([...closing, ...this.#closing.values(), this.#pool.end()]);
  }

  async #open(request: OpenRequest): Promise<Session> {
    if (this.#ended)
      throw new HarborError('session_ended', 'The harbor is ending; no session can be opened.');
    const { server } = request;
    const wanted = server?.kind ?? request.engine ?? (await this.#options.engines.default());
    const engine = this.#options.engines.get(wanted);
    const limits = limitsOf(engine, request.limits ?? {}, this.#options.limits(engine.name));
    const plan = this.#starts.plan(engine, request, limits);
    const warm = server ? null : await this.#warmImage(request, plan);
    const identity: SessionIdentity = {
      id: warm?.handle ?? sessionHandle(engine.name),
      engine: engine.name,
      name: request.name ?? this.#freeName(server ? nameOf(server) : path.basename(request.project)),
      client: request.client,
      project: request.project,
      limits,
      ...(server ? { server } : {}),
      openedAt: Date.now(),
    };
    const startImage = (checkpoint?: string) =>
      server
        ? this.#starts.attach(engine, { ...request, server })
        : this.#starts.start(engine, identity, request, checkpoint);
    if (warm) this.#starts.noteStart(identity, request);
    const lineage = request.from?.lineage(identity.id) ?? freshLineage(identity.id);
    try {
      const image = warm?.image ?? (await startImage(lineage.checkpoint?.file));
      return await this.#begin(identity, { image, lineage }, startImage, request.from?.package);
    } catch (error) {
      await this.#options.folders.remove(identity.id);
      throw error;
    }
  }

  /** An image that was started ahead, if there is one that will do: none holds a state that was saved, begins in a
   * package that one session names, or has a network that a person allowed to one session. */
  async #warmImage({ project, from, package: packageName, network }: OpenRequest, plan: ImagePlan) {
    this.#options.checkProject(project);
    await this.#options.memory.requireRoomForOne();
    return from || packageName !== undefined || network ? null : this.#pool.take(plan);
  }

  async #begin(
    identity: SessionIdentity,
    begin: { image: Image; lineage: Lineage },
    startImage: (checkpoint?: string) => Promise<Image>,
    packageAfter: string | undefined,
  ): Promise<Session> {
    const around = { start: startImage, accepted: this.#options.acceptedUnsandboxed, journal: this.#journal };
    const session = new Session(identity, begin, around);
    try {
      await session.begin(packageAfter ?? begin.image.package);
      this.#options.history.sessions.open(identity);
    } catch (error) {
      await session.end();
      this.#journal.ended(session);
      throw error;
    }
    this.#sessions.set(session.id, session);
    await session.refreshUsage();
    this.#journal.begun(session);
    return session;
  }

  async #end(session: Session): Promise<void> {
    await session.end();
    this.#starts.forget(session.id);
    await this.#options.folders.remove(session.id);
    this.#journal.ended(session);
  }

  /** `api`, then `api 2`, `api 3`: names tell people their sessions apart. */
  #freeName(base: string): string {
    return freeName(this.names, (number) => (number === 1 ? base : `${base} ${number}`));
  }
}

function nameOf({ kind, ...address }: ServerAddress): string {
  return `${kind} ${addressText(address)}`;
}

/** Whether the client may use the session: its own, or anyone's for an administrator. */
export function maySee(client: Client, identity: Pick<SessionIdentity, 'client'>): boolean {
  return identity.client === client.key || client.scopes.has('admin');
}

/** Interrupts what runs until nothing of a client is left, what waits for its turn included. */
async function stopClientsIn(session: Session, person: string): Promise<void> {
  for (let running = session.running; running && running.row.client !== person; running = session.running) {
    await session.interrupt();
    await running.atRest;
    if (session.running === running) return;
  }
}
