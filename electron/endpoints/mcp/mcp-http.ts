/**
 * MCP over HTTP, both protocol eras on one endpoint (the SDK decides which a request belongs to): 2025 revisions
 * in sessions, 2026-07-28 request by request. In the latter nothing but the client connects two requests, so
 * each client has one connection per profile, shared by all its conversations.
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
import type { Toolbox } from '../../tools/connection';
import { goneSignal } from '../http/gone-signal';
import { refuse } from '../http/http-answer';
import { readJson } from '../http/http-body';
import { webRequest, writeResponse } from '../http/web-exchange';
import { idOf, isRecord, REFUSED } from './json-rpc';
import { changeBus } from './mcp-changes';
import type { McpServices } from './mcp-conversation';
import { headerOf, type McpExchange, type McpRequest, ownerOf } from './mcp-exchange';
import { HANDSHAKE_VERSIONS, type MakeServer, mcpServer } from './mcp-server';
import { McpSessions } from './mcp-sessions';
import { claimsVersion } from './messages';
import { ModernCalls, plainCallIn } from './modern-calls';
import { PlainCalls } from './plain-calls';
import type { SharedConnections } from './shared-connections';

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
   * @param connections shared by all conversations of a client; they end here
   * @param makeServer what answers behind the transport
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

  /** Answers a request that has passed every check but those of its body. */
  async serve(req: IncomingMessage, res: ServerResponse, { client, profile }: McpRequest): Promise<void> {
    const closed = new Promise((resolve) => res.once('close', resolve));
    const body = req.method === 'POST' ? await readJson(req) : { ok: true as const, value: undefined };
    if (!body.ok) return refuse(res, body.status, body.code, body.message);
    await this.#answer({ req, res, body: body.value, client, profile, closed });
  }

  /** A client that has not come yet is served from now on: its profile may have something to begin before it is asked. */
  expect(client: Client): void {
    this.#connections.of(client, null);
  }

  /** Ends all that one client holds here, as when its token was revoked. */
  endClient(clientKey: string): Promise<void> {
    return this.#end(clientKey);
  }

  /** Ends every stream at once, then every connection. */
  close(): Promise<void> {
    return this.#end(undefined);
  }

  /** Errors of the protocol are answers; what is thrown is a defect of ours. */
  async #answer(exchange: McpExchange): Promise<void> {
    const { req, res, body } = exchange;
    if (req.method !== 'POST' && headerOf(req, 'mcp-protocol-version') === SESSIONLESS_VERSION) {
      const headers = { allow: 'POST, OPTIONS' };
      return refuse(res, 405, REFUSED, `Method not allowed: ${SESSIONLESS_VERSION} has POST only.`, {
        headers,
      });
    }
    try {
      this.#toolbox.requireServed(exchange.client, exchange.profile);
      const kind = kindOf(exchange);
      if (kind !== 'legacy') await this.#answerModern(exchange, kind);
      else if (this.#plain.takes(exchange) && !isInitializeRequest(body)) await this.#plain.handle(exchange);
      else await this.#sessions.handle(exchange);
    } catch (error) {
      // The toolbox takes no such conversation from this client now; what it says is for a person to mend.
      if (!(error instanceof HarborError)) throw error;
      refuse(res, 403, REFUSED, `${error.code}: ${error.message}`, { id: idOf(body) });
    }
  }

  /** @param kind what the SDK takes it for */
  async #answerModern(exchange: McpExchange, kind: 'modern' | 'reject'): Promise<void> {
    const { req, res, body } = exchange;
    const { handler, calls } = this.#conversation(exchange);
    const call = plainCallIn(exchange, SESSIONLESS_VERSION);
    if (kind === 'modern' && call) return calls.answer(call, res);
    const request = webRequest(req, goneSignal(res));
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

/** The SDK tells to which era a request belongs. What is sent in a session says so itself, and is not looked through twice. */
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

/** As the SDK calls them. */
const ERA_HEADERS = {
  protocolVersionHeader: 'mcp-protocol-version',
  mcpMethodHeader: 'mcp-method',
  mcpNameHeader: 'mcp-name',
};

function isHandshakeVersion(version: string | undefined): boolean {
  return version !== undefined && HANDSHAKE_VERSIONS.includes(version);
}
