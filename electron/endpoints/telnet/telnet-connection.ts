/** One connection over telnet: it asks for the code of the time, and is then the terminal of a session of its own. */
import type { Socket } from 'node:net';
import { asFailure } from '../../contract/errors';
import type { Log } from '../../host/log';
import { opensAsWeb } from '../loopback-sockets';
import type { Terminal } from '../terminal';
import { type TelnetEvent, TelnetReader } from './telnet-reader';

export interface TelnetServices {
  /** Whether that is the code of the time, which then is another. */
  takeCode: (typed: string) => boolean;
  /** A terminal of a new session. @param show what it prints @throws HarborError why there is none */
  openTerminal: (show: (text: string) => void) => Promise<Terminal>;
  log: Log;
}

const GREETING =
  'Lisp Harbor. Its window shows the code that lets you in once; so does "lisp-harbor telnet-code". You have 30 seconds.\n';
const ASK = 'Code: ';
/** Wrong codes that one connection may give. */
const TRIES = 3;

export class TelnetConnection {
  readonly #socket: Socket;
  readonly #services: TelnetServices;
  readonly #reader = new TelnetReader();
  #tries = 0;
  #opening: Promise<Terminal | null> | null = null;
  #terminal: Terminal | null = null;
  /** Lines that came while the session was opened. */
  #early: string[] = [];

  constructor(socket: Socket, services: TelnetServices) {
    this.#socket = socket;
    this.#services = services;
  }

  /** Serves until the socket is closed; settles when the session has ended as well. */
  async serve(): Promise<void> {
    const socket = this.#socket;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.once('data', (first) => {
      if (opensAsWeb(first)) return void socket.destroy();
      this.#take(first);
      socket.on('data', (bytes) => this.#take(bytes));
    });
    socket.on('end', () => socket.destroy());
    this.#show(GREETING + ASK);
    await closed;
    await (await this.#opening)?.end();
  }

  #take(bytes: Buffer): void {
    for (const event of this.#reader.read(bytes)) {
      // It was told to go: what else came along with that counts for nothing.
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
    if (this.#tries < TRIES) this.#show(ASK);
    else this.#socket.pause().end(() => this.#socket.destroy());
  }

  async #open(): Promise<Terminal | null> {
    try {
      const terminal = await this.#services.openTerminal((text) => this.#show(text));
      void terminal.gone.then(() => this.#socket.end(() => this.#socket.destroy()));
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

  /** Lines end with CR LF, and a CR of the text itself is followed by NUL (RFC 854). */
  #show(text: string): void {
    if (this.#socket.writable) this.#socket.write(text.replaceAll('\r', '\r\0').replaceAll('\n', '\r\n'));
  }
}
