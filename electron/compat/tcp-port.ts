/**
 * The port for MCP in lines over TCP. Peers show no token, so each connection is its own client: it has one
 * default session, reaches only what it opened itself, and all of that ends with it.
 */

import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TcpView } from '../contract/harbor-status';
import type { Client } from '../contract/model';
import { LOOPBACK, LoopbackSockets, opensAsWeb, type ProtocolPort } from '../endpoints/loopback';
import { type McpServices, ownerOf } from '../endpoints/mcp/caller';
import { converse } from '../endpoints/mcp/line-conversation';

import type { Connection, Toolbox } from '../tools/toolbox';

/** Same limit as for a request over HTTP. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

export interface TcpPortOptions extends McpServices {
  toolbox: Pick<Toolbox, 'connect'>;
  profile: string;
  /**
   * Creates the client of one connection.
   * @param name unique among all connections
   */
  newClient: (name: string) => Client;
  /** Ends the sessions that a client has opened. */
  endSessions: (client: Client) => Promise<void>;
  /** Called when `view` has changed. */
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

  /** null while the port is closed. */
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

  /** Serves MCP unless the first bytes are HTTP or TLS, which a web page could send. */
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
    const connection = trackingCalls(toolbox.connect(client, { profile, shared: false }), running);
    await converse(this.#options, socket, { connection, client, endpoint: 'tcp' }, MAX_LINE_BYTES, known);
    tasks.end(ownerOf({ client, profile: null }));
    // A call that opens a session may still be running.
    await Promise.allSettled(running);
    await endSessions(client);
  }
}

/** Returns the first bytes of a peer without consuming them; null if it disconnects without any. */
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

/** Returns the connection, with its running calls in `running`. */
function trackingCalls(connection: Connection, running: Set<Promise<unknown>>): Connection {
  const call: Connection['call'] = (...args) => {
    const calling = connection.call(...args);
    running.add(calling);
    return calling.finally(() => running.delete(calling));
  };
  return { ...connection, call };
}
