/**
 * What a client of the profile `nrepl` is connected to: one server, a session of it for calls that name none, and
 * further sessions under the names that `nrepl-new-session` gave them.
 */
import { randomUUID } from 'node:crypto';
import { asFailure, type ErrorCode, HarborError } from '../../contract/errors';
import { thereAre } from '../../contract/names-there';
import { LOCALHOST, type ServerAddress } from '../../contract/server';
import { projectServer } from '../../sandbox/port-files';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import type { AccessRequests } from '../sessions/access-requests';
import type { Caller } from '../tool';
import { NreplLookout } from './nrepl-lookout';
import type { Joining } from './profile';

/** For whom a link is made, and where the port file is looked for; a caller where somebody waits for it. */
export type LinkOwner = Joining | Caller;

/** What a client is connected to. */
export type LinkOf = (caller: Caller) => NreplLink;

/** What a person, or the caller, has said: it is told as it is. */
const SAID: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['not_approved', 'paused', 'cancelled']);

export interface LinkOptions {
  sessions: Sessions;
  accessRequests: Pick<AccessRequests, 'server'>;
  /** Where the port file of the server is looked for: JOYRIDE_WORKSPACE, else the caller's project. */
  workspace: string | undefined;
  /** NREPL_PORT, which wins over the port file. */
  port: number | undefined;
  /** Whether a person has one open, who would miss it. */
  watched: (session: Session) => boolean;
  /** Milliseconds between two looks for a server that was not there yet. */
  lookMs?: number;
}

/** The tool that connects; what looks for a server by itself does the same. */
export const CONNECTING = 'nrepl-connect';

/** What `nrepl-connect` connects to when it is told no host. */
export const USUAL_HOST = 'localhost';

/** The last run of the health test. */
export interface TestRun {
  passed: boolean;
  at: number;
}

/** A session as this profile names it, in the connection it was opened in: sessions do not survive their server. */
interface Named {
  uuid: string;
  session: Session;
  generation: number;
}

