/** Sends messages to one client of the ACL2 Bridge. One that does not read misses output, and is told how much. */
import type { Writable } from 'node:stream';
import { frame } from './bridge-frames';

/** Bytes that may wait for a client that does not read; what is printed beyond them is counted and not sent. */
const LONGEST_BACKLOG = 4 * 1024 * 1024;

export class MessageWriter {
  readonly #stream: Writable;
  #unsent = 0;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** What is told in any case. */
  send(type: string, content: string): void {
    this.#tellUnsent();
    this.#write(type, content);
  }

  /** What a command prints. */
  print(text: string): void {
    if (this.#stream.writableLength > LONGEST_BACKLOG) this.#unsent += text.length;
    else this.send('STDOUT', text);
  }

  #tellUnsent(): void {
    if (this.#unsent === 0) return;
    this.#write('STDOUT', `\n… ${this.#unsent} characters were not sent: they were not read in time …\n`);
    this.#unsent = 0;
  }

  #write(type: string, content: string): void {
    if (this.#stream.writable) this.#stream.write(frame(type, content));
  }
}
