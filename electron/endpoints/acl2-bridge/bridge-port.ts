/** The port on which clients of the ACL2 Bridge find a world each. */
import { createServer, type Server, type Socket } from 'node:net';
import type { Acl2BridgeView } from '../../contract/ports';
import { LOOPBACK, listenOnLoopback } from '../loopback';
import type { SideDoor } from '../side-door';
import { BridgeConnection, type BridgeWorld, type ConnectionServices } from './connection';

export interface BridgePortOptions extends ConnectionServices {
  /** A world for one connection. */
  newWorld: () => BridgeWorld;
  /** `view` would answer something else now. */
  changed: () => void;
}

export class BridgePort implements SideDoor {
  readonly #options: BridgePortOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port: number | null = null;
  #workers = 0;

  constructor(options: BridgePortOptions) {
    this.#options = options;
    // Messages are small and each is waited for: Nagle would cost 40 ms of each.
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  /** null while it does not listen. */
  get view(): Acl2BridgeView | null {
    if (this.#port === null) return null;
    return { host: LOOPBACK, port: this.#port, connections: this.#sockets.size };
  }

  get address(): string | null {
    return this.#port === null ? null : `acl2-bridge://${LOOPBACK}:${this.#port}`;
  }

  async listen(port: number): Promise<void> {
    this.#port = await listenOnLoopback(this.#server, port, '--bridge-port');
    this.#options.changed();
  }

  async close(): Promise<void> {
    if (this.#port === null) return;
    this.#port = null;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    const { newWorld, changed, ...services } = this.#options;
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      changed();
    });
    new BridgeConnection(socket, newWorld(), services).serve(`bridge-worker-${this.#workers}`);
    this.#workers += 1;
    changed();
  }
}
