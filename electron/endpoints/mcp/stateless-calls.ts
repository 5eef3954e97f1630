/**
 * MCP over HTTP without a session.
 *
 * `ModernCalls` handles most tool calls of the 2026 era: a self-contained request whose response is one JSON
 * body. The SDK’s handler builds a `Request`, a `Response` with a stream, a server and a transport for each,
 * which took a quarter of an evaluation. Here one server handles them all, each under its own id. Other
 * requests go to the SDK’s handler.
 */

import {
  type JSONRPCMessage,
  type MessageExtraInfo,
  ProtocolErrorCode,
  type RequestId,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { onAbort } from '../../host/listeners';
import type { Toolbox } from '../../tools/toolbox';
import { disconnectSignal, refuse, sendText } from '../http/http-messages';
import { headerOf, type McpExchange, type McpServices, type SharedConnections } from './caller';
import { HarborServer } from './harbor-server';
import { isRecord } from './json-rpc';
import { mcpServer } from './mcp-server';
import { answeredBy, readMessages, UNNAMED_VERSION } from './messages';

const CALL = 'tools/call';
const PLAIN_KEYS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

interface PlainCall {
  id: RequestId;
  params: Record<string, unknown>;
}

/** Returns the call of a 2026-era request that the SDK classified, or null if it is not plain. */
export function plainCallIn(
  { req, body }: Pick<McpExchange, 'req' | 'body'>,
  version: string,
): PlainCall | null {
  if (!isRecord(body) || body.method !== CALL || !isRecord(body.params)) return null;
  const { id, params } = body;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  const { name, _meta: meta } = params;
  const isPlain =
    isRecord(meta) && !('progressToken' in meta) && Object.keys(params).every((key) => PLAIN_KEYS.has(key));
  const hasMatchingHeaders =
    headerOf(req, 'mcp-protocol-version') === version &&
    headerOf(req, 'mcp-method') === CALL &&
    headerOf(req, 'mcp-name') === name;
  return isPlain && hasMatchingHeaders ? { id, params } : null;
}

export class ModernCalls {
  readonly #channel = new CallChannel();
  readonly #served: ReturnType<typeof serveStdio>;

  constructor(makeServer: () => Server) {
    const serve = () => {
      const server = makeServer();
      if (server instanceof HarborServer) this.#channel.direct = server;
      return server;
    };
    this.#served = serveStdio(serve, { transport: this.#channel, legacy: 'reject' });
  }

  /** A client that disconnects cancels its call. */
  answer({ id, params }: PlainCall, res: McpExchange['res']): void {
    const own = this.#channel.request(params, (answer) => {
      if (res.writable)
        sendText(res, statusOf(answer), JSON.stringify({ ...answer, id }), 'application/json');
    });
    res.once('close', () => this.#channel.forget(own));
  }

  close(): Promise<void> {
    return this.#served.close();
  }
}

/**
 * Returns the HTTP status, as the SDK’s handler does (MCP 2026-07-28, basic/transports): an error of a call
 * is not an HTTP error.
 */
function statusOf(answer: JSONRPCMessage): number {
  const isMissing =
    'error' in answer && answer.error.code === ProtocolErrorCode.MissingRequiredClientCapability;
  return isMissing ? 400 : 200;
}

/** A transport that returns each response to the caller of `ask`. */
class CallChannel implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;
  /** Answers calls that need not pass through the SDK. */
  direct: HarborServer | undefined;
  readonly #pending = new Map<RequestId, (answer: JSONRPCMessage) => void>();
  #newest = 0;

  async start(): Promise<void> {
    // Nothing to open.
  }

  /** Sends responses only. These clients requested no progress. */
  async send(message: JSONRPCMessage): Promise<void> {
    this.#respond(message);
  }

  #respond(message: JSONRPCMessage): void {
    const id = answeredBy(message);
    if (id === undefined) return;
    const answer = this.#pending.get(id);
    this.#pending.delete(id);
    answer?.(message);
  }

  async close(): Promise<void> {
    this.#pending.clear();
    this.onclose?.();
  }

  /** @returns the id for `forget` */
  request(params: Record<string, unknown>, answer: (answer: JSONRPCMessage) => void): RequestId {
    this.#newest += 1;
    const id = this.#newest;
    this.#pending.set(id, answer);
    const message: JSONRPCMessage = { jsonrpc: '2.0', id, method: CALL, params };
    if (!this.direct?.answer(message, (response) => this.#respond(response))) this.onmessage?.(message);
    return id;
  }

  /** Discards the response. A running call is cancelled. */
  forget(id: RequestId): void {
    if (!this.#pending.delete(id)) return;
    const params = { requestId: id, reason: 'The client disconnected.' };
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }
}

/**
 * MCP over HTTP for clients that only post JSON-RPC: no `initialize`, no session header, no `Accept`. No MCP
 * revision allows this, but the documentation of one system shows such clients (checklist C2), and its
 * profile accepts them. All requests of a client share one connection.
 */
export class PlainCalls {
  readonly #services: McpServices;
  readonly #toolbox: Toolbox;
  readonly #connections: SharedConnections;

  constructor(services: McpServices, toolbox: Toolbox, connections: SharedConnections) {
    this.#services = services;
    this.#toolbox = toolbox;
    this.#connections = connections;
  }

  /** Reports whether the request is plain: its profile accepts such requests and it has no session. */
  accepts({ req, client, profile }: McpExchange): boolean {
    const { method, headers } = req;
    const plain = !('mcp-session-id' in headers) && !('mcp-protocol-version' in headers);
    return plain && method === 'POST' && this.#toolbox.takesPlainCalls(client, profile);
  }

  /**
   * Responds with one JSON body, or 202 if nothing is to be answered. A client that disconnects cancels its
   * calls.
   */
  async handle(exchange: McpExchange): Promise<void> {
    const { res, body } = exchange;
    const read = readMessages(body, UNNAMED_VERSION);
    if ('refused' in read) return refuse(res, 400, read.code, read.refused, { id: read.id });
    const disconnected = disconnectSignal(res);
    const answers = await Promise.all(
      read.messages.map((message) => this.#answer(exchange, message, disconnected)),
    );
    const sent = answers.filter((answer) => answer !== null);
    if (sent.length === 0) res.writeHead(202).end();
    else sendText(res, 200, JSON.stringify(read.batch ? sent : sent[0]), 'application/json');
  }

  async #answer(
    { client, profile }: McpExchange,
    message: JSONRPCMessage,
    disconnected: AbortSignal,
  ): Promise<JSONRPCMessage | null> {
    const connection = this.#connections.of(client, profile);
    const server = mcpServer(this.#services, { connection, client, endpoint: 'http', era: 'legacy' });
    const transport = new SingleExchange();
    await server.connect(transport);
    const removeListener = onAbort(disconnected, () => void server.close());
    const answer = await transport.exchange(message);
    removeListener();
    await server.close();
    return answer;
  }
}

/** A transport for one request and its response. */
class SingleExchange implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly #answer = Promise.withResolvers<JSONRPCMessage | null>();

  async start(): Promise<void> {
    // Nothing to open.
  }

  /** Sends the response only. Progress cannot be delivered to this client. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('id' in message && !('method' in message)) this.#answer.resolve(message);
  }

  async close(): Promise<void> {
    this.#answer.resolve(null);
    this.onclose?.();
  }

  exchange(message: JSONRPCMessage): Promise<JSONRPCMessage | null> {
    this.onmessage?.(message);
    if (!('id' in message)) this.#answer.resolve(null);
    return this.#answer.promise;
  }
}
