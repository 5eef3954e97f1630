/**
 * Reads the wire of an image or a server, to which whatever runs there can write: its framing cuts messages out of the
 * bytes, in turns with all other wires (`shared-turns.ts`), and none is read ahead. A wire that does not keep to its
 * framing, or says again and again what is no message, is given up: that is told once, and nothing is read any more.
 */
import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { takeTurns } from './shared-turns';

/** Cuts messages out of what arrives. */
export interface Framing<Message> {
  /** The messages that `chunk` completes. @throws Error with why the wire cannot be read on */
  read(chunk: Buffer): Iterator<Message>;
}

export interface WireListener<Message> {
  /** @throws NoMessage for what is told to `nonsense`; another Error gives the wire up */
  message(message: Message): void;
  /** Something was said that is no message; the wire goes on. */
  nonsense?(problem: string): void;
  /** The wire is given up; what the reason says goes after "it". */
  lost(reason: string): void;
}

/** What came is no message. */
export class NoMessage extends Error {
  override readonly name = 'NoMessage';
}

/** Of these a wire may say so many: code that writes to it by accident is no reason to lose a session. */
const MOST_NONSENSE = 100;

export class WireReader<Message> {
  readonly #stream: Readable;
  readonly #framing: Framing<Message>;
  readonly #listener: WireListener<Message>;
  #reading: Iterator<Message> | null = null;
  readonly #afterwards: (() => void)[] = [];
  #nonsense = 0;

  constructor(stream: Readable, framing: Framing<Message>, listener: WireListener<Message>) {
    this.#stream = stream;
    this.#framing = framing;
    this.#listener = listener;
    stream.on('data', this.#take);
  }

  /** Reads nothing any more. */
  stop(): void {
    this.#stream.off('data', this.#take);
    this.#finish();
    // What else comes is let go, so that the end of the stream still is seen.
    this.#stream.resume();
  }

  /** Runs `action` when what has arrived is read: a stream may tell of its end before. */
  whenRead(action: () => void): void {
    if (this.#reading === null) action();
    else this.#afterwards.push(action);
  }

  /** Waits until all is read that had been written by now. */
  async caughtUp(): Promise<void> {
    do {
      await turn();
      await turn();
    } while (this.#reading !== null);
  }

  readonly #take = (chunk: Buffer | string): void => {
    this.#reading = this.#framing.read(Buffer.from(chunk));
    this.#stream.pause();
    takeTurns(this.#step);
  };

  readonly #step = (): boolean => {
    if (this.#reading === null) return false;
    try {
      const next = this.#reading.next();
      if (next.done !== true) {
        this.#tell(next.value);
        return true;
      }
    } catch (error) {
      this.#lose(error instanceof Error ? error.message : String(error));
      return false;
    }
    this.#finish();
    this.#stream.resume();
    return false;
  };

  #finish(): void {
    this.#reading = null;
    for (const action of this.#afterwards.splice(0)) action();
  }

  #tell(message: Message): void {
    try {
      this.#listener.message(message);
    } catch (error) {
      if (!(error instanceof NoMessage)) throw error;
      this.#nonsense += 1;
      this.#listener.nonsense?.(error.message);
      if (this.#nonsense > MOST_NONSENSE)
        throw new Error(`it said ${this.#nonsense} times what is no message`);
    }
  }

  #lose(reason: string): void {
    this.#listener.lost(reason);
    this.stop();
  }
}
