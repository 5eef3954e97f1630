/** The port of telnet: a REPL for each connection that knows the code. */
import type { Socket } from 'node:net';
import type { OneTimeCode } from '../../access/one-time-code';
import type { TelnetView } from '../../contract/ports';
import { LOOPBACK } from '../loopback';
import { LoopbackSockets } from '../loopback-sockets';
import type { ProtocolPort } from '../protocol-port';
import { TelnetConnection, type TelnetServices } from './telnet-connection';

export interface TelnetPortOptions extends Omit<TelnetServices, 'takeCode'> {
  code: OneTimeCode;
  /** `view` would answer something else now. */
  changed: () => void;
}

export class TelnetPort implements ProtocolPort<TelnetView | null> {
  readonly #options: TelnetPortOptions;
  readonly #sockets: LoopbackSockets;

  constructor(options: TelnetPortOptions) {
    this.#options = options;
    const serve = (socket: Socket, known: () => void) => this.#serve(socket, known);
    this.#sockets = new LoopbackSockets({ option: '--telnet-port', serve, changed: options.changed });
  }

  /** null while it does not listen. */
  get view(): TelnetView | null {
    const { port, connections } = this.#sockets;
    if (port === null) return null;
    return { host: LOOPBACK, port, code: this.#options.code.current, connections };
  }

  get addresses(): string[] {
    const { port } = this.#sockets;
    return port === null ? [] : [`telnet://${LOOPBACK}:${port}`];
  }

  listen(port: number): Promise<void> {
    return this.#sockets.listen(port);
  }

  close(): Promise<void> {
    return this.#sockets.close();
  }

  async #serve(socket: Socket, known: () => void): Promise<void> {
    const { code, changed, ...services } = this.#options;
    const takeCode = (typed: string): boolean => {
      if (!code.take(typed)) return false;
      known();
      changed();
      return true;
    };
    try {
      await new TelnetConnection(socket, { ...services, takeCode }).serve();
    } catch (error) {
      this.#options.log.error('A session over telnet could not be ended', error);
    }
  }
}
