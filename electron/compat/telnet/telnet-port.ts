/** The telnet port: a REPL for each connection that enters the one-time code. */

import type { Socket } from 'node:net';
import type { OneTimeCode } from '../../access/tokens';
import { asFailure } from '../../contract/errors';
import type { TelnetView } from '../../contract/harbor-status';
import type { Terminal } from '../../endpoints/local/repl';
import { LOOPBACK, LoopbackSockets, opensAsWeb, type ProtocolPort } from '../../endpoints/loopback';
import type { Log } from '../../host/log';
import { type TelnetEvent, TelnetReader } from './telnet-reader';

interface TelnetPortOptions extends Omit<TelnetServices, 'takeCode'> {
  code: OneTimeCode;
  /** Called when `view` has changed. */
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

  /** null while the port is closed. */
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

/** One telnet connection: asks for the one-time code, and is then the terminal of its own session. */
interface TelnetServices {
  /** Reports whether it is the current code, and replaces the code if so. */
  takeCode: (typed: string) => boolean;
  /**
   * Opens a terminal on a new session.
   * @param show receives the output
   * @throws HarborError why it failed
   */
  openTerminal: (show: (text: string) => void) => Promise<Terminal>;
  log: Log;
}

const GREETING =
  'Lisp Harbor. Its window shows the code that lets you in once; so does "lisp-harbor telnet-code". You have 30 seconds.\n';
const PROMPT = 'Code: ';
/** Maximum number of wrong codes on one connection. */
const MAX_CODE_ATTEMPTS = 3;

export class TelnetConnection {
  readonly #socket: Socket;
  readonly #services: TelnetServices;
  readonly #reader = new TelnetReader();
  #tries = 0;
  #opening: Promise<Terminal | null> | null = null;
  #terminal: Terminal | null = null;
  /** Lines received while the session was being opened. */
  #early: string[] = [];

  constructor(socket: Socket, services: TelnetServices) {
    this.#socket = socket;
    this.#services = services;
  }

  /** Serves until the socket is closed. Resolves when the session has ended as well. */
  async serve(): Promise<void> {
    const socket = this.#socket;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.once('data', (first) => {
      if (opensAsWeb(first)) return void socket.destroy();
      this.#take(first);
      socket.on('data', (bytes) => this.#take(bytes));
    });
    socket.on('end', () => socket.destroy());
    this.#show(GREETING + PROMPT);
    await closed;
    await (await this.#opening)?.end();
  }

  #take(bytes: Buffer): void {
    for (const event of this.#reader.read(bytes)) {
      // The connection is being closed, so the rest of the input is ignored.
      if (!this.#socket.writable) return;
      this.#handle(event);
    }
  }

  #handle(event: TelnetEvent): void {
    switch (event.kind) {
      case 'reply':
        this.#socket.write(event.bytes);
        return;
      case 'end':
        this.#socket.end(() => this.#socket.destroy());
        return;
      case 'interrupt':
        void this.#terminal?.interrupt();
        return;
      case 'dropped':
        this.#show(`; A line has at most ${event.longest} bytes; this one was dropped.\n`);
        return;
      case 'line':
        this.#line(event.text);
    }
  }

  #line(text: string): void {
    if (this.#terminal) void this.#terminal.submit(text);
    else if (this.#opening !== null) this.#early.push(text);
    else if (this.#services.takeCode(text)) this.#opening = this.#open();
    else this.#refuse();
  }

  #refuse(): void {
    this.#tries += 1;
    this.#show('That is not the code.\n');
    if (this.#tries < MAX_CODE_ATTEMPTS) this.#show(PROMPT);
    else this.#socket.pause().end(() => this.#socket.destroy());
  }

  async #open(): Promise<Terminal | null> {
    try {
      const terminal = await this.#services.openTerminal((text) => this.#show(text));
      void terminal.closed.then(() => this.#socket.end(() => this.#socket.destroy()));
      this.#terminal = terminal;
      for (const line of this.#early) void terminal.submit(line);
      return terminal;
    } catch (error) {
      const { code, message } = asFailure(error);
      if (code === 'internal') this.#services.log.error('A session over telnet failed to open', error);
      this.#show(`; ${message}\n`);
      this.#socket.end(() => this.#socket.destroy());
      return null;
    }
  }

  /** Sends text. Lines end with CR LF, and a CR in the text is followed by NUL (RFC 854). */
  #show(text: string): void {
    if (this.#socket.writable) this.#socket.write(text.replaceAll('\r', '\r\0').replaceAll('\n', '\r\n'));
  }
}
