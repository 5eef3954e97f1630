/**
 * The nREPL connection of a client of the profile `nrepl`: one server, a default session, and further
 * sessions under the names given by `nrepl-new-session`.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { asFailure, type ErrorCode, HarborError, listSimilarNames } from '../../contract/errors';
import type { Client } from '../../contract/model';

import { LOCALHOST, type ServerAddress } from '../../contract/server';
import { projectServer } from '../../sandbox/named-servers';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import type { Joining } from '../../tools/profile';
import type { AccessRequests } from '../../tools/sessions/access-requests';
import type { Caller } from '../../tools/tool';

/** The client of a link, and the project whose port file is read; a caller if a call waits for it. */
type LinkOwner = Joining | Caller;

/** Returns the link of a client. */
export type LinkOf = (caller: Caller) => NreplLink;

/** Errors caused by the user or the caller, which are reported unchanged. */
const REPORTED_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['not_approved', 'paused', 'cancelled']);

export interface LinkOptions {
  sessions: Sessions;
  accessRequests: Pick<AccessRequests, 'server'>;
  /** The folder of the server's port file: JOYRIDE_WORKSPACE, else the caller's project. */
  workspace: string | undefined;
  /** NREPL_PORT, which takes precedence over the port file. */
  port: number | undefined;
  /** Reports whether the session is open in a window or terminal. */
  watched: (session: Session) => boolean;
  /** Milliseconds between two checks for a server that was not available. */
  lookMs?: number;
}

/** The tool that connects. Automatic connection works in the same way. */
export const CONNECT_TOOL = 'nrepl-connect';

/** The default host of `nrepl-connect`. */
export const DEFAULT_HOST = 'localhost';

/** The last run of the health test. */
interface TestRun {
  passed: boolean;
  at: number;
}

/**
 * A session under its name in this profile, and the connection in which it was opened. Sessions do not
 * survive their server.
 */
interface Named {
  uuid: string;
  session: Session;
  generation: number;
}

