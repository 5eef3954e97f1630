/**
 * The port on which MCP is spoken in lines over TCP. Nobody shows a token here, so each connection is a client of its own:
 * it has one default session, reaches what itself has opened and nothing else, and all of that ends with it.
 */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Client } from '../../contract/model';
import type { TcpView } from '../../contract/ports';
import type { Connection, Toolbox } from '../../tools/connection';
import { LOOPBACK } from '../loopback';
import { LoopbackSockets, opensAsWeb } from '../loopback-sockets';
import { converse } from '../mcp/line-conversation';
import type { McpServices } from '../mcp/mcp-conversation';
import { ownerOf } from '../mcp/mcp-exchange';
import type { ProtocolPort } from '../protocol-port';

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

export class TcpPort implements ProtocolPort<TcpView | null> {
  readonly #options: TcpPortOptions;
  readonly #sockets: LoopbackSockets;

  constructor(options: TcpPortOptions) {
    this.#options = options;
    const serve = (socket: Socket, known: () => void) => this.#serve(socket, known);
    this.#sockets = new LoopbackSockets({ option: '--tcp-port', serve, changed: options.changed });
  }

  /** null while it does not listen. */
  get view(): TcpView | null {
    const { port, connections } = this.#sockets;
    return port === null ? null : { host: LOOPBACK, port, profile: this.#options.profile, connections };
  }

  get addresses(): string[] {
    const { port } = this.#sockets;
    return port === null ? [] : [`tcp://${LOOPBACK}:${port}`];
  }

  listen(port: number): Promise<void> {
    return this.#sockets.listen(port);
  }

  close(): Promise<void> {
    return this.#sockets.close();
  }

  /** Begins with the first bytes: a web page may be behind the connection. */
  async #serve(socket: Socket, known: () => void): Promise<void> {
    const first = await firstBytes(socket);
    if (first === null) return;
    if (opensAsWeb(first)) return void socket.destroy();
    try {
      await this.#converse(socket, known);
    } catch (error) {
      this.#options.log.error('A connection over TCP failed', error);
      socket.destroy();
    }
  }

  async #converse(socket: Socket, known: () => void): Promise<void> {
    const { toolbox, profile, newClient, tasks, endSessions } = this.#options;
    const client = newClient(randomBytes(4).toString('hex'));
    const running = new Set<Promise<unknown>>();
    const connection = whose(toolbox.connect(client, { profile, shared: false }), running);
    await converse(this.#options, socket, { connection, client, endpoint: 'tcp' }, MAX_LINE_BYTES, known);
    tasks.end(ownerOf({ client, profile: null }));
    // A call that opens a session may still be at it.
    await Promise.allSettled(running);
    await endSessions(client);
  }
}

/** What a peer says first, which can be read again; null for one that leaves without a word. */
function firstBytes(socket: Socket): Promise<Buffer | null> {
  return new Promise((resolve) => {
    socket.once('data', (first) => {
      socket.pause();
      socket.unshift(first);
      resolve(first);
    });
    socket.once('close', () => resolve(null));
  });
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
