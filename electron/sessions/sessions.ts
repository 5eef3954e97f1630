/**
 * All sessions of the harbor: opens, finds, lists and closes them. Every evaluation goes through a session.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Grant } from '../contract/approvals';
import { HarborError, listSimilarNames } from '../contract/errors';
import { mention, ours } from '../contract/mention';
import type { Client, EngineName, MemoryView, Scope, SessionView } from '../contract/model';
import { type Note, note } from '../contract/note';

import type { ServerAddress } from '../contract/server';
import type { History } from '../history/history';
import type { Log } from '../host/log';
import type { Engines } from '../images/discovery';
import { definesAnything } from '../images/nrepl/replayer';
import { ImagePool } from '../images/pool';
import { isWithin } from '../sandbox/paths';
import { HistoryJournal, SessionEvents } from './journal';
import { type OpenRequest, requestedLimits } from './open-request';
import { SavedSessions, SleepingSession, SleepingSessions } from './recovery/sleeping-sessions';
import { Session } from './session/session';
import { requireAdmission, type SessionIdentity } from './session/session-journal';
import { sessionHandle } from './session-names';
import { SessionOpener, type SessionOpenerOptions } from './session-opening';

export interface SessionsOptions extends SessionOpenerOptions {
  history: Pick<History, 'evaluations' | 'replays' | 'sessions' | 'redaction'>;
  /** Whether warm images may be prepared for future sessions. */
  keepReady: () => boolean;
  /** Whether sessions survive a restart of the harbor. */
  comeBack: boolean;
  log: Log;
}

/**
 * Maximum time that a caller waits for the state of a waking session, in milliseconds. After that its
 * evaluation is queued.
 */
const WAKE_TIMEOUT_MS = 20_000;

