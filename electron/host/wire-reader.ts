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

/** Lets gather what is written in small pieces: to read one costs about as much as to read many at once. */
export interface Gathering {
  /** From one small piece to the next look. */
  milliseconds: number;
  /** Whether nobody waits for more just now. */
  hasTime(): boolean;
}

/** What came is no message. */
export class NoMessage extends Error {
  override readonly name = 'NoMessage';
}

/** Of these a wire may say so many: code that writes to it by accident is no reason to lose a session. */
const MOST_NONSENSE = 100;

/** Bytes of a piece after which it is worth while to wait for more. */
const SMALL = 4096;

export class WireReader<Message> {
  readonly #stream: Readable;
  readonly #framing: Framing<Message>;
  readonly #listener: WireListener<Message>;
  readonly #gathering: Gathering | undefined;
  #isSmall = false;
  #pause: NodeJS.Timeout | undefined;
  #reading: Iterator<Message> | null = null;
  readonly #afterwards: (() => void)[] = [];
  #nonsense = 0;

  /** @param gathering absent: every piece is read as it comes */
  constructor(
    stream: Readable,
    framing: Framing<Message>,
    listener: WireListener<Message>,
    gathering?: Gathering,
  ) {
    this.#stream = stream;
    this.#framing = framing;
    this.#listener = listener;
    this.#gathering = gathering;
    stream.on('data', this.#take);
  }

  /** Reads nothing any more. */
  stop(): void {
    this.#stream.off('data', this.#take);
    this.#finish();
    clearTimeout(this.#pause);
    // What else comes is let go, so that the end of the stream still is seen.
    this.#stream.resume();
  }

  /** Runs `action` when what has arrived is read: a stream may tell of its end before. */
  whenRead(action: () => void): void {
    if (this.#reading === null) action();
    else this.#afterwards.push(action);
  }

  /** Reads at once what has gathered. */
  hurry(): void {
    if (this.#pause === undefined) return;
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#stream.resume();
  }

  /** Waits until all is read that had been written by now. */
  async caughtUp(): Promise<void> {
    do {
      this.hurry();
      await turn();
      await turn();
    } while (this.#reading !== null);
  }

  readonly #take = (chunk: Buffer | string): void => {
    this.#isSmall = chunk.length < SMALL;
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
    this.#readOn();
    return false;
  };

  #readOn(): void {
    const { milliseconds = 0, hasTime } = this.#gathering ?? {};
    if (this.#isSmall && hasTime?.()) this.#pause = setTimeout(() => this.hurry(), milliseconds);
    else this.#stream.resume();
  }

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
