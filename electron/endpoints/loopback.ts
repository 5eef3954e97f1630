/** Servers that listen only on this machine, on a port of 127.0.0.1 or a unix socket. */
import { lstat, unlink } from 'node:fs/promises';
import { connect, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { HarborError } from '../contract/errors';
import { addListeners } from '../host/listeners';
import { system } from '../host/system';

interface LoopbackSocketsOptions {
  /** The option that names the port or socket, for error messages. */
  option: string;
  /**
   * Serves one connection. Resolves when its work has ended. Never rejects.
   * @param onKnown called when the peer is authenticated or sent a complete request
   */
  serve: (socket: Socket, onKnown: () => void) => Promise<void>;
  /** Called when the port or the number of connections changed. */
  changed: () => void;
  /** Time limit for an unauthenticated peer, in milliseconds. The default is 30 s. */
  unauthenticatedTimeoutMs?: number;
}

/** Default time limit for unauthenticated peers, in milliseconds. */
const UNAUTHENTICATED_TIMEOUT_MS = 30_000;

export class LoopbackSockets {
  readonly #options: LoopbackSocketsOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #served = new Set<Promise<void>>();
  #port: number | null = null;
  #path: string | null = null;

  constructor(options: LoopbackSocketsOptions) {
    this.#options = options;
    // Messages are small and each is waited for. Nagle’s algorithm would add 40 ms to each.
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  /** null while it does not listen on a port. */
  get port(): number | null {
    return this.#port;
  }

  /** Path of its unix socket; null while it does not listen on one. */
  get path(): string | null {
    return this.#path;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /**
   * @param port 0 takes any free port
   * @throws HarborError `port_in_use`
   */
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

  /** Closes all connections. Resolves when the work of each has ended. */
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
    const { serve, changed, unauthenticatedTimeoutMs = UNAUTHENTICATED_TIMEOUT_MS } = this.#options;
    this.#sockets.add(socket);
    const timer = setTimeout(() => socket.destroy(), unauthenticatedTimeoutMs);
    const onKnown = (): void => clearTimeout(timer);
    socket.once('close', () => {
      onKnown();
      this.#sockets.delete(socket);
      changed();
    });
    // A disconnected peer is not an error. Each handler listens for `close`.
    socket.on('error', () => socket.destroy());
    const served = serve(socket, onKnown);
    this.#served.add(served);
    void served.then(() => this.#served.delete(served));
    changed();
  }
}

/** Record type of a TLS handshake (RFC 8446, section 5.1), and the first byte of an SSL 2 hello. */
const TLS_HANDSHAKE = 0x16;
const SSL2_HELLO = 0x80;

/**
 * Reports whether the first bytes of a connection are HTTP (RFC 9110, section 9.1: methods are upper case) or
 * TLS. A web page can make a browser connect to any local port and controls part of what is sent, but HTTP or
 * TLS always come first. No line protocol here begins like them. Pure.
 */
export function opensAsWeb(bytes: Uint8Array): boolean {
  const [first = 0] = bytes;
  const upperCase = first >= 0x41 && first <= 0x5a;
  return upperCase || first === TLS_HANDSHAKE || first === SSL2_HELLO;
}

export const LOOPBACK = '127.0.0.1';

/**
 * Listens on 127.0.0.1.
 * @param port 0 takes any free port
 * @param option the option that names the port, for the error message
 * @returns the port
 * @throws HarborError `port_in_use`
 */
export async function listenOnLoopback(server: Server, port: number, option: string): Promise<number> {
  await listen(server, { port, host: LOOPBACK, exclusive: true }).catch((error: NodeJS.ErrnoException) => {
    throw asHarborError(error, port, option);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Resolves when the server listens. @throws the system's error */
export function listen(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      remove();
      act();
    };
    const remove = addListeners(server, (on) => {
      on('listening', () => settle(resolve));
      on('error', (error: Error) => settle(() => reject(error)));
    });
    server.listen(options);
  });
}

function asHarborError(error: NodeJS.ErrnoException, port: number, option: string): Error {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return error;
  const why = error.code === 'EACCES' ? 'cannot be opened by this user' : 'is in use by another program';
  return new HarborError(
    'port_in_use',
    `Port ${port} ${why}. Choose another with ${option} N; ${option} 0 takes any free one.`,
  );
}

/** File mode mask: only the owner may read and write. */
const PRIVATE = 0o177;

/**
 * Listens on a unix socket that only this user can open. A stale socket is replaced; any other file is left
 * alone.
 * @param option the option that names the socket, for error messages
 * @throws HarborError `port_in_use` if a server answers there; `bad_arguments` if another file exists or the
 *   socket cannot be created
 */
async function listenOnSocket(server: Server, path: string, option: string): Promise<void> {
  if (!system.isUnix)
    throw new HarborError(
      'bad_arguments',
      `${option}: unix sockets are not supported on Windows. Use a port.`,
    );
  await freeSocket(path, option);
  // `listen` creates the socket synchronously, so it never has a wider mode.
  const mask = process.umask(PRIVATE);
  const listening = listen(server, { path });
  process.umask(mask);
  await listening.catch(({ message }: Error) => {
    throw new HarborError('bad_arguments', `${option} ${path} cannot be opened: ${message}.`);
  });
}

async function freeSocket(path: string, option: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isSocket())
    throw new HarborError(
      'bad_arguments',
      `${option} ${path}: another file exists there. It was not changed. Name another path.`,
    );
  if (await answers(path))
    throw new HarborError(
      'port_in_use',
      `${option} ${path}: another program listens there. Name another path.`,
    );
  await unlink(path);
}

/** Reports whether a server accepts connections at a socket. */
export function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socketPath);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

/**
 * A port for a protocol without clients of its own. It is closed unless an option or the window opens it.
 * @template View what the window shows of it; null or an empty list while it is closed
 */
export interface ProtocolPort<View = unknown> {
  readonly view: View;
  /** URLs at which it can be reached; empty while it is closed. */
  readonly addresses: readonly string[];
  /**
   * @param port 0 takes any free port
   * @throws HarborError `port_in_use`
   */
  listen(port: number): Promise<void>;
  /** Closes the port and ends what runs for its connections. */
  close(): Promise<void>;
}
