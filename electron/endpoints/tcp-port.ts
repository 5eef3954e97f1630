/**
 * The port on which MCP is spoken in lines over TCP. Nobody shows a token here, so each connection is a client of its own:
 * it has one default session, reaches what itself has opened and nothing else, and all of that ends with it.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import type { Client } from '../contract/model';
import type { TcpView } from '../contract/ports';
import type { Connection, Toolbox } from '../tools/tool';
import { converse } from './line-conversation';
import { LOOPBACK, listenOnLoopback } from './loopback';
import { ownerOf } from './mcp-exchange';
import type { McpServices } from './mcp-server';
import type { SideDoor } from './side-door';
import { opensAsWeb } from './web-opening';

/** As much as a request over HTTP may have. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

export interface TcpPortOptions extends McpServices {
  toolbox: Pick<Toolbox, 'connect'>;
  profile: string;
  /** The client that one connection is. @param name unlike those of all others */
  newClient: (name: string) => Client;
  /** Ends the sessions that a client has opened. */
  endSessions: (client: Client) => Promise<void>;
  /** `view` would answer something else now. */
  changed: () => void;
}

export class TcpPort implements SideDoor {
  readonly #options: TcpPortOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #conversations = new Set<Promise<void>>();
  #port: number | null = null;

  constructor(options: TcpPortOptions) {
    this.#options = options;
    // Messages are small and each is waited for: Nagle would cost 40 ms of each.
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  /** null while it does not listen. */
  get view(): TcpView | null {
    if (this.#port === null) return null;
    const { profile } = this.#options;
    return { host: LOOPBACK, port: this.#port, profile, connections: this.#sockets.size };
  }

  get address(): string | null {
    return this.#port === null ? null : `tcp://${LOOPBACK}:${this.#port}`;
  }

  async listen(port: number): Promise<void> {
    this.#port = await listenOnLoopback(this.#server, port, '--tcp-port');
    this.#options.changed();
  }

  async close(): Promise<void> {
    if (this.#port === null) return;
    this.#port = null;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    await Promise.all(this.#conversations);
  }

  #accept(socket: Socket): void {
    const { changed } = this.#options;
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      changed();
    });
    // A peer that went away is no news; what depends on it hears `close`.
    socket.on('error', () => socket.destroy());
    socket.once('data', (first) => {
      if (opensAsWeb(first)) return void socket.destroy();
      socket.pause();
      socket.unshift(first);
      this.#serve(socket);
    });
    changed();
  }

  #serve(socket: Socket): void {
    const conversation = this.#converse(socket).catch((error: unknown) => {
      this.#options.log.error('A connection over TCP failed', error);
      socket.destroy();
    });
    this.#conversations.add(conversation);
    void conversation.then(() => this.#conversations.delete(conversation));
  }

  async #converse(socket: Socket): Promise<void> {
    const { toolbox, profile, newClient, tasks, endSessions } = this.#options;
    const client = newClient(randomBytes(4).toString('hex'));
    const running = new Set<Promise<unknown>>();
    const connection = whose(toolbox.connect(client, { profile, shared: false }), running);
    await converse(this.#options, socket, { connection, client, endpoint: 'tcp' }, MAX_LINE_BYTES);
    tasks.end(ownerOf({ client, profile: null }));
    // A call that opens a session may still be at it.
    await Promise.allSettled(running);
    await endSessions(client);
  }
}

/** The connection, with its calls in `running` for as long as they run. */
function whose(connection: Connection, running: Set<Promise<unknown>>): Connection {
  const call: Connection['call'] = (...asked) => {
    const calling = connection.call(...asked);
    running.add(calling);
    return calling.finally(() => running.delete(calling));
  };
  return { ...connection, call };
}
