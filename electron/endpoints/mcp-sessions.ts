/**
 * The 2025-era side of the HTTP endpoint: a session begins with `initialize`, is named by the header
 * `Mcp-Session-Id` and lasts until DELETE, the end of its token or the end of the harbor. There is no timeout:
 * a proof may run for hours while its client says nothing. A session belongs to the client, the scopes and the
 * profile it began with; for anybody else it does not exist.
 */
import { randomUUID } from 'node:crypto';
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Toolbox } from '../tools/tool';
import { INVALID_PARAMS, idOf, methodOf, NO_SESSION, REFUSED } from './json-rpc';
import { type McpExchange, ownerOf } from './mcp-exchange';
import { type McpServices, mcpServer } from './mcp-server';
import { SessionEvents } from './session-events';
import { errorResponse } from './web-exchange';

/** After this long a client whose stream broke should come back for the rest. */
const RETRY_MS = 1000;
/** Said to a client that cancelled a call: the SDK sends no answer, and the call's stream would stay open for ever. */
const CANCELLED = 'The request was cancelled';

interface McpSession {
  owner: string;
  clientKey: string;
  transport: WebStandardStreamableHTTPServerTransport;
  /** Ends the session, once; settles when its connection has ended too. */
  end(): Promise<void>;
}

export class McpSessions {
  readonly #services: McpServices;
  readonly #toolbox: Toolbox;
  readonly #sessions = new Map<string, McpSession>();

  constructor(services: McpServices, toolbox: Toolbox) {
    this.#services = services;
    this.#toolbox = toolbox;
  }

  /** Answers one 2025-era request. */
  async handle(exchange: McpExchange): Promise<Response> {
    const id = exchange.request.headers.get('mcp-session-id');
    if (id !== null) return this.#continue(id, exchange);
    if (isInitializeRequest(exchange.body)) return this.#begin(exchange);
    return withoutSession(exchange);
  }

  /** Ends the sessions of one client, or all of them. */
  async end(clientKey?: string): Promise<void> {
    const sessions = [...this.#sessions.values()];
    const ending = sessions.filter((session) => clientKey === undefined || session.clientKey === clientKey);
    await Promise.all(ending.map((session) => session.end()));
  }

  async #continue(id: string, exchange: McpExchange): Promise<Response> {
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== ownerOf(exchange)) {
      const message = 'Session not found: it is unknown or has ended. Begin a new one with initialize.';
      return errorResponse(404, NO_SESSION, message, { id: idOf(exchange.body) });
    }
    const response = await session.transport.handleRequest(exchange.request, { parsedBody: exchange.body });
    // The answer to DELETE waits until what the session held is gone.
    if (!this.#sessions.has(id)) await session.end();
    return response;
  }

  async #begin(exchange: McpExchange): Promise<Response> {
    const session = await this.#open(exchange);
    const response = await session.transport.handleRequest(exchange.request, { parsedBody: exchange.body });
    // Refused before it began, for instance because of its Accept header.
    if (session.transport.sessionId === undefined) await session.end();
    return response;
  }

  async #open(exchange: McpExchange): Promise<McpSession> {
    const { client, profile } = exchange;
    const connection = this.#toolbox.connect(client, { profile, shared: false });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new SessionEvents(),
      retryInterval: RETRY_MS,
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
    });
    const server = mcpServer(this.#services, {
      connection,
      client,
      endpoint: 'http',
      onCancelled: (id) => {
        const cancelled = { jsonrpc: '2.0' as const, id, error: { code: REFUSED, message: CANCELLED } };
        transport.send(cancelled).catch(() => {
          // Cancelled by the end of the session: there is no stream to end.
        });
      },
    });
    let ended: Promise<void> | undefined;
    const end = (): Promise<void> => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
      // A microtask later: closing the server comes back here through its onclose.
      ended ??= Promise.resolve()
        .then(() => server.close())
        .then(() => connection.end());
      return ended;
    };
    server.onclose = () =>
      void end().catch((error) => this.#services.log.error('Ending a session failed', error));
    const session: McpSession = { owner: ownerOf(exchange), clientKey: client.key, transport, end };
    await server.connect(transport);
    return session;
  }
}

/** What a request without a session id gets when it begins none. */
function withoutSession({ request, body }: McpExchange): Response {
  const id = idOf(body);
  if (request.method === 'GET') {
    const message = 'Method not allowed: there is an event stream only within a session (Mcp-Session-Id).';
    return errorResponse(405, REFUSED, message, { headers: { allow: 'POST, DELETE, OPTIONS' } });
  }
  if (methodOf(body) === 'initialize') {
    const message = 'initialize needs params with protocolVersion, capabilities and clientInfo.';
    return errorResponse(400, INVALID_PARAMS, message, { id });
  }
  const message = 'Bad Request: Mcp-Session-Id header required. Begin a session with initialize.';
  return errorResponse(400, REFUSED, message, { id });
}
