/** The port of telnet: a REPL for each connection that knows the code. */
import { createServer, type Server, type Socket } from 'node:net';
import type { OneTimeCode } from '../../access/one-time-code';
import type { TelnetView } from '../../contract/ports';
import { LOOPBACK, listenOnLoopback } from '../loopback';
import type { SideDoor } from '../side-door';
import { TelnetConnection, type TelnetServices } from './telnet-connection';

export interface TelnetPortOptions extends Omit<TelnetServices, 'takeCode'> {
  code: OneTimeCode;
  /** `view` would answer something else now. */
  changed: () => void;
}

export class TelnetPort implements SideDoor {
  readonly #options: TelnetPortOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Set<Promise<void>>();
  #port: number | null = null;

  constructor(options: TelnetPortOptions) {
    this.#options = options;
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  /** null while it does not listen. */
  get view(): TelnetView | null {
    if (this.#port === null) return null;
    const { current: code } = this.#options.code;
    return { host: LOOPBACK, port: this.#port, code, connections: this.#sockets.size };
  }

  get address(): string | null {
    return this.#port === null ? null : `telnet://${LOOPBACK}:${this.#port}`;
  }

  async listen(port: number): Promise<void> {
    this.#port = await listenOnLoopback(this.#server, port, '--telnet-port');
    this.#options.changed();
  }

  async close(): Promise<void> {
    if (this.#port === null) return;
    this.#port = null;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    await Promise.all(this.#connections);
  }

  #accept(socket: Socket): void {
    const { code, changed, ...services } = this.#options;
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      changed();
    });
    // A peer that went away is no news; what depends on it hears `close`.
    socket.on('error', () => socket.destroy());
    const takeCode = (typed: string): boolean => {
      const taken = code.take(typed);
      if (taken) changed();
      return taken;
    };
    this.#keep(new TelnetConnection(socket, { ...services, takeCode }).serve());
    changed();
  }

  #keep(serving: Promise<void>): void {
    const connection = serving.catch((error: unknown) =>
      this.#options.log.error('A session over telnet could not be ended', error),
    );
    this.#connections.add(connection);
    void connection.then(() => this.#connections.delete(connection));
  }
}
