/** The port and the socket on which clients of the ACL2 Bridge find a world each. */
import type { Socket } from 'node:net';
import type { Acl2BridgeView } from '../../contract/ports';
import { LOOPBACK } from '../loopback';
import { LoopbackSockets } from '../loopback-sockets';
import type { ProtocolPort } from '../protocol-port';
import { BridgeConnection, type BridgeWorld, type ConnectionServices } from './bridge-connection';

export interface BridgePortOptions extends ConnectionServices {
  /** A world for one connection. */
  newWorld: () => BridgeWorld;
  /** `view` would answer something else now. */
  changed: () => void;
}

export class BridgePort implements ProtocolPort<Acl2BridgeView | null> {
  readonly #options: BridgePortOptions;
  readonly #sockets: LoopbackSockets;
  readonly #socket: LoopbackSockets;
  #workers = 0;

  constructor(options: BridgePortOptions) {
    this.#options = options;
    const serve = async (socket: Socket, known: () => void) => this.#serve(socket, known);
    const { changed } = options;
    this.#sockets = new LoopbackSockets({ option: '--bridge-port', serve, changed });
    this.#socket = new LoopbackSockets({ option: '--bridge-socket', serve, changed });
  }

  /** null while it does not listen. */
  get view(): Acl2BridgeView | null {
    const { port } = this.#sockets;
    const { path: socket } = this.#socket;
    const connections = this.#sockets.connections + this.#socket.connections;
    return port === null && socket === null ? null : { host: LOOPBACK, port, socket, connections };
  }

  get addresses(): string[] {
    const { port } = this.#sockets;
    const { path: socket } = this.#socket;
    return [
      ...(port === null ? [] : [`acl2-bridge://${LOOPBACK}:${port}`]),
      ...(socket === null ? [] : [socket]),
    ];
  }

  listen(port: number): Promise<void> {
    return this.#sockets.listen(port);
  }

  /** At a unix socket, which only this user can open, as well. @throws HarborError `bad_arguments`, `port_in_use` */
  listenAt(path: string): Promise<void> {
    return this.#socket.listenAt(path);
  }

  async close(): Promise<void> {
    await Promise.all([this.#sockets.close(), this.#socket.close()]);
  }

  #serve(socket: Socket, known: () => void): void {
    const { newWorld, changed: _changed, ...services } = this.#options;
    new BridgeConnection(socket, newWorld(), services).serve(`bridge-worker-${this.#workers}`, known);
    this.#workers += 1;
  }
}
