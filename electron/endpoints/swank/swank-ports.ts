/** The ports for Emacs: those that the user opened for sessions, and the one of `--swank-port`. */

import { createServer, type Server, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { asFailure, HarborError } from '../../contract/errors';
import type { SwankView } from '../../contract/harbor-status';
import { type Note, noteTexts } from '../../contract/note';
import { addListeners } from '../../host/listeners';
import type { Log } from '../../host/log';
import { LOOPBACK, listenOnLoopback, type ProtocolPort } from '../loopback';
import { EditorConversation, messageForEmacs } from './editor-frames';

interface SwankPortsOptions {
  /** Returns the image of a session. @throws HarborError `unknown_session`, `not_supported` */
  hostOf: (session: string) => Promise<SwankHost>;
  /** Returns the image of the `--swank-port` port, which opens a session on first use. */
  defaultHost: () => SwankHost;
  /** Returns why the user lets no client evaluate now; null if they may. */
  refusal: () => string | null;
  log: Log;
  /** Called when `view` changed. */
  changed: () => void;
}

export class SwankPorts implements ProtocolPort<SwankView[]> {
  readonly #options: SwankPortsOptions;
  readonly #ports = new Set<SwankPort>();
  readonly #starting = new Map<string, Promise<SwankView>>();
  #ended = false;

  constructor(options: SwankPortsOptions) {
    this.#options = options;
  }

  /** All ports, that of `--swank-port` first. */
  get view(): SwankView[] {
    return [...this.#ports].map((port) => port.view);
  }

  get addresses(): string[] {
    return this.view.map(({ host, port }) => `swank://${host}:${port}`);
  }

  /**
   * Starts Swank in the session and opens a port for it, or returns the open one.
   * @throws HarborError as SwankHost.start
   */
  async start(session: string): Promise<SwankView> {
    const open = this.#of(session);
    if (open) return open.view;
    const starting = this.#starting.get(session) ?? this.#start(session);
    this.#starting.set(session, starting);
    return starting.finally(() => this.#starting.delete(session));
  }

  /** Opens the port of `--swank-port`. Swank starts when a client connects. */
  async listen(port: number): Promise<void> {
    const opened = this.#portFor(this.#options.defaultHost());
    await opened.listen(port);
    this.#add(opened);
  }

  /** Closes the session’s port. Returns the names of threads that continue. */
  async stop(session: string): Promise<string[]> {
    const port = this.#remove(session);
    return port ? port.close() : [];
  }

  /** Called when a session ended. Closes its port. */
  async ended(session: string): Promise<void> {
    await this.#remove(session)?.shut();
  }

  /** Closes all ports and refuses to open more. The images are stopped elsewhere. */
  async close(): Promise<void> {
    this.#ended = true;
    await Promise.all([...this.#ports].map((port) => port.shut()));
  }

  async #start(session: string): Promise<SwankView> {
    const port = this.#portFor(await this.#options.hostOf(session));
    await port.prepare();
    if (this.#ended) throw new HarborError('session_ended', 'The harbor is stopping. No port can be opened.');
    await port.listen(0);
    return this.#add(port);
  }

  #portFor(host: SwankHost): SwankPort {
    const { refusal, log, changed } = this.#options;
    return new SwankPort({ host, refusal, log, changed });
  }

  #add(port: SwankPort): SwankView {
    this.#ports.add(port);
    this.#options.changed();
    return port.view;
  }

  /** Removes and returns the session’s port. */
  #remove(session: string): SwankPort | undefined {
    const port = this.#of(session);
    if (port && this.#ports.delete(port)) this.#options.changed();
    return port;
  }

  #of(session: string): SwankPort | undefined {
    return [...this.#ports].find((port) => port.session === session);
  }
}

/** The image that a port serves. It may change. */
interface SwankHost {
  /** The session of the image; null before one was opened. */
  readonly session: string | null;
  /** Notes about the image, for a new connection. */
  readonly notes: readonly Note[];
  /**
   * Starts Swank in the image.
   * @returns the version of SLIME
   * @throws HarborError why it could not be started
   */
  start(): Promise<string | null>;
  /** @throws HarborError as `start` */
  connect(): Promise<Duplex>;
  /** Closes all connections. Returns the names of threads that continue. */
  stop(): Promise<string[]>;
}

interface SwankPortOptions extends Pick<SwankPortsOptions, 'refusal'> {
  host: SwankHost;
  log: Log;
  /** Called when `view` changed. */
  changed: () => void;
  helloTimeoutMs?: number;
}

/** Time in which a new connection must send its first message, in milliseconds. SLIME sends it at once. */
const HELLO_TIMEOUT_MS = 10_000;

/** Sent to SLY, whose server Slynk is not Swank. */
const SLY_REFUSAL =
  'this is SLY, but this port serves Swank, the server of SLIME. Connect with SLIME instead: M-x ' +
  'slime-connect, with the same host and port. Both can be installed in one Emacs.';

/** A port for Emacs: accepts connections of SLIME and exchanges their messages with the image’s own Swank. */
class SwankPort {
  readonly #options: SwankPortOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;
  #version: string | null = null;
  #connections = 0;

  constructor(options: SwankPortOptions) {
    this.#options = options;
    // SLIME sends small messages and waits for each response. Nagle’s algorithm would add 40 ms to each.
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

  /** Starts Swank before a client connects. @throws HarborError as SwankHost.start */
  async prepare(): Promise<void> {
    this.#version = await this.#options.host.start();
  }

  /**
   * @param port 0 takes any free port
   * @throws HarborError `port_in_use`
   */
  async listen(port: number): Promise<number> {
    this.#port = await listenOnLoopback(this.#server, port, '--swank-port');
    return this.#port;
  }

  /** Stops listening and closes all connections. */
  async shut(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /**
   * As `shut`, and also ends what the connections run in the image. Returns the names of threads that
   * continue.
   */
  async close(): Promise<string[]> {
    await this.shut();
    return this.#options.host.stop();
  }

  async #accept(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // A disconnected peer is not an error. Each handler listens for `close`.
    socket.on('error', () => socket.destroy());
    const caller = await callerAt(socket, this.#options.helloTimeoutMs ?? HELLO_TIMEOUT_MS);
    if (caller === 'slime') await this.#join(socket);
    else if (caller === 'sly') refuse(socket, SLY_REFUSAL);
    else socket.destroy();
  }

  async #join(socket: Socket): Promise<void> {
    const { host, refusal, log, changed } = this.#options;
    try {
      const image = await host.connect();
      this.#version = await host.start();
      this.#connections += 1;
      changed();
      for (const text of noteTexts(host.notes)) socket.write(messageForEmacs(text));
      image.once('close', () => {
        this.#connections -= 1;
        changed();
      });
      join(socket, image, refusal);
    } catch (error) {
      const { code, message } = asFailure(error);
      if (code === 'internal') log.error('A SLIME connection failed', error);
      refuse(socket, message);
    }
  }
}

/** Shows in Emacs why the connection is refused. */
function refuse(socket: Socket, reason: string): void {
  // Input is read to its end. Otherwise a connection reset could overtake the message.
  socket.resume().end(messageForEmacs(reason));
}

/** Exchanges messages in both directions. When one side closes, the other is closed too. */
function join(socket: Socket, image: Duplex, refusal: () => string | null): void {
  const { requests, replies } = new EditorConversation({
    refusal,
    toEditor: (frame) => void socket.write(frame),
    toImage: (frame) => void image.write(frame),
  });
  const closed = (): void => {
    socket.destroy();
    image.destroy();
  };
  pipeline(socket, requests, image, closed);
  pipeline(image, replies, socket, closed);
}

// Recognizes the client of a Swank connection by its first bytes. A Swank message begins with its length in
// six hex digits and is a list; HTTP and TLS, which a web page could send, are not. Messages of SLY look the
// same but call another server, Slynk. Emacs sends the contents of ~/.slime-secret (or ~/.sly-secret) first
// if the file exists; our images do not require it, so it is dropped. An image is connected only after the
// first message is complete, so that a partial message cannot occupy a connection.

const HEADER = 6;

/** Maximum length of the secret, one line of a file, in bytes. */
const LONGEST_SECRET = 1024;

/**
 * Maximum length of the first message, in bytes. SLIME’s requests the connection info and has some hundred
 * bytes.
 */
const LONGEST_MESSAGE = 64 * 1024;

const PARENTHESIS = '('.charCodeAt(0);

/** Beginning of SLY’s first message. */
const SLY = '(:emacs-rex (slynk:';

/** Classification of the first bytes; `undecided` if more are needed. */
export type Opening = 'undecided' | 'foreign' | 'sly' | { kind: 'slime'; secretBytes: number };

/** `secretBytes` is the number of bytes before the first message. Pure. */
export function openingOf(bytes: Buffer): Opening {
  const first = packetOf(bytes);
  if (typeof first === 'string') return first === 'message' ? editorOf(bytes, 0) : first;
  const second = packetOf(bytes.subarray(first.end));
  if (second === 'message') return editorOf(bytes, first.end);
  return typeof second === 'string' ? second : 'foreign';
}

/** Returns the editor that sent the message at `start`. */
function editorOf(bytes: Buffer, start: number): Opening {
  const text = bytes.toString('latin1', start + HEADER, start + HEADER + SLY.length).toLowerCase();
  if (text === SLY) return 'sly';
  const length = lengthIn(bytes.subarray(start));
  if (length > LONGEST_MESSAGE) return 'foreign';
  return bytes.length < start + HEADER + length ? 'undecided' : { kind: 'slime', secretBytes: start };
}

/** Returns the kind of the first packet: a message, or possibly a secret, which ends at `end`. */
function packetOf(bytes: Buffer): 'undecided' | 'foreign' | 'message' | { end: number } {
  const header = bytes.toString('latin1', 0, HEADER);
  if (!/^[0-9a-f]*$/i.test(header)) return 'foreign';
  if (bytes.length <= HEADER) return 'undecided';
  if (bytes[HEADER] === PARENTHESIS) return 'message';
  const length = lengthIn(bytes);
  return length > LONGEST_SECRET ? 'foreign' : { end: HEADER + length };
}

function lengthIn(header: Buffer): number {
  return Number.parseInt(header.toString('latin1', 0, HEADER), 16);
}

/** Resolves with the client. SLIME’s first message remains in the socket, which is paused. */
function callerAt(socket: Socket, timeoutMs: number): Promise<'slime' | 'sly' | 'foreign'> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const settle = (caller: 'slime' | 'sly' | 'foreign'): void => {
      clearTimeout(timer);
      removeListeners();
      socket.pause();
      resolve(caller);
    };
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const opening = openingOf(bytes);
      if (opening === 'undecided') return;
      settle(typeof opening === 'string' ? opening : opening.kind);
      if (typeof opening !== 'string') socket.unshift(bytes.subarray(opening.secretBytes));
    };
    const onClose = (): void => settle('foreign');
    const timer = setTimeout(onClose, timeoutMs);
    const removeListeners = addListeners(socket, (on) => {
      on('data', onData);
      on('close', onClose);
    });
  });
}
