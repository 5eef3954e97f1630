/**
 * Sessions of 2025-era clients over HTTP. A session begins with `initialize`, is identified by the header
 * `Mcp-Session-Id`, and ends with DELETE, with its token or with the harbor. It belongs to the client, scopes
 * and profile it began with; for any other request it does not exist.
 *
 * There is no timeout, because a proof may run for hours while the client is silent. But many clients never
 * send DELETE, so the number of sessions of an owner is limited. If a new one exceeds the limit, the least
 * recently used session that has no open response or stream and no running call is released. This frees the
 * transport and its buffered events. The Lisp session continues with its state; the tool `images` lists it,
 * and its handle works in later conversations. A released client gets a 404 and begins a new session, as the
 * protocol prescribes. If all sessions are in use, none is released.
 */

import { isInitializeRequest, type Server } from '@modelcontextprotocol/server';
import type { Connection, Toolbox } from '../../tools/toolbox';
import { refuse } from '../http/http-messages';
import { type CallGate, headerOf, type McpExchange, type McpServices, ownerOf } from './caller';
import { notifyChanges, ResourceInterest } from './change-notifications';
import { HarborServer } from './harbor-server';
import { INVALID_PARAMS, idOf, methodOf, NO_SESSION, REFUSED } from './json-rpc';
import type { MakeServer } from './mcp-server';
import { SessionTransport } from './session-transport';

/**
 * Maximum number of sessions of one owner. Together with the limits of `SessionEvents` it bounds the memory
 * of absent clients.
 */
export const MAX_SESSIONS = 32;

export class McpSessions {
  readonly #services: McpServices;
  readonly #toolbox: Toolbox;
  readonly #makeServer: MakeServer;
  /** By id, least recently used first. */
  readonly #sessions = new Map<string, McpSession>();

  constructor(services: McpServices, toolbox: Toolbox, makeServer: MakeServer) {
    this.#services = services;
    this.#toolbox = toolbox;
    this.#makeServer = makeServer;
  }

  /** Handles one 2025-era request. */
  async handle(exchange: McpExchange): Promise<void> {
    const id = headerOf(exchange.req, 'mcp-session-id');
    const session = id === undefined ? undefined : this.#sessionFor(id, exchange);
    if (session !== undefined) return session.handle(exchange);
    // Some clients begin again with the id of a session that has ended.
    if (isInitializeRequest(exchange.body)) return this.#begin(exchange);
    refuseWithoutSession(exchange);
  }

  /** Closes the sessions of one client, or all. */
  async end(clientKey?: string): Promise<void> {
    const sessions = [...this.#sessions.values()];
    const ending = sessions.filter((session) => clientKey === undefined || session.clientKey === clientKey);
    await Promise.all(ending.map((session) => session.end()));
  }

  /** Returns the owner's session with that id, which is then the most recently used. */
  #sessionFor(id: string, exchange: McpExchange): McpSession | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== ownerOf(exchange)) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  async #begin(exchange: McpExchange): Promise<void> {
    const { client, profile } = exchange;
    const session = new McpSession(exchange, {
      services: this.#services,
      makeServer: this.#makeServer,
      connection: this.#toolbox.connect(client, {
        profile,
        shared: false,
        // A restarted harbor cannot distinguish the conversations of a client, so the name is the same for
        // all.
        conversation: `over HTTP, ${profile ?? 'chosen'}`,
      }),
      onBegun: (id) => this.#add(id, session),
      onEnded: (id) => this.#sessions.delete(id),
    });
    return session.handle(exchange);
  }

  #add(id: string, session: McpSession): void {
    this.#sessions.set(id, session);
    const own = [...this.#sessions.values()].filter(({ owner }) => owner === session.owner);
    const excess = Math.max(own.length - MAX_SESSIONS, 0);
    const idle = own.filter((each) => each !== session && !each.inUse);
    for (const each of idle.slice(0, excess)) this.#release(each);
  }

  #release(session: McpSession): void {
    const { log } = this.#services;
    log.info(`Released a conversation of ${session.clientKey}: it has more than ${MAX_SESSIONS}.`);
    session.release().catch((error) => log.error('Releasing a session failed', error));
  }
}

