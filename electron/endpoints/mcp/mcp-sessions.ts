/**
 * The 2025-era side of the HTTP endpoint: a session begins with `initialize`, is named by the header
 * `Mcp-Session-Id` and lasts until DELETE, the end of its token or the end of the harbor. It belongs to the
 * client, the scopes and the profile it began with; for anybody else it does not exist.
 *
 * There is no timeout: a proof may run for hours while its client says nothing. But many clients never send
 * DELETE, so each owner keeps a limited number of sessions. Who begins one more gives back the one that was used
 * longest ago among those whose client is not there: no answer or stream is open, no call runs. That frees the
 * transport and what it had sent. Its Lisp session goes on, with all its state, until the client or a person ends
 * it; `images` lists it, and its handle works in every later conversation of the client. A client that was only
 * away begins anew after the 404 that the protocol has for this. When all are in use, all are kept: then as many
 * clients are really there.
 */
import { isInitializeRequest } from '@modelcontextprotocol/server';
import type { Toolbox } from '../../tools/connection';
import { refuse } from '../http/http-answer';
import { INVALID_PARAMS, idOf, methodOf, NO_SESSION, REFUSED } from './json-rpc';
import type { McpServices } from './mcp-conversation';
import { headerOf, type McpExchange, ownerOf } from './mcp-exchange';
import type { MakeServer } from './mcp-server';
import { McpSession } from './mcp-session';

/** Sessions of one owner. With what SessionEvents keeps of each, this bounds the memory that absent clients take. */
export const SESSIONS_KEPT = 32;

export class McpSessions {
  readonly #services: McpServices;
  readonly #toolbox: Toolbox;
  readonly #makeServer: MakeServer;
  /** By id, the one used longest ago first. */
  readonly #sessions = new Map<string, McpSession>();

  constructor(services: McpServices, toolbox: Toolbox, makeServer: MakeServer) {
    this.#services = services;
    this.#toolbox = toolbox;
    this.#makeServer = makeServer;
  }

  /** Answers one 2025-era request. */
  async handle(exchange: McpExchange): Promise<void> {
    const id = headerOf(exchange.req, 'mcp-session-id');
    if (id !== undefined) return this.#continue(id, exchange);
    if (isInitializeRequest(exchange.body)) return this.#begin(exchange);
    refuseWithoutSession(exchange);
  }

  /** Ends the sessions of one client, or all of them. */
  async end(clientKey?: string): Promise<void> {
    const sessions = [...this.#sessions.values()];
    const ending = sessions.filter((session) => clientKey === undefined || session.clientKey === clientKey);
    await Promise.all(ending.map((session) => session.end()));
  }

  async #continue(id: string, exchange: McpExchange): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== ownerOf(exchange)) {
      const message =
        'Session not found: it is unknown or has ended. Begin a new one with initialize; Lisp sessions that are yours go on.';
      return refuse(exchange.res, 404, NO_SESSION, message, { id: idOf(exchange.body) });
    }
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.handle(exchange);
  }

  async #begin(exchange: McpExchange): Promise<void> {
    const { client, profile } = exchange;
    const session = new McpSession(exchange, {
      services: this.#services,
      makeServer: this.#makeServer,
      connection: this.#toolbox.connect(client, {
        profile,
        shared: false,
        // A later harbor cannot tell the conversations of a client: the client comes back with another one.
        conversation: `over HTTP, ${profile ?? 'chosen'}`,
      }),
      onBegun: (id) => this.#keep(id, session),
      onEnded: (id) => this.#sessions.delete(id),
    });
    return session.handle(exchange);
  }

  #keep(id: string, session: McpSession): void {
    this.#sessions.set(id, session);
    const own = [...this.#sessions.values()].filter(({ owner }) => owner === session.owner);
    const excess = Math.max(own.length - SESSIONS_KEPT, 0);
    const idle = own.filter((each) => each !== session && !each.inUse);
    for (const each of idle.slice(0, excess)) this.#giveBack(each);
  }

  #giveBack(session: McpSession): void {
    const { log } = this.#services;
    log.info(`A conversation of ${session.clientKey} is given back: it has more than ${SESSIONS_KEPT}.`);
    session.giveBack().catch((error) => log.error('Giving back a session failed', error));
  }
}

/** What a request without a session id gets when it begins none. */
function refuseWithoutSession({ req, res, body }: McpExchange): void {
  const id = idOf(body);
  if (req.method === 'GET') {
    const message = 'Method not allowed: there is an event stream only within a session (Mcp-Session-Id).';
    refuse(res, 405, REFUSED, message, { headers: { allow: 'POST, DELETE, OPTIONS' } });
  } else if (methodOf(body) === 'initialize') {
    const message = 'initialize needs params with protocolVersion, capabilities and clientInfo.';
    refuse(res, 400, INVALID_PARAMS, message, { id });
  } else {
    const message = 'Bad Request: Mcp-Session-Id header required. Begin a session with initialize.';
    refuse(res, 400, REFUSED, message, { id });
  }
}
