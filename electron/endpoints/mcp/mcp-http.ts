/**
 * MCP over HTTP, both protocol eras on one endpoint (the SDK decides which a request belongs to): 2025 revisions
 * in sessions, 2026-07-28 request by request. In the latter nothing but the client connects two requests, so
 * each client has one connection per profile, shared by all its conversations.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { HarborError } from '../../contract/errors';
import type { Client } from '../../contract/model';
import type { Toolbox } from '../../tools/connection';
import { refuse } from '../http/http-answer';
import { readJson } from '../http/http-body';
import { errorResponse, goneSignal, webRequest, writeResponse } from '../http/web-exchange';
import { idOf, REFUSED } from './json-rpc';
import { changeBus } from './mcp-changes';
import type { McpServices } from './mcp-conversation';
import { type McpExchange, type McpRequest, ownerOf } from './mcp-exchange';
import { type MakeServer, mcpServer } from './mcp-server';
import { McpSessions } from './mcp-sessions';
import { PlainCalls } from './plain-calls';
import type { SharedConnections } from './shared-connections';

const SESSIONLESS_VERSION = '2026-07-28';

interface SharedConversation {
  clientKey: string;
  handler: McpHttpHandler;
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
    const gone = goneSignal(res);
    const closed = new Promise((resolve) => res.once('close', resolve));
    const body = req.method === 'POST' ? await readJson(req) : { ok: true as const, value: undefined };
    if (!body.ok) return refuse(res, body.status, body.code, body.message);
    const exchange = { request: webRequest(req, gone), body: body.value, client, profile, closed };
    await writeResponse(await this.#answer(exchange), res);
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

  /** Errors of the protocol are responses; what is thrown is a defect of ours. */
  async #answer(exchange: McpExchange): Promise<Response> {
    const { request, body } = exchange;
    if (request.method !== 'POST' && request.headers.get('mcp-protocol-version') === SESSIONLESS_VERSION) {
      const headers = { allow: 'POST, OPTIONS' };
      return errorResponse(405, REFUSED, `Method not allowed: ${SESSIONLESS_VERSION} has POST only.`, {
        headers,
      });
    }
    const legacy = await isLegacyRequest(request, body);
    try {
      this.#toolbox.requireServed(exchange.client, exchange.profile);
      if (legacy && !isInitializeRequest(body) && this.#plain.takes(exchange))
        return await this.#plain.handle(exchange);
      if (legacy) return await this.#sessions.handle(exchange);
      return await this.#conversation(exchange).handler.fetch(request, { parsedBody: body });
    } catch (error) {
      // The toolbox takes no such conversation from this client now; what it says is for a person to mend.
      if (!(error instanceof HarborError)) throw error;
      return errorResponse(403, REFUSED, `${error.code}: ${error.message}`, { id: idOf(body) });
    }
  }

  #conversation(exchange: McpExchange): SharedConversation {
    const owner = ownerOf(exchange);
    const known = this.#shared.get(owner);
    if (known !== undefined) return known;
    const { client, profile } = exchange;
    const connection = this.#connections.of(client, profile);
    const caller = { connection, client, endpoint: 'http', era: 'modern' } as const;
    const handler = createMcpHandler(() => this.#makeServer(this.#services, caller), {
      legacy: 'reject',
      bus: changeBus(connection),
    });
    const conversation = { clientKey: client.key, handler };
    this.#shared.set(owner, conversation);
    return conversation;
  }

  async #end(clientKey: string | undefined): Promise<void> {
    const ending = [...this.#shared].filter(
      ([, { clientKey: key }]) => clientKey === undefined || key === clientKey,
    );
    for (const [owner] of ending) this.#shared.delete(owner);
    await Promise.all([this.#sessions.end(clientKey), ...ending.map(([, { handler }]) => handler.close())]);
    await this.#connections.end(clientKey);
  }
}
