/** All sessions of the harbor: opened, found by those who may, listed, ended. Every evaluation goes through one of them. */
import { setTimeout as delay } from 'node:timers/promises';
import { HarborError } from '../contract/errors';
import type { MemoryView } from '../contract/memory';
import type { Client, Scope, SessionView } from '../contract/model';
import { thereAre } from '../contract/names-there';
import type { History } from '../history/history';
import type { Log } from '../host/log';
import { ImagePool } from '../images/pool';
import { isWithin } from '../sandbox/project-rules';
import { SessionEvents } from './events';
import { HistoryJournal } from './journal';
import type { OpenRequest } from './open-request';
import { KeptSessions } from './recovery/kept-sessions';
import { SleepingSession } from './recovery/sleeping-session';
import { letIn, type SessionIdentity } from './session/evaluation-request';
import { Session } from './session/session';
import { SessionBeginnings, type SessionBeginningsOptions } from './session-beginnings';
import { sessionHandle } from './session-names';
import { SleepingSessions } from './sleeping-sessions';

export interface SessionsOptions extends SessionBeginningsOptions {
  history: Pick<History, 'evaluations' | 'replays' | 'sessions' | 'redaction'>;
  /** Whether images may be kept ready for sessions to come. */
  keepReady: () => boolean;
  /** Whether sessions of an earlier harbor come back. */
  comeBack: boolean;
  log: Log;
}

/** How long who uses a session that slept waits until its state is back, in milliseconds; then it waits in the session. */
const PATIENCE_MS = 20_000;

