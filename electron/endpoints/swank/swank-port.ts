/** One port on which Emacs finds an image: SLIME's connections come in here and are handed to the image's own Swank. */
import { createServer, type Server, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { asFailure } from '../../contract/errors';
import type { SwankView } from '../../contract/ports';
import type { Log } from '../../host/log';
import { LOOPBACK, listenOnLoopback } from '../loopback';
import { callerAt } from './swank-hello';

/** The image that is served, whichever it is at the time. */
export interface SwankHost {
  /** The session that it belongs to; null when none was opened yet. */
  readonly session: string | null;
  /** What whoever connects must be told of the image that they have connected to. */
  readonly notes: readonly string[];
  /** Makes Swank ready. @returns the version of SLIME @throws HarborError why it cannot be */
  start(): Promise<string | null>;
  /** @throws HarborError as `start` */
  connect(): Promise<Duplex>;
  /** Ends all connections; answers the names of threads that go on all the same. */
  stop(): Promise<string[]>;
}

export interface SwankPortOptions {
  host: SwankHost;
  log: Log;
  /** `view` would answer something else now. */
  changed: () => void;
  helloTimeoutMs?: number;
}

/** How long whoever connects may take to say something, in milliseconds. SLIME speaks at once. */
const HELLO_TIMEOUT_MS = 10_000;

/** Slynk is another server than Swank, and no image of ours has it. */
const SLY =
  'this is SLY, and what answers here is Swank, the server of SLIME. Connect with SLIME instead: M-x slime-connect, ' +
  'with the same host and port. Both can be installed in one Emacs.';

export class SwankPort {
  readonly #options: SwankPortOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;
  #version: string | null = null;
  #connections = 0;

  constructor(options: SwankPortOptions) {
    this.#options = options;
    // SLIME writes small messages and waits for each answer: Nagle would cost 40 ms of each.
    this.#server = createServer({ noDelay: true }, (socket) => void this.#accept(socket));
  }

  get session(): string | null {
    return this.#options.host.session;
  }

  get view(): SwankView {
    return {
      session: this.session,
      host: LOOPBACK,
      port: this.#port,
      version: this.#version,
      connections: this.#connections,
    };
  }

  /** Makes Swank ready before anybody connects. @throws HarborError as SwankHost.start */
  async prepare(): Promise<void> {
    this.#version = await this.#options.host.start();
  }

  /** @param port 0 takes any free one @throws HarborError `port_in_use` */
  async listen(port: number): Promise<number> {
    this.#port = await listenOnLoopback(this.#server, port, '--swank-port');
    return this.#port;
  }

  /** Lets nobody in any more and disconnects those who are. */
  async shut(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** As `shut`, and ends what they run in the image; answers the names of threads that go on all the same. */
  async close(): Promise<string[]> {
    await this.shut();
    return this.#options.host.stop();
  }

  async #accept(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // A peer that went away is no news; what depends on it hears `close`.
    socket.on('error', () => socket.destroy());
    const caller = await callerAt(socket, this.#options.helloTimeoutMs ?? HELLO_TIMEOUT_MS);
    if (caller === 'slime') await this.#join(socket);
    else if (caller === 'sly') refuse(socket, SLY);
    else socket.destroy();
  }

  async #join(socket: Socket): Promise<void> {
    const { host, log, changed } = this.#options;
    try {
      const image = await host.connect();
      this.#version = await host.start();
      this.#connections += 1;
      changed();
      for (const note of host.notes) socket.write(messageForEmacs(note));
      join(socket, image, () => {
        this.#connections -= 1;
        changed();
      });
    } catch (error) {
      const { code, message } = asFailure(error);
      if (code === 'internal') log.error('A connection of SLIME failed', error);
      refuse(socket, message);
    }
  }
}

/** Has Emacs show why it is not let in. */
function refuse(socket: Socket, reason: string): void {
  // What it has sent is read to the end, or the reset of the connection would overtake the message.
  socket.resume().end(messageForEmacs(reason));
}

/** Carries both ways until either end is gone, and then ends the other. */
function join(socket: Socket, image: Duplex, ended: () => void): void {
  image.once('close', ended);
  const gone = (): void => {
    socket.destroy();
    image.destroy();
  };
  pipeline(socket, image, gone);
  pipeline(image, socket, gone);
}

/** What Emacs shows in its echo area, whole (`:debug-condition` of SLIME and SLY), framed as all of its messages are. */
function messageForEmacs(text: string): Buffer {
  const shown = `Lisp Harbor: ${text}`.replaceAll(/["\\]/g, '\\$&');
  const message = Buffer.from(`(:debug-condition 0 "${shown}")`);
  return Buffer.concat([Buffer.from(message.length.toString(16).padStart(6, '0')), message]);
}