export class NreplLink {
  readonly #options: LinkOptions;
  readonly #named = new Map<string, Named>();
  /** Sessions of other servers, by their ports. */
  readonly #elsewhere = new Map<number, Named>();
  /** Where it is connected, under the host's name as it was given. */
  #server: (ServerAddress & { asked: string }) | null = null;
  readonly #lookout: NreplLookout;
  #default: Named | null = null;
  #left = false;
  /** How often a server was chosen; what was found without that gives way. */
  #chosen = 0;
  #connecting: Promise<Named> | null = null;
  /** Calls that evaluated. */
  commands = 0;
  lastTest: TestRun | null = null;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#lookout = new NreplLookout(options.lookMs);
  }

  /** Connects as soon as there is a server, now or later, without being asked. */
  lookOut(owner: LinkOwner): void {
    this.#lookout.begin({
      where: () => this.#candidates(owner, USUAL_HOST, undefined).then(([server]) => server ?? null),
      connect: async () => void (await this.#defaultSession(owner)),
      done: () => this.#default !== null,
    });
  }

  /** The host as it was given, and the port that the server has now. */
  get address(): { host: string; port: number } | null {
    if (!this.#server) return null;
    const { port } = (this.connected && this.current?.ability('heartbeat').server) || this.#server;
    return { host: this.#server.asked, port };
  }

  /** How many sessions are open beside the one for calls that name none. */
  get sessions(): number {
    return [...this.#named.values()].filter(isAlive).length;
  }

  /** Whether the server is there as far as anybody knows. */
  get connected(): boolean {
    return this.#default !== null && isConnected(this.#default);
  }

  get current(): Session | null {
    return this.#default?.session ?? null;
  }

  workspace({ project }: LinkOwner): string {
    return this.#options.workspace ?? project;
  }

  /** Gives up what it was connected to, for a server at `host`, or the one that port file or environment names.
   * @throws HarborError `engine_unavailable`, naming host and port; `not_approved`, `paused`, `cancelled` */
  async connect(caller: LinkOwner, host: string, port: number | undefined): Promise<void> {
    this.#chosen += 1;
    await this.#connect(caller, host, port);
  }

  async #connect(caller: LinkOwner, host: string, port: number | undefined): Promise<void> {
    const chosen = this.#chosen;
    const servers = await this.#candidates(caller, host, port);
    const address = [host, servers[0]?.port ?? port].filter((part) => part !== undefined).join(':');
    const opened = await this.#openFirst(caller, servers, address);
    // Its client may have left meanwhile, or have chosen another server.
    if (this.#left || chosen !== this.#chosen) {
      await this.#options.sessions.close(opened.session);
      throw notConnected('Something else was asked for meanwhile.');
    }
    await this.#close();
    this.#server = { ...opened.server, asked: host };
    this.#default = named(opened.session);
  }

  /** The session of that name, or the one for calls that name none; connects first if nobody has.
   * @throws HarborError `not_connected` with how to connect, `unknown_session` */
  async find(caller: LinkOwner, uuid: string | undefined): Promise<Named> {
    if (uuid === undefined) return this.#defaultSession(caller);
    const named = uuid === this.#default?.uuid ? this.#default : this.#named.get(uuid);
    if (named && isAlive(named)) return named;
    if (this.#named.delete(uuid) && named) await this.#options.sessions.close(named.session);
    throw new HarborError(
      'unknown_session',
      `unknown session ${uuid}: it was closed, or is of a server that is gone. ${thereAre(
        uuid,
        this.#all.map((each) => each.uuid),
      )} nrepl-new-session opens one.`,
    );
  }

  /** A session of the server at that port, whichever is connected; opened when it is first asked for.
   * @throws HarborError as `connect` does */
  async at(caller: LinkOwner, port: number): Promise<Named> {
    if (this.connected && this.address?.port === port) return this.find(caller, undefined);
    const known = this.#elsewhere.get(port);
    if (known && isAlive(known)) return known;
    const servers = await this.#candidates(caller, USUAL_HOST, port);
    const { session } = await this.#openFirst(caller, servers, `${USUAL_HOST}:${port}`);
    const opened = named(session);
    this.#elsewhere.set(port, opened);
    return opened;
  }

  /** What this profile calls a session of the harbor; null for one that is none of these. */
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

  /** Ends its connections to the server, but for those that a person watches. */
  async leave(): Promise<void> {
    this.#left = true;
    this.#lookout.end();
    await this.#close((session) => !this.#options.watched(session));
  }

  async #defaultSession(caller: LinkOwner): Promise<Named> {
    const known = this.#default?.session;
    if (this.#default && known && known.state !== 'ended') {
      // Connected again: what the session was called belongs to the connection before.
      if (isConnected(this.#default) && !isAlive(this.#default)) this.#default = named(known);
      return this.#default;
    }
    // What another call, or nobody, was refused, this one may ask for.
    const found = await this.#connecting?.catch(() => null);
    if (found) return found;
    this.#connecting ??= this.#discover(caller).finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  /** As the document's server does at its start: connects to what environment or port file name. */
  async #discover(caller: LinkOwner): Promise<Named> {
    try {
      await this.#connect(caller, USUAL_HOST, undefined);
    } catch (error) {
      if (this.#default && isAlive(this.#default)) return this.#default;
      const { code, message } = asFailure(error);
      throw SAID.has(code) ? error : notConnected(message);
    }
    if (this.#default) return this.#default;
    throw notConnected();
  }

  async #candidates(caller: LinkOwner, host: string, port: number | undefined): Promise<ServerAddress[]> {
    const wanted = port ?? this.#options.port;
    if (wanted === undefined) return [await projectServer(this.workspace(caller))];
    const hosts = host.toLowerCase() === USUAL_HOST ? LOCALHOST : [host];
    return hosts.map((name) => ({ kind: 'nrepl', host: name, port: wanted }));
  }

  async #openFirst(caller: LinkOwner, servers: readonly ServerAddress[], asked: string) {
    let problem = '';
    for (const server of servers)
      try {
        return { server, session: await this.#attach(caller, server) };
      } catch (error) {
        const { code, message } = asFailure(error);
        if (SAID.has(code)) throw error;
        problem ||= message;
        // What took the connection listens under all names: it would be waited for as long again.
        if (code === 'engine_failed') break;
      }
    throw new HarborError('engine_unavailable', `Could not connect to ${asked}. ${problem}`);
  }

  async #attach(owner: LinkOwner, server: ServerAddress): Promise<Session> {
    const { client, project, profileChosen } = owner;
    const { accessRequests, sessions } = this.#options;
    const asker = { tool: CONNECTING, ...owner };
    // Connecting is what this profile is for: who chose it lets its client choose among the servers of this computer.
    const serverAllowed = await accessRequests.server(server, asker, profileChosen ? 'allow' : 'ask');
    return sessions.open({ client: client.key, project, server, serverAllowed, passing: true });
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

/** While it is being connected again it still has the number of the connection before. */
function isConnected({ session: { state } }: Named): boolean {
  return state !== 'lost' && state !== 'ended' && state !== 'starting';
}

function isAlive(one: Named): boolean {
  return isConnected(one) && one.session.generation === one.generation;
}

function notConnected(because = 'Nobody has connected yet.'): HarborError {
  return new HarborError(
    'engine_unavailable',
    `not connected to an nREPL server. ${because} Start one that leaves .nrepl-port in the project, or use nrepl-connect with its port.`,
  );
}