export class Sessions {
  readonly events = new SessionEvents();
  readonly #options: SessionsOptions;
  readonly #journal: HistoryJournal;
  readonly #kept: KeptSessions;
  readonly #pool: ImagePool;
  readonly #beginnings: SessionBeginnings;
  readonly #sessions = new Map<string, Session>();
  readonly #asleep: SleepingSessions;
  readonly #opening = new Set<Promise<Session>>();
  readonly #closing = new Map<string, Promise<void>>();
  #ended = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
    const { history, folders, memory, keepReady, comeBack, log } = options;
    this.#kept = new KeptSessions(history.sessions, log);
    this.#journal = new HistoryJournal(history, this.#kept, this.events, log);
    this.#asleep = new SleepingSessions(this.#kept, { wanted: comeBack, log });
    this.#pool = new ImagePool({
      folders,
      handle: sessionHandle,
      mayKeep: async () => keepReady() && !(await memory.read()).short,
      log,
    });
    const parts = { journal: this.#journal, kept: this.#kept, pool: this.#pool };
    this.#beginnings = new SessionBeginnings(options, { ...parts, names: () => this.names });
  }

  /** Folders whose files a session of the project may load beside its own. */
  librariesOf(project: string): readonly string[] {
    const { readable, writable } = this.#options.confine(project);
    return [...writable, ...readable].filter((folder) => !isWithin(folder, project, process.platform));
  }

  /** Those whose images are confined to something else than a new one would be. */
  get outdated(): readonly Session[] {
    return this.all.filter(({ identity }) => this.#beginnings.starts.isOutdated(identity));
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

  /** The default session of the request's conversation: that of an earlier harbor, which wakes, or else a new one.
   * @throws HarborError as `open` */
  async openFor(request: OpenRequest): Promise<{ session: Session; notes: string[] }> {
    const sleeping = this.#asleep.ofConversation(request);
    const [only] = sleeping;
    if (only && sleeping.length === 1) {
      const client = { key: request.client, scopes: new Set<Scope>() };
      return { session: await this.find(only.id, client), notes: [] };
    }
    return { session: await this.open(request), notes: sleeping.length > 1 ? [severalAsleep(sleeping)] : [] };
  }

  /** The session `id` if it is the client's own, or anyone's for an administrator. One that is asleep wakes, for a client that
   * is let in, because what it had defined is evaluated again; its state is waited for, but not for ever.
   * @throws HarborError `unknown_session`, the same whether it is another's or nobody's; as `open` when it cannot wake, and
   * `paused` or `not_approved` where the client may not evaluate */
  async find(id: string, client: Client): Promise<Session> {
    if (this.known(id, client) instanceof SleepingSession) {
      const code = `; Wakes session ${id}: what it had defined is evaluated again.`;
      await letIn(this.#options.door({ client: client.key, class: 'evaluate', tool: 'wake', code }));
    }
    return this.#awake(this.known(id, client));
  }

  /** As `find`, for those who need no image of it. @throws HarborError `unknown_session` */
  known(id: string, client: Client): Session | SleepingSession {
    const session = this.#sessions.get(id) ?? this.#asleep.get(id) ?? this.#named(id, client);
    if (session && maySee(client, session.identity)) return session;
    throw new HarborError(
      'unknown_session',
      `There is no session ${id} of yours. ${thereAre(
        id,
        this.of(client).map((each) => each.id),
      )} \`images\` tells what they are; \`open_session\` opens one.`,
    );
  }

  /** The one session of the client's that has this name: who gave it one may go by that. */
  #named(name: string, client: Client): Session | SleepingSession | undefined {
    const [found, ...others] = this.of(client).filter(({ identity }) => identity.name === name);
    return others.length === 0 ? found : undefined;
  }

  /** One that is awake. */
  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** Those that are awake, oldest first. */
  get all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Those that the client may use, asleep or not, oldest first. */
  of(client: Client): (Session | SleepingSession)[] {
    return [...this.#asleep.all, ...this.all].filter(({ identity }) => maySee(client, identity));
  }

  /** As `of`, as views with fresh memory figures. */
  async list(client: Client): Promise<SessionView[]> {
    const seen = this.of(client);
    await Promise.all(seen.map((session) => session instanceof Session && session.refreshUsage()));
    return seen.map((session) => session.view());
  }

  /** The machine's memory, and what images take of it by the last reading of each. */
  async memory(): Promise<MemoryView> {
    const { totalBytes, availableBytes, short } = this.#options.memory.told();
    const views = this.all.map((session) => session.view());
    const imagesBytes = views.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
    return { totalBytes, availableBytes, imagesBytes, ready: await this.#pool.usage(), short };
  }

  /** Whether the machine has little memory left, which is known sooner than what takes it. */
  get memoryIsShort(): boolean {
    return this.#options.memory.read().short;
  }

  /** The handles of all sessions. */
  get handles(): ReadonlySet<string> {
    return new Set([...this.#asleep.all, ...this.all].map(({ id }) => id));
  }

  /** Names of all sessions, for questions to a person. */
  get names(): string[] {
    return [...this.#asleep.all, ...this.all].map(({ identity }) => identity.name);
  }

  /** How much would be lost by ending now. */
  get load(): { sessions: number; running: number } {
    const running = this.all.filter((session) => session.running);
    return { sessions: this.#sessions.size, running: running.length };
  }

  /** Ids of the sessions that need this file of a checkpoint. */
  needing(file: string): string[] {
    return [...this.#asleep.all, ...this.all]
      .filter(({ lineages }) => lineages.needs(file))
      .map(({ id }) => id);
  }

  /** The file of a checkpoint that no session needs is gone. */
  forgetCheckpoint(file: string): void {
    for (const { lineages } of this.#asleep.all) lineages.forget(file);
    for (const session of this.all) session.forget(file);
  }

  /** Ends the session for good; settles when it has ended, also for a second caller. While the harbor ends, a session that
   * is kept only falls asleep. */
  async close(session: Session | SleepingSession): Promise<void> {
    const isOpen = this.#sessions.delete(session.id) || this.#asleep.forget(session.id);
    if (isOpen) this.#closing.set(session.id, this.#end(session));
    await this.#closing.get(session.id);
    this.#closing.delete(session.id);
  }

  /** No session is opened from now on: those that are just being opened fail. */
  giveUpOpening(): void {
    this.#ended = true;
    this.#beginnings.starts.giveUp();
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
    const session = await this.#beginnings.open(request);
    this.#sessions.set(session.id, session);
    this.#journal.begun(session);
    // What its process takes is told as soon as it is read, for which nobody waits.
    void session.refreshUsage().then(() => this.#journal.changed(session));
    return session;
  }

  async #awake(known: Session | SleepingSession): Promise<Session> {
    const session = known instanceof Session ? known : await this.#wake(known);
    await Promise.race([session.begun, delay(PATIENCE_MS, undefined, { ref: false })]);
    return session;
  }

  /** Callers that come while it wakes share it. */
  #wake(sleeping: SleepingSession): Promise<Session> {
    return this.#asleep.waking(sleeping, async () => {
      const session = await this.#beginnings.wake(sleeping);
      this.#sessions.set(session.id, session);
      this.#journal.begun(session);
      return session;
    });
  }

  async #end(session: Session | SleepingSession): Promise<void> {
    if (session instanceof Session) await session.end();
    this.#beginnings.starts.forget(session.id);
    if (this.#ended && this.#kept.has(session.id)) return;
    await this.#options.folders.remove(session.id);
    this.#journal.ended(session.identity);
  }
}

/** Whether the client may use the session: its own, or anyone's for an administrator. */
export function maySee(client: Client, identity: Pick<SessionIdentity, 'client'>): boolean {
  return identity.client === client.key || client.scopes.has('admin');
}

function severalAsleep(sleeping: readonly SleepingSession[]): string {
  const handles = sleeping.map(({ id }) => id).join(', ');
  return `This is a new session. Before the harbor was started again you had ${handles}: name one in \`session\` to go on there.`;
}
