/**
 * MCP over HTTP for clients that only post JSON-RPC: no `initialize`, no session header, no `Accept`. No revision of MCP
 * knows them; the documents of one system print such clients (checklist C2), and its profile takes them. What connects
 * two of their requests is the client alone, which has one connection.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { Toolbox } from '../../tools/connection';
import { goneSignal } from '../http/gone-signal';
import { refuse, sendText } from '../http/http-answer';
import type { McpServices } from './mcp-conversation';
import type { McpExchange } from './mcp-exchange';
import { mcpServer } from './mcp-server';
import { readMessages, UNNAMED_VERSION } from './messages';
import type { SharedConnections } from './shared-connections';

export class PlainCalls {
  readonly #services: McpServices;
  readonly #toolbox: Toolbox;
  readonly #connections: SharedConnections;

  constructor(services: McpServices, toolbox: Toolbox, connections: SharedConnections) {
    this.#services = services;
    this.#toolbox = toolbox;
    this.#connections = connections;
  }

  /** Whether the request is for this: of a profile that takes such, and of no session. */
  takes({ req, client, profile }: McpExchange): boolean {
    const { method, headers } = req;
    const plain = !('mcp-session-id' in headers) && !('mcp-protocol-version' in headers);
    return plain && method === 'POST' && this.#toolbox.takesPlainCalls(client, profile);
  }

  /** Answers in one piece of JSON; 202 to what asks for no answer. A caller that goes away cancels its call. */
  async handle(exchange: McpExchange): Promise<void> {
    const { res, body } = exchange;
    const read = readMessages(body, UNNAMED_VERSION);
    if ('refused' in read) return refuse(res, 400, read.code, read.refused, { id: read.id });
    const gone = goneSignal(res);
    const answers = await Promise.all(read.messages.map((message) => this.#answer(exchange, message, gone)));
    const given = answers.filter((answer) => answer !== null);
    if (given.length === 0) res.writeHead(202).end();
    else sendText(res, 200, JSON.stringify(read.batch ? given : given[0]), 'application/json');
  }

  async #answer(
    { client, profile }: McpExchange,
    message: JSONRPCMessage,
    gone: AbortSignal,
  ): Promise<JSONRPCMessage | null> {
    const connection = this.#connections.of(client, profile);
    const server = mcpServer(this.#services, { connection, client, endpoint: 'http', era: 'legacy' });
    const transport = new SingleExchange();
    await server.connect(transport);
    gone.addEventListener('abort', () => void server.close(), { once: true });
    const answer = await transport.exchange(message);
    await server.close();
    return answer;
  }
}

/** One request in, its answer out. */
class SingleExchange implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly #answer = Promise.withResolvers<JSONRPCMessage | null>();

  async start(): Promise<void> {
    // There is nothing to open.
  }

  /** What is sent beside the answer, such as progress, has no way to this client. */
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