/** Refuses a request that belongs to no session and begins none. */
function refuseWithoutSession({ req, res, body }: McpExchange): void {
  const id = idOf(body);
  if (headerOf(req, 'mcp-session-id') !== undefined) {
    const message =
      'Session not found: it is unknown or has ended. Begin a new one with initialize. Your Lisp sessions continue.';
    refuse(res, 404, NO_SESSION, message, { id });
  } else if (req.method === 'GET') {
    const message = 'Method not allowed: an event stream needs a session (Mcp-Session-Id).';
    refuse(res, 405, REFUSED, message, { headers: { allow: 'POST, DELETE, OPTIONS' } });
  } else if (methodOf(body) === 'initialize') {
    const message = 'initialize needs params with protocolVersion, capabilities and clientInfo.';
    refuse(res, 400, INVALID_PARAMS, message, { id });
  } else {
    const message = 'Bad Request: Mcp-Session-Id header required. Begin a session with initialize.';
    refuse(res, 400, REFUSED, message, { id });
  }
}

/** One 2025-era conversation over HTTP: a transport, a server and a connection to the tools. */
interface McpSessionOptions {
  services: McpServices;
  makeServer: MakeServer;
  /** The connection of this session only. */
  connection: Connection;
  /** Called with the session’s id when `initialize` was accepted. */
  onBegun: (id: string) => void;
  /** Called when the session accepts no more requests. */
  onEnded: (id: string) => void;
}

class McpSession {
  readonly owner: string;
  readonly clientKey: string;
  readonly #options: McpSessionOptions;
  readonly #transport: SessionTransport;
  readonly #server: Server;
  readonly #connected: Promise<void>;
  readonly #endChanges: () => void;
  #ended: Promise<void> | null = null;
  /** Number of open responses and streams and of running calls. */
  #inUse = 0;

  /** @param exchange the `initialize` request; the session has its client, scopes and profile */
  constructor(exchange: McpExchange, options: McpSessionOptions) {
    const { services, makeServer, connection } = options;
    const { client } = exchange;
    this.owner = ownerOf(exchange);
    this.clientKey = client.key;
    this.#options = options;
    this.#transport = new SessionTransport(options.onBegun);
    // Every call passes the gate, so the number of running calls is counted there.
    const gate: CallGate = { run: (call, work) => this.#while(services.gate.run(call, work)) };
    const counting = { ...services, gate };
    const caller = {
      connection,
      client,
      endpoint: 'http',
      era: 'legacy' as const,
      interest: new ResourceInterest(),
    };
    this.#server = makeServer(counting, caller);
    if (this.#server instanceof HarborServer) this.#transport.direct = this.#server;
    this.#endChanges = notifyChanges(this.#server, counting, caller);
    this.#server.onclose = () =>
      void this.end().catch((error) => services.log.error('Closing a session failed', error));
    this.#connected = this.#server.connect(this.#transport);
  }

  /**
   * Reports whether a response or stream is open or a call runs. A session that is not in use can still be
   * used later.
   */
  get inUse(): boolean {
    return this.#inUse > 0;
  }

  async handle(exchange: McpExchange): Promise<void> {
    void this.#while(exchange.closed);
    await this.#connected;
    if (exchange.req.method === 'DELETE') return this.#leave(exchange);
    this.#transport.handle(exchange);
    // The request was refused before the session began, for example because of its Accept header.
    if (this.#transport.sessionId === undefined) await this.end();
  }

  /** Responds when the session is closed completely. */
  async #leave(exchange: McpExchange): Promise<void> {
    if (!(await this.#transport.leave(exchange))) return;
    await this.#ended;
    exchange.res.writeHead(200).end();
  }

  /** Closes the conversation and its Lisp session. Resolves when both are closed. */
  end(): Promise<void> {
    return this.#close(() => this.#options.connection.end());
  }

  /** Closes the conversation but not its Lisp session, which the client can reach by its handle. */
  release(): Promise<void> {
    return this.#close();
  }

  #close(afterwards?: () => Promise<void>): Promise<void> {
    this.#endChanges();
    if (this.#transport.sessionId !== undefined) this.#options.onEnded(this.#transport.sessionId);
    // Deferred, because closing the server calls this method again through `onclose`.
    this.#ended ??= Promise.resolve()
      .then(() => this.#server.close())
      .then(() => afterwards?.());
    return this.#ended;
  }

  async #while<T>(work: Promise<T>): Promise<T> {
    this.#inUse += 1;
    try {
      return await work;
    } finally {
      this.#inUse -= 1;
    }
  }
}
