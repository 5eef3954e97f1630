/** A port or a socket of this computer on which a protocol of ours is spoken plainly: who is in, and how all of it ends. */
import { createServer, type Server, type Socket } from 'node:net';
import { listenOnLoopback } from './loopback';
import { listenOnSocket } from './own-socket';

export interface LoopbackSocketsOptions {
  /** The option that names the port or the socket, for messages. */
  option: string;
  /** Speaks with one peer; settles when all that was done for it has ended, and never fails.
   * @param known to be called when the peer has shown that it may be here, or has said something whole */
  serve: (socket: Socket, known: () => void) => Promise<void>;
  /** The port or the number of connections is another one now. */
  changed: () => void;
  /** Milliseconds after which a peer is let go that is not known by then; 30 s unless given. */
  strangerMs?: number;
}

/** Nobody knows who has connected before they speak, and so long a place is kept for them. */
const STRANGER_MS = 30_000;

export class LoopbackSockets {
  readonly #options: LoopbackSocketsOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #served = new Set<Promise<void>>();
  #port: number | null = null;
  #path: string | null = null;

  constructor(options: LoopbackSocketsOptions) {
    this.#options = options;
    // Messages are small and each is waited for: Nagle would cost 40 ms of each.
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  /** null while it does not listen at a port. */
  get port(): number | null {
    return this.#port;
  }

  /** Of its socket; null while it does not listen at one. */
  get path(): string | null {
    return this.#path;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** @param port 0 takes any free one @throws HarborError `port_in_use` */
  async listen(port: number): Promise<void> {
    this.#port = await listenOnLoopback(this.#server, port, this.#options.option);
    this.#options.changed();
  }

  /** @throws HarborError `bad_arguments`, `port_in_use` */
  async listenAt(path: string): Promise<void> {
    await listenOnSocket(this.#server, path, this.#options.option);
    this.#path = path;
    this.#options.changed();
  }

  /** Disconnects everybody; settles when all that was done for them has ended. */
  async close(): Promise<void> {
    if (this.#port === null && this.#path === null) return;
    this.#port = null;
    this.#path = null;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    await Promise.all(this.#served);
  }

  #accept(socket: Socket): void {
    const { serve, changed, strangerMs = STRANGER_MS } = this.#options;
    this.#sockets.add(socket);
    const stranger = setTimeout(() => socket.destroy(), strangerMs);
    const known = (): void => clearTimeout(stranger);
    socket.once('close', () => {
      known();
      this.#sockets.delete(socket);
      changed();
    });
    // A peer that went away is no news; what depends on it hears `close`.
    socket.on('error', () => socket.destroy());
    const served = serve(socket, known);
    this.#served.add(served);
    void served.then(() => this.#served.delete(served));
    changed();
  }
}

/** Record type of a TLS handshake (RFC 8446, section 5.1), and how the hello of SSL 2 began. */
const TLS_HANDSHAKE = 0x16;
const SSL2_HELLO = 0x80;

/**
 * Whether bytes that open a connection are HTTP (its methods are upper case, RFC 9110, section 9.1) or TLS: then a web
 * page may be behind them. A browser can be made to connect to any port of this computer, and the page has a say in what
 * it sends; but HTTP or TLS always come first, and no line protocol here begins like them. Pure.
 */
export function opensAsWeb(bytes: Uint8Array): boolean {
  const [first = 0] = bytes;
  const upperCase = first >= 0x41 && first <= 0x5a;
  return upperCase || first === TLS_HANDSHAKE || first === SSL2_HELLO;
}