export class NreplLink {
  readonly #options: LinkOptions;
  readonly #named = new Map<string, Named>();
  /** Sessions of other servers, by port. */
  readonly #elsewhere = new Map<number, Named>();
  /** The connected server, with the host as given. */
  #server: (ServerAddress & { requested: string }) | null = null;
  readonly #lookout: NreplAutoConnect;
  #default: Named | null = null;
  #closed = false;
  /** Number of times that a server was chosen. An automatic connection yields to a choice. */
  #chosen = 0;
  #connecting: Promise<Named> | null = null;
  /** Number of calls that evaluated. */
  commands = 0;
  lastTest: TestRun | null = null;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#lookout = new NreplAutoConnect(options.lookMs);
  }

  /** Connects to a server when one is available, now or later, without a request. */
  lookOut(owner: LinkOwner): void {
    this.#lookout.begin({
      where: () => this.#candidates(owner, DEFAULT_HOST, undefined).then(([server]) => server ?? null),
      connect: async () => void (await this.#defaultSession(owner)),
      done: () => this.#default !== null,
    });
  }

  /** The host as given, and the current port of the server. */
  get address(): { host: string; port: number } | null {
    if (!this.#server) return null;
    const { port } = (this.connected && this.current?.ability('heartbeat').server) || this.#server;
    return { host: this.#server.requested, port };
  }

  /** Number of open sessions besides the default one. */
  get sessions(): number {
    return [...this.#named.values()].filter(isAlive).length;
  }

  /** Whether the server was connected when last checked. */
  get connected(): boolean {
    return this.#default !== null && isConnected(this.#default);
  }

  get current(): Session | null {
    return this.#default?.session ?? null;
  }

  workspace({ project }: LinkOwner): string {
    return this.#options.workspace ?? project;
  }

  /**
   * Drops the current connection and connects to the server at `host`, or to the one that port file or
   * environment name.
   * @throws HarborError `engine_unavailable`, naming host and port; `not_approved`, `paused`, `cancelled`
   */
  async connect(caller: LinkOwner, host: string, port: number | undefined): Promise<void> {
    this.#chosen += 1;
    await this.#connect(caller, host, port);
  }

  async #connect(caller: LinkOwner, host: string, port: number | undefined): Promise<void> {
    const chosen = this.#chosen;
    const servers = await this.#candidates(caller, host, port);
    const address = [host, servers[0]?.port ?? port].filter((part) => part !== undefined).join(':');
    const opened = await this.#openFirst(caller, servers, address);
    // The client may have disconnected meanwhile, or chosen another server.
    if (this.#closed || chosen !== this.#chosen) {
      await this.#options.sessions.close(opened.session);
      throw notConnected('Another server was requested meanwhile.');
    }
    await this.#close();
    this.#server = { ...opened.server, requested: host };
    this.#default = named(opened.session);
  }

  /**
   * Returns the session of that name, or the default one; connects first if necessary.
   * @throws HarborError `engine_unavailable` with how to connect, `unknown_session`; as `connect`
   */
  async find(caller: LinkOwner, uuid: string | undefined): Promise<Named> {
    if (uuid === undefined) return this.#defaultSession(caller);
    const named = uuid === this.#default?.uuid ? this.#default : this.#named.get(uuid);
    if (named && isAlive(named)) return named;
    if (this.#named.delete(uuid) && named) await this.#options.sessions.close(named.session);
    throw new HarborError(
      'unknown_session',
      `unknown session ${uuid}: it was closed, or is of a server that is gone. ${listSimilarNames(
        uuid,
        this.#all.map((each) => each.uuid),
      )} nrepl-new-session opens one.`,
    );
  }

  /**
   * Returns a session of the server at that port, opened when first requested, whichever server is connected.
   * @throws HarborError as `connect` does
   */
  async at(caller: LinkOwner, port: number): Promise<Named> {
    if (this.connected && this.address?.port === port) return this.find(caller, undefined);
    const known = this.#elsewhere.get(port);
    if (known && isAlive(known)) return known;
    const servers = await this.#candidates(caller, DEFAULT_HOST, port);
    const { session } = await this.#openFirst(caller, servers, `${DEFAULT_HOST}:${port}`);
    const opened = named(session);
    this.#elsewhere.set(port, opened);
    return opened;
  }

  /** Returns this profile's name of a session of the harbor; null if it is not one of these. */
  nameOf(handle: string): string | null {
    return this.#all.find(({ session }) => session.id === handle)?.uuid ?? null;
  }

  /** @throws HarborError as `find` does */
  async open(caller: LinkOwner): Promise<string> {
    await this.#defaultSession(caller);
    if (!this.#server) throw notConnected();
    const opened = named(await this.#attach(caller, this.#server));
    this.#named.set(opened.uuid, opened);
    return opened.uuid;
  }

  /** Ends its connections to the server, except those that are open in a window or terminal. */
  async leave(): Promise<void> {
    this.#closed = true;
    this.#lookout.end();
    await this.#close((session) => !this.#options.watched(session));
  }

  async #defaultSession(caller: LinkOwner): Promise<Named> {
    const known = this.#default?.session;
    if (this.#default && known && known.state !== 'ended') {
      // After reconnecting, the name of the session belongs to the previous connection.
      if (isConnected(this.#default) && !isAlive(this.#default)) this.#default = named(known);
      return this.#default;
    }
    // Requests permission again even if another call, or an automatic one, was refused.
    const found = await this.#connecting?.catch(() => null);
    if (found) return found;
    this.#connecting ??= this.#discover(caller).finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  /**
   * Connects to the server that environment or port file name, as the documented server does at its start.
   */
  async #discover(caller: LinkOwner): Promise<Named> {
    try {
      await this.#connect(caller, DEFAULT_HOST, undefined);
    } catch (error) {
      if (this.#default && isAlive(this.#default)) return this.#default;
      const { code, message } = asFailure(error);
      throw REPORTED_ERRORS.has(code) ? error : notConnected(message);
    }
    if (this.#default) return this.#default;
    throw notConnected();
  }

  async #candidates(caller: LinkOwner, host: string, port: number | undefined): Promise<ServerAddress[]> {
    const wanted = port ?? this.#options.port;
    if (wanted === undefined) return [await projectServer(this.workspace(caller))];
    const hosts = host.toLowerCase() === DEFAULT_HOST ? LOCALHOST : [host];
    return hosts.map((name) => ({ kind: 'nrepl', host: name, port: wanted }));
  }

  async #openFirst(caller: LinkOwner, servers: readonly ServerAddress[], requested: string) {
    let problem = '';
    for (const server of servers)
      try {
        return { server, session: await this.#attach(caller, server) };
      } catch (error) {
        const { code, message } = asFailure(error);
        if (REPORTED_ERRORS.has(code)) throw error;
        problem ||= message;
        // The peer accepted the connection but is not an nREPL server. Trying its other names would take as
        // long again.
        if (code === 'engine_failed') break;
      }
    throw new HarborError('engine_unavailable', `Could not connect to ${requested}. ${problem}`);
  }

  async #attach(owner: LinkOwner, server: ServerAddress): Promise<Session> {
    const { client, project, profileChosen } = owner;
    const { accessRequests, sessions } = this.#options;
    const asker = { tool: CONNECT_TOOL, ...owner };
    // Connecting is the purpose of this profile: if the user chose it, the client may choose among the
    // servers of this computer.
    const serverAllowed = await accessRequests.server(server, asker, profileChosen ? 'allow' : 'ask');
    return sessions.open({ client: client.key, project, server, serverAllowed, endsWithHarbor: true });
  }

  get #all(): Named[] {
    const all = [...this.#named.values(), ...this.#elsewhere.values()];
    return this.#default ? [...all, this.#default] : all;
  }

  async #close(ends: (session: Session) => boolean = () => true): Promise<void> {
    const all = this.#all;
    this.#named.clear();
    this.#elsewhere.clear();
    this.#default = null;
    const ended = all.map(({ session }) => session).filter(ends);
    await Promise.all(ended.map((session) => this.#options.sessions.close(session)));
  }
}

function named(session: Session): Named {
  return { uuid: randomUUID(), session, generation: session.generation };
}

/** During reconnection the session still has the number of the previous connection. */
function isConnected({ session: { state } }: Named): boolean {
  return state !== 'lost' && state !== 'ended' && state !== 'starting';
}

function isAlive(one: Named): boolean {
  return isConnected(one) && one.session.generation === one.generation;
}

function notConnected(because = 'No connection has been made yet.'): HarborError {
  return new HarborError(
    'engine_unavailable',
    `not connected to an nREPL server. ${because} Start one that leaves .nrepl-port in the project, or use nrepl-connect with its port.`,
  );
}

// The links of the profile `nrepl`, one per client, shared by its connections. When the last connection ends,
// the connections to the server are closed; the server keeps its state.

interface Shared {
  link: NreplLink;
  connections: number;
}

export class NreplLinks {
  readonly #options: LinkOptions;
  readonly #shared = new Map<string, Shared>();

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  of(client: Client): NreplLink {
    return this.#of(client).link;
  }

  /** Called when a connection of the client begins. Returns a function to call when it ends. */
  joined(joining: Joining): () => Promise<void> {
    const { client } = joining;
    const shared = this.#of(client);
    shared.connections += 1;
    shared.link.lookOut(joining);
    return async () => {
      shared.connections -= 1;
      if (shared.connections > 0) return;
      this.#shared.delete(client.key);
      await shared.link.leave();
    };
  }

  #of({ key }: Client): Shared {
    const known = this.#shared.get(key) ?? { link: new NreplLink(this.#options), connections: 0 };
    this.#shared.set(key, known);
    return known;
  }
}

// Checks for a server from time to time and connects to it. A port file may appear long after its client.

/** Milliseconds between two checks, each of which reads a few small files. */
const CHECK_INTERVAL_MS = 1_000;
/**
 * Maximum milliseconds between two attempts on a server that failed. The interval grows with each failure.
 */
const MAX_RETRY_MS = 60_000;

interface AutoConnectOptions {
  /**
   * Returns the address where the server should be.
   * @throws if nothing names one
   */
  where(): Promise<ServerAddress | null>;
  connect(): Promise<void>;
  /** Reports whether there is a connection. */
  done(): boolean;
}

class NreplAutoConnect {
  readonly #every: number;
  #ending: AbortController | null = null;

  constructor(every = CHECK_INTERVAL_MS) {
    this.#every = every;
  }

  /** Checks until there is a connection, or until the end. Does nothing if it is already running. */
  begin(looking: AutoConnectOptions): void {
    if (this.#ending) return;
    this.#ending = new AbortController();
    void this.#look(looking, this.#ending.signal);
  }

  end(): void {
    this.#ending?.abort();
    this.#ending = null;
  }

  async #look({ where, connect, done }: AutoConnectOptions, ended: AbortSignal): Promise<void> {
    const failed = new FailedTries(this.#every);
    while (!done() && !ended.aborted) {
      const server = await where().catch(() => null);
      // The call that needs the connection reports the error.
      if (server && failed.mayTry(server)) await connect().catch(() => failed.note(server));
      await delay(this.#every, undefined, { ref: false, signal: ended }).catch(() => undefined);
    }
  }
}

/** Remembers which server failed, and when it may be tried again. */
class FailedTries {
  readonly #first: number;
  #server = '';
  #pause = 0;
  #again = 0;

  constructor(first: number) {
    this.#first = first;
  }

  mayTry(server: ServerAddress): boolean {
    return this.#server !== nameOf(server) || performance.now() >= this.#again;
  }

  note(server: ServerAddress): void {
    const same = this.#server === nameOf(server);
    this.#server = nameOf(server);
    this.#pause = same ? Math.min(this.#pause * 2, MAX_RETRY_MS) : this.#first;
    this.#again = performance.now() + this.#pause;
  }
}

function nameOf({ host, port }: ServerAddress): string {
  return `${host} ${port}`;
}