export class Sessions {
  readonly events = new SessionEvents();
  readonly #options: SessionsOptions;
  readonly #journal: HistoryJournal;
  readonly #saved: SavedSessions;
  readonly #pool: ImagePool;
  readonly #opener: SessionOpener;
  readonly #sessions = new Map<string, Session>();
  readonly #asleep: SleepingSessions;
  readonly #opening = new Set<Promise<Session>>();
  readonly #closing = new Map<string, Promise<void>>();
  /** The sessions that every client may use. */
  readonly #shared = new Set<string>();
  #ended = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
    const { history, folders, memory, keepReady, comeBack, log } = options;
    this.#saved = new SavedSessions(history.sessions, log);
    this.#journal = new HistoryJournal(history, this.#saved, this.events, log);
    this.#asleep = new SleepingSessions(this.#saved, { wanted: comeBack, log });
    this.#pool = new ImagePool({
      folders,
      handle: sessionHandle,
      mayKeep: async () => keepReady() && !(await memory.read()).short,
      log,
    });
    const parts = { journal: this.#journal, saved: this.#saved, pool: this.#pool };
    this.#opener = new SessionOpener(options, { ...parts, names: () => this.names });
  }

  /** Folders outside the project whose files its sessions may load. */
  librariesOf(project: string): readonly string[] {
    const { readable, writable } = this.#options.confine(project);
    return [...writable, ...readable].filter((folder) => !isWithin(folder, project, process.platform));
  }

  /** Reports whether an idle session stands in for an engine that is available now, and has no definitions. */
  async isOutdatedFallback(session: Session): Promise<boolean> {
    const { fallbackNotes, state, identity } = session;
    if (fallbackNotes.length === 0 || state !== 'idle') return false;
    if ((await this.#replacementOf(identity.engine, identity.project)) === null) return false;
    const found = await session
      .ability('knowledge')
      .find({ kind: 'unsaved', query: '', limit: 1 })
      .catch(() => null);
    return found?.total === 0;
  }

  /** Sessions whose images are confined differently from new ones. */
  get outdated(): readonly Session[] {
    return this.all.filter((session) => this.isOutdated(session));
  }

  /** Reports whether a new image of the session would be confined differently. */
  isOutdated({ identity }: Session): boolean {
    return this.#opener.starts.isOutdated(identity);
  }

  /**
   * Opens a session.
   * @throws HarborError `engine_unavailable`, `engine_failed`, `project_not_approved`, `not_approved`,
   *   `session_ended`, `not_supported` for a limit that the engine does not support, `memory_short`
   */
  open(request: OpenRequest): Promise<Session> {
    const opening = this.#open(request);
    this.#opening.add(opening);
    return opening.finally(() => {
      this.#opening.delete(opening);
      this.#pool.restock();
    });
  }

  /**
   * Opens a session whose images are started, limited and confined like those of `session`, or on another host.
   * It ends with the harbor.
   * @throws HarborError as `open`
   */
  openCopy(
    session: Session,
    copy: Required<Pick<OpenRequest, 'client' | 'name' | 'from'>> & Pick<OpenRequest, 'host'>,
  ): Promise<Session> {
    const { engine, project, limits } = session.identity;
    const { conversation: _, ...original } = this.#opener.requestOf(session);
    const requested = { ...original, ...copy, engine, project, endsWithHarbor: true };
    return this.open({ ...requested, limits: requestedLimits(limits) });
  }

  /**
   * Returns the maximum of images on a host by the settings; undefined if they have none.
   * @throws HarborError `bad_arguments` if the user named no such host
   */
  mostOn(host: string): number | undefined {
    return this.#options.hosts?.find(host).most;
  }

  /**
   * Returns the default session of the request's conversation: wakes the one that is asleep, or opens a new
   * one.
   * @throws HarborError as `open`
   */
  async openFor(request: OpenRequest, grant: Grant | null): Promise<{ session: Session; notes: Note[] }> {
    const sleeping = this.#asleep.ofConversation(request);
    const [only] = sleeping;
    if (only && sleeping.length === 1) {
      const successor = await this.#successor(only, request);
      if (successor !== null) return this.#openInstead(only, successor, request);
      const client = { key: request.client, scopes: new Set<Scope>() };
      return { session: await this.find(only.id, client, grant), notes: [] };
    }
    return {
      session: await this.open(request),
      notes: sleeping.length > 1 ? [severalAsleepNote(sleeping)] : [],
    };
  }

  /**
   * Returns the session `id` if the client owns it or is an administrator. Wakes it if necessary and if the
   * client may evaluate, because its definitions are evaluated again; waits a limited time for its state.
   * @throws HarborError `unknown_session`, the same for another client's session and a missing one; as `open`
   *   if it cannot wake; `paused` or `not_approved` if the client may not evaluate
   */
  async find(id: string, client: Client, grant: Grant | null): Promise<Session> {
    if (this.known(id, client) instanceof SleepingSession) {
      const code = `; Wakes session ${id}: its definitions are evaluated again.`;
      const act = { client: client.key, class: 'evaluate', tool: 'wake', code } as const;
      await requireAdmission(this.#options.guard(act, grant));
    }
    return this.#awake(this.known(id, client));
  }

  /**
   * As `find`, without waking it.
   * @throws HarborError `unknown_session`
   */
  known(id: string, client: Client): Session | SleepingSession {
    const named = this.of(client).filter(({ identity }) => identity.name === id);
    const handled = this.#sessions.get(id) ?? this.#asleep.get(id);
    const session = handled ?? (named.length === 1 ? named[0] : undefined);
    if (session && this.#mayUse(client, session.identity)) return session;
    if (named.length > 1)
      throw new HarborError(
        'unknown_session',
        `${named.length} sessions are named ${id}. Pass one of their handles: ${named.map((each) => each.id).join(', ')}.`,
      );
    throw new HarborError(
      'unknown_session',
      `You have no session ${id}. ${listSimilarNames(
        id,
        this.of(client).map((each) => each.id),
      )}`,
      {
        mentions: [mention`${ours('images')} describes them; ${ours('open_session')} opens one.`],
      },
    );
  }

  /** Returns a session that is awake. */
  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** The sessions that are awake, oldest first. */
  get all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** The sessions that the client may use, asleep or awake, oldest first. */
  of(client: Client): (Session | SleepingSession)[] {
    return [...this.#asleep.all, ...this.all].filter(({ identity }) => this.#mayUse(client, identity));
  }

  /** Lets every client use the session until it is closed. Only its owner and administrators may close it. */
  share(id: string): void {
    this.#shared.add(id);
  }

  #mayUse(client: Client, identity: SessionIdentity): boolean {
    return this.#shared.has(identity.id) || mayAccess(client, identity);
  }

  /** Returns the views of `of`, with current memory figures. */
  async list(client: Client): Promise<SessionView[]> {
    await Promise.all(this.of(client).map((each) => each instanceof Session && each.refreshUsage()));
    // Read again: a session may have woken meanwhile.
    return this.of(client).map((session) => session.view());
  }

  /** Returns the memory of the machine, and of images by their last readings. */
  async memory(): Promise<MemoryView> {
    const { totalBytes, availableBytes, short } = this.#options.memory.recent();
    const views = this.all.map((session) => session.view());
    const imagesBytes = views.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
    return { totalBytes, availableBytes, imagesBytes, ready: await this.#pool.usage(), short };
  }

  /** Reports whether available memory is below the reserve. Reads only the machine, not the images. */
  get memoryIsShort(): boolean {
    return this.#options.memory.read().short;
  }

  /** The handles of all sessions. */
  get handles(): ReadonlySet<string> {
    return new Set([...this.#asleep.all, ...this.all].map(({ id }) => id));
  }

  /** The names of all sessions, for approvals. */
  get names(): string[] {
    return [...this.#asleep.all, ...this.all].map(({ identity }) => identity.name);
  }

  /** The number of sessions and running evaluations that would end now. */
  get load(): { sessions: number; running: number } {
    const running = this.all.filter((session) => session.running);
    return { sessions: this.#sessions.size, running: running.length };
  }

  /** Returns the ids of the sessions that need this checkpoint file. */
  needing(file: string): string[] {
    return [...this.#asleep.all, ...this.all]
      .filter(({ lineages }) => lineages.needs(file))
      .map(({ id }) => id);
  }

  /** Removes a deleted checkpoint from all lineages. */
  forgetCheckpoint(file: string): void {
    for (const { lineages } of this.#asleep.all) lineages.forget(file);
    for (const session of this.all) session.forget(file);
  }

  /**
   * Closes the session for good. Resolves when it has ended, also for concurrent callers. While the harbor
   * ends, a saved session only falls asleep.
   */
  async close(session: Session | SleepingSession): Promise<void> {
    const isOpen = this.#sessions.delete(session.id) || this.#asleep.forget(session.id);
    this.#shared.delete(session.id);
    if (isOpen) this.#closing.set(session.id, this.#end(session));
    await this.#closing.get(session.id);
    this.#closing.delete(session.id);
  }

  /** Prevents further openings; current ones fail. */
  giveUpOpening(): void {
    this.#ended = true;
    this.#opener.starts.giveUp();
  }

  /** Closes all sessions and prevents new ones. */
  async closeAll(): Promise<void> {
    this.giveUpOpening();
    await Promise.allSettled(this.#opening);
    const closing = this.all.map((session) => this.close(session));
    await Promise.allSettled([...closing, ...this.#closing.values(), this.#pool.end()]);
  }

  /**
   * Returns the engine that a default session would have now, if the session has the fallback engine and
   * defines nothing; else null.
   */
  async #successor(
    { identity, lineages }: Pick<SleepingSession, 'identity' | 'lineages'>,
    { engine: requested, project }: OpenRequest,
  ): Promise<EngineName | null> {
    if (requested !== undefined) return null;
    const usual = await this.#replacementOf(identity.engine, project);
    return usual !== null && definesAnything(this.#journal.replayEntries(lineages.newest)) ? null : usual;
  }

  /** Returns the engine that the project has now instead of a fallback engine; null if there is none. */
  async #replacementOf(engine: EngineName, project: string): Promise<EngineName | null> {
    const { engines } = this.#options;
    if (!engines.get(engine).isFallback) return null;
    const usual = await engines.defaultOrNull(project);
    return usual === engine ? null : usual;
  }

  /** Opens the default session on another engine. */
  async #openInstead(
    former: SleepingSession,
    engine: EngineName,
    request: OpenRequest,
  ): Promise<{ session: Session; notes: Note[] }> {
    const session = await this.open({ ...request, engine });
    await this.close(former);
    const text = `This is a new session on ${engine}, which was not there before. Session ${former.id} on ${former.identity.engine} defined nothing and is closed.`;
    return { session, notes: [note('new_session', text)] };
  }

  async #open(request: OpenRequest): Promise<Session> {
    if (this.#ended)
      throw new HarborError('session_ended', 'The harbor is ending; no session can be opened.');
    const session = await this.#opener.open(request);
    this.#sessions.set(session.id, session);
    this.#journal.begun(session);
    // Reported when it is read; the caller does not wait.
    void session.refreshUsage().then(() => this.#journal.changed(session));
    return session;
  }

  async #awake(known: Session | SleepingSession): Promise<Session> {
    const session = known instanceof Session ? known : await this.#wake(known);
    await Promise.race([session.begun, delay(WAKE_TIMEOUT_MS, undefined, { ref: false })]);
    return session;
  }

  /** Wakes the session; concurrent callers share one wake-up. */
  #wake(sleeping: SleepingSession): Promise<Session> {
    return this.#asleep.waking(sleeping, async () => {
      const session = await this.#opener.wake(sleeping);
      if (!this.#asleep.forget(session.id)) {
        await session.end();
        throw new HarborError('session_ended', `Session ${session.id} was closed.`);
      }
      this.#sessions.set(session.id, session);
      this.#journal.begun(session);
      return session;
    });
  }

  /** Never rejects, so that a closed session is recorded as ended whatever fails. */
  async #end(session: Session | SleepingSession): Promise<void> {
    const log = (error: unknown): void =>
      this.#options.log.error(`Session ${session.id} did not end cleanly`, error);
    if (session instanceof Session) await session.end().catch(log);
    this.#opener.starts.forget(session.id);
    this.#options.diskLimits?.forget(session.id);
    if (this.#ended && this.#saved.has(session.id)) return;
    void this.#options.hosts?.removeSession(session.identity).catch(log);
    await this.#options.folders.remove(session.id).catch(log);
    this.#journal.ended(session.identity);
  }
}

/** Reports whether the client owns the session or is an administrator. */
export function mayAccess(client: Client, identity: Pick<SessionIdentity, 'client'>): boolean {
  return identity.client === client.key || client.scopes.has('admin');
}

function severalAsleepNote(sleeping: readonly SleepingSession[]): Note {
  const handles = sleeping.map(({ id }) => id).join(', ');
  return note(
    'new_session',
    `This is a new session. Before the harbor restarted you had ${handles}: pass one as \`session\` to continue there.`,
  );
}

// Reconnects sessions of attached servers when the server is available again, on any port. Their state is
// lost with the server; the notes of the next evaluation report that.

/** Milliseconds between attempts: short at first, because the server may be restarting. */
const PAUSES_MS = [1_000, 1_000, 2_000, 2_000, 5_000, 5_000, 15_000];

/**
 * Reconnects all attached sessions from now on.
 * @param current returns the current address of a server
 */
export function keepConnected(
  sessions: Sessions,
  engines: Engines,
  current: (server: ServerAddress) => Promise<ServerAddress>,
): void {
  const trying = new Set<string>();
  sessions.events.on('changed', ({ id, state, server, engine: name }) => {
    const session = sessions.get(id);
    const engine = engines.get(name);
    if (state !== 'lost' || !session || !server || !engine.isReachable || trying.has(id)) return;
    trying.add(id);
    const isThere = async () => (await engine.isReachable?.(await current(server))) ?? false;
    void reconnect(session, isThere).finally(() => trying.delete(id));
  });
}

/** Returns when the session is connected or has ended. */
async function reconnect(session: Session, isThere: () => Promise<boolean>): Promise<void> {
  for (let tried = 0; session.state === 'lost'; tried += 1) {
    await delay(PAUSES_MS[tried] ?? PAUSES_MS.at(-1), undefined, { ref: false });
    const there = await isThere().catch(() => false);
    if (there && session.state === 'lost') await session.revive();
  }
}
