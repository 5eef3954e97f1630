/**
 * MCP over HTTP. One endpoint serves both protocol eras, and the SDK classifies each request: 2025 revisions
 * use sessions, 2026-07-28 is stateless. A client without a session has one connection per profile, shared by
 * all its conversations.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { HarborError } from '../../contract/errors';
import type { Client } from '../../contract/model';
import type { Toolbox } from '../../tools/toolbox';
import { disconnectSignal, readJson, refuse, webRequest, writeResponse } from '../http/http-messages';
import {
  headerOf,
  type McpExchange,
  type McpRequest,
  type McpServices,
  ownerOf,
  type SharedConnections,
} from './caller';
import { changeBus } from './change-notifications';
import { idOf, isRecord, REFUSED } from './json-rpc';

import { HANDSHAKE_VERSIONS, type MakeServer, mcpServer } from './mcp-server';
import { McpSessions } from './mcp-sessions';
import { claimsVersion, withoutNulls } from './messages';
import { ModernCalls, PlainCalls, plainCallIn } from './stateless-calls';

const SESSIONLESS_VERSION = '2026-07-28';

interface SharedConversation {
  clientKey: string;
  handler: McpHttpHandler;
  calls: ModernCalls;
}

export class McpHttp {
  readonly #services: McpServices;
  readonly #toolbox: Toolbox;
  readonly #sessions: McpSessions;
  readonly #connections: SharedConnections;
  readonly #makeServer: MakeServer;
  readonly #plain: PlainCalls;
  readonly #shared = new Map<string, SharedConversation>();

  /**
   * @param connections shared by all conversations of a client; closed here
   * @param makeServer builds the server behind the transport
   */
  constructor(
    services: McpServices,
    toolbox: Toolbox,
    connections: SharedConnections,
    makeServer: MakeServer = mcpServer,
  ) {
    this.#services = services;
    this.#toolbox = toolbox;
    this.#connections = connections;
    this.#makeServer = makeServer;
    this.#sessions = new McpSessions(services, toolbox, makeServer);
    this.#plain = new PlainCalls(services, toolbox, connections);
  }

  get profiles(): readonly string[] {
    return this.#toolbox.profiles;
  }

  /** Handles a request whose headers were checked. */
  async serve(req: IncomingMessage, res: ServerResponse, { client, profile }: McpRequest): Promise<void> {
    const closed = new Promise((resolve) => res.once('close', resolve));
    const body = req.method === 'POST' ? await readJson(req) : { ok: true as const, value: undefined };
    if (!body.ok) return refuse(res, body.status, body.code, body.message);
    await this.#answer({ req, res, body: withoutNulls(body.value), client, profile, closed });
  }

  /**
   * Opens the connection of a client before its first request, because its profile may start work in advance.
   */
  expect(client: Client): void {
    this.#connections.of(client, null);
  }

  /** Closes all sessions and connections of a client, for example when its token is revoked. */
  endClient(clientKey: string): Promise<void> {
    return this.#end(clientKey);
  }

  /** Closes all streams, then all connections. */
  close(): Promise<void> {
    return this.#end(undefined);
  }

  /** Handles a request. Protocol errors are sent as responses; an exception is a bug. */
  async #answer(exchange: McpExchange): Promise<void> {
    const { req, res, body } = exchange;
    if (req.method !== 'POST' && headerOf(req, 'mcp-protocol-version') === SESSIONLESS_VERSION) {
      const headers = { allow: 'POST, OPTIONS' };
      return refuse(res, 405, REFUSED, `Method not allowed: ${SESSIONLESS_VERSION} has only POST.`, {
        headers,
      });
    }
    try {
      this.#toolbox.requireServed(exchange.client, exchange.profile);
      const kind = kindOf(exchange);
      if (kind !== 'legacy') await this.#answerModern(exchange, kind);
      else if (this.#plain.accepts(exchange) && !isInitializeRequest(body))
        await this.#plain.handle(exchange);
      else await this.#sessions.handle(exchange);
    } catch (error) {
      // The toolbox refuses this client, which only the user can change.
      if (!(error instanceof HarborError)) throw error;
      refuse(res, 403, REFUSED, `${error.code}: ${error.message}`, { id: idOf(body) });
    }
  }

  /** @param kind the SDK’s classification */
  async #answerModern(exchange: McpExchange, kind: 'modern' | 'reject'): Promise<void> {
    const { req, res, body } = exchange;
    const { handler, calls } = this.#conversation(exchange);
    const call = plainCallIn(exchange, SESSIONLESS_VERSION);
    if (kind === 'modern' && call) return calls.answer(call, res);
    const request = webRequest(req, disconnectSignal(res));
    await writeResponse(await handler.fetch(request, { parsedBody: body }), res);
  }

  #conversation(exchange: McpExchange): SharedConversation {
    const owner = ownerOf(exchange);
    const known = this.#shared.get(owner);
    if (known !== undefined) return known;
    const { client, profile } = exchange;
    const connection = this.#connections.of(client, profile);
    const caller = { connection, client, endpoint: 'http', era: 'modern' } as const;
    const makeServer = () => this.#makeServer(this.#services, caller);
    const handler = createMcpHandler(makeServer, { legacy: 'reject', bus: changeBus(connection) });
    const conversation = { clientKey: client.key, handler, calls: new ModernCalls(makeServer) };
    this.#shared.set(owner, conversation);
    return conversation;
  }

  async #end(clientKey: string | undefined): Promise<void> {
    const ending = [...this.#shared].filter(
      ([, { clientKey: key }]) => clientKey === undefined || key === clientKey,
    );
    for (const [owner] of ending) this.#shared.delete(owner);
    const closing = ending.flatMap(([, { handler, calls }]) => [handler.close(), calls.close()]);
    await Promise.all([this.#sessions.end(clientKey), ...closing]);
    await this.#connections.end(clientKey);
  }
}

/**
 * Returns the protocol era of a request. The SDK decides, except for requests whose session header already
 * tells.
 */
function kindOf({ req, body }: McpExchange): 'legacy' | 'modern' | 'reject' {
  const version = headerOf(req, 'mcp-protocol-version');
  const isInSession = headerOf(req, 'mcp-session-id') !== undefined && isHandshakeVersion(version);
  if (isInSession && isRecord(body) && !claimsVersion(body)) return 'legacy';
  const named = Object.entries(ERA_HEADERS).flatMap(([field, name]) => {
    const value = headerOf(req, name);
    return value === undefined ? [] : [[field, value] as const];
  });
  return classifyInboundRequest({
    httpMethod: req.method ?? '',
    ...Object.fromEntries(named),
    ...(body === undefined ? {} : { body }),
  }).kind;
}

/** The SDK’s names of the headers. */
const ERA_HEADERS = {
  protocolVersionHeader: 'mcp-protocol-version',
  mcpMethodHeader: 'mcp-method',
  mcpNameHeader: 'mcp-name',
};

function isHandshakeVersion(version: string | undefined): boolean {
  return version !== undefined && HANDSHAKE_VERSIONS.includes(version);
}
