/** A telnet client for tests, which sends bytes and waits for text. */
import { connect, type Socket } from 'node:net';

export class TelnetClient {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #ended = false;
  #notify: () => void = () => undefined;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#notify();
    });
    // Whoever is on the other side may end it while something is on its way there; `close` follows.
    this.#socket.on('error', () => undefined);
    this.#socket.once('close', () => {
      this.#ended = true;
      this.#notify();
    });
  }

  send(bytes: string | number[]): void {
    this.#socket.write(Buffer.from(bytes as string));
  }

  /** Types a line as a client in line mode does. */
  type(line: string): void {
    this.send(`${line}\r\n`);
  }

  /** Everything up to the end of `expected`, which is taken out. @throws Error when the connection ends before */
  async until(expected: string | number[]): Promise<string> {
    const wanted = Buffer.from(expected as string);
    for (;;) {
      const at = this.#received.indexOf(wanted);
      if (at >= 0) {
        const found = this.#received.subarray(0, at + wanted.length);
        this.#received = this.#received.subarray(at + wanted.length);
        return found.toString('utf8');
      }
      if (this.#ended) throw new Error(`The connection ended with: ${this.#received.toString('utf8')}`);
      await this.#stir();
    }
  }

  /** What comes until the connection is ended by the other side. */
  async rest(): Promise<string> {
    while (!this.#ended) await this.#stir();
    return this.#received.toString('utf8');
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Something came, or the connection ended. */
  #stir(): Promise<void> {
    return new Promise((resolve) => {
      this.#notify = resolve;
    });
  }
}
