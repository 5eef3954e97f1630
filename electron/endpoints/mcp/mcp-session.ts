/** One conversation of the 2025 era over HTTP: a transport with what it sent lately, a server, a connection to the tools. */
import type { Server } from '@modelcontextprotocol/server';
import type { Connection } from '../../tools/connection';
import { tellChanges } from './mcp-changes';
import type { CallGate, McpServices } from './mcp-conversation';
import { type McpExchange, ownerOf } from './mcp-exchange';
import type { MakeServer } from './mcp-server';
import { ResourceInterest } from './resource-interest';
import { SessionTransport } from './session-transport';

export interface McpSessionOptions {
  services: McpServices;
  makeServer: MakeServer;
  /** The session's own. */
  connection: Connection;
  /** Its `initialize` was accepted: `id` names it from now on. */
  onBegun: (id: string) => void;
  /** It takes no requests any more. */
  onEnded: (id: string) => void;
}

export class McpSession {
  readonly owner: string;
  readonly clientKey: string;
  readonly #options: McpSessionOptions;
  readonly #transport: SessionTransport;
  readonly #server: Server;
  readonly #connected: Promise<void>;
  readonly #endChanges: () => void;
  #ended: Promise<void> | null = null;
  /** Answers and streams that are open, and calls that run. */
  #inUse = 0;

  /** @param exchange the `initialize` that begins it: client, scopes and profile are those of the session */
  constructor(exchange: McpExchange, options: McpSessionOptions) {
    const { services, makeServer, connection } = options;
    const { client } = exchange;
    this.owner = ownerOf(exchange);
    this.clientKey = client.key;
    this.#options = options;
    this.#transport = new SessionTransport(options.onBegun);
    // Every call passes the gate: while one does, somebody is there.
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
    this.#endChanges = tellChanges(this.#server, counting, caller);
    this.#server.onclose = () =>
      void this.end().catch((error) => services.log.error('Ending a session failed', error));
    this.#connected = this.#server.connect(this.#transport);
  }

  /** Whether anybody waits for it, or code runs in its name. One that is not in use may yet be asked again. */
  get inUse(): boolean {
    return this.#inUse > 0;
  }

  async handle(exchange: McpExchange): Promise<void> {
    void this.#while(exchange.closed);
    await this.#connected;
    if (exchange.req.method === 'DELETE') return this.#leave(exchange);
    this.#transport.handle(exchange);
    // Refused before it began, for instance because of its Accept header.
    if (this.#transport.sessionId === undefined) await this.end();
  }

  /** The answer waits until what the session held is gone. */
  async #leave(exchange: McpExchange): Promise<void> {
    if (!(await this.#transport.leave(exchange))) return;
    await this.#ended;
    exchange.res.writeHead(200).end();
  }

  /** Ends the conversation, once, and what belongs to it alone; settles when that has ended too. */
  end(): Promise<void> {
    return this.#close(() => this.#options.connection.end());
  }

  /** Ends the conversation and leaves its Lisp session to the client, which reaches it by its handle. */
  giveBack(): Promise<void> {
    return this.#close();
  }

  #close(afterwards?: () => Promise<void>): Promise<void> {
    this.#endChanges();
    if (this.#transport.sessionId !== undefined) this.#options.onEnded(this.#transport.sessionId);
    // A microtask later: closing the server comes back here through its onclose.
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
