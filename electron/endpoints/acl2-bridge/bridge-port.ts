/** The port on which clients of the ACL2 Bridge find a world each. */
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
  #workers = 0;

  constructor(options: BridgePortOptions) {
    this.#options = options;
    const serve = async (socket: Socket, known: () => void) => this.#serve(socket, known);
    this.#sockets = new LoopbackSockets({ option: '--bridge-port', serve, changed: options.changed });
  }

  /** null while it does not listen. */
  get view(): Acl2BridgeView | null {
    const { port, connections } = this.#sockets;
    return port === null ? null : { host: LOOPBACK, port, connections };
  }

  get addresses(): string[] {
    const { port } = this.#sockets;
    return port === null ? [] : [`acl2-bridge://${LOOPBACK}:${port}`];
  }

  listen(port: number): Promise<void> {
    return this.#sockets.listen(port);
  }

  close(): Promise<void> {
    return this.#sockets.close();
  }

  #serve(socket: Socket, known: () => void): void {
    const { newWorld, changed: _changed, ...services } = this.#options;
    new BridgeConnection(socket, newWorld(), services).serve(`bridge-worker-${this.#workers}`, known);
    this.#workers += 1;
  }
}
