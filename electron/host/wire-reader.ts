/**
 * Reads the wire of an image or a server. Any code there can write to it, so input is untrusted. The framing
 * splits the bytes into messages, in turns with all other wires and without reading ahead. A wire that
 * violates its framing, or sends too many invalid messages, is abandoned: this is reported once, and nothing
 * more is read.
 */

import { Buffer } from 'node:buffer';
import type { Duplex, Readable } from 'node:stream';
import { addListeners, polled } from './listeners';

/** Splits input into messages. */
interface Framing<Message> {
  /**
   * Yields the messages that `chunk` completes. @throws Error with the reason if the wire cannot be read any
   * further
   */
  read(chunk: Buffer): Iterator<Message>;
}

interface WireListener<Message> {
  /**
   * @throws NoMessage for an invalid message, which is reported to `nonsense`; any other Error abandons the
   *   wire
   */
  message(message: Message): void;
  /** Called for an invalid message. The wire continues. */
  nonsense?(problem: string): void;
  /** Called when the wire is abandoned. The reason continues a sentence that begins with “it”. */
  lost(reason: string): void;
}

/** The input is not a valid message. */
export class NoMessage extends Error {
  override readonly name = 'NoMessage';
}

/**
 * Maximum bytes that wait to be sent on a wire. A peer that sends what must be answered, and reads no answer, is
 * not read any further.
 */
const MOST_UNSENT = 16 * 1024 * 1024;

/** Maximum number of invalid messages. Code that writes to the wire by accident should not end a session. */
const MOST_NONSENSE = 100;

export class WireReader<Message> {
  readonly #stream: Readable & Partial<Pick<Duplex, 'writableLength'>>;
  readonly #framing: Framing<Message>;
  readonly #listener: WireListener<Message>;
  readonly #removeListener: () => void;
  #reading: Iterator<Message> | null = null;
  readonly #afterwards: (() => void)[] = [];
  #nonsense = 0;

  constructor(stream: Readable, framing: Framing<Message>, listener: WireListener<Message>) {
    this.#stream = stream;
    this.#framing = framing;
    this.#listener = listener;
    this.#removeListener = addListeners(stream, (on) =>
      on('data', (chunk: Buffer | string) => this.#read(chunk)),
    );
  }

  /** Stops reading. */
  stop(): void {
    this.#removeListener();
    this.#finish();
    // The rest is discarded, so that the end of the stream is still seen.
    this.#stream.resume();
  }

  /** Runs `action` when all input that has arrived is read. A stream may report its end before that. */
  whenRead(action: () => void): void {
    if (this.#reading === null) action();
    else this.#afterwards.push(action);
  }

  /** Resolves when everything written before the call is read. */
  async caughtUp(): Promise<void> {
    do await polled();
    while (this.#reading !== null);
  }

  #read(chunk: Buffer | string): void {
    this.#reading = this.#framing.read(Buffer.from(chunk));
    this.#stream.pause();
    runInTurns(this.#step);
  }

  readonly #step = (): boolean => {
    if (this.#reading === null) return false;
    try {
      const next = this.#reading.next();
      if (next.done !== true) {
        this.#deliver(next.value);
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
    const stream = this.#stream;
    if ((stream.writableLength ?? 0) > MOST_UNSENT) stream.once('drain', () => stream.resume());
    else stream.resume();
  }

  #finish(): void {
    this.#reading = null;
    for (const action of this.#afterwards.splice(0)) action();
  }

  #deliver(message: Message): void {
    try {
      this.#listener.message(message);
    } catch (error) {
      if (!(error instanceof NoMessage)) throw error;
      this.#nonsense += 1;
      this.#listener.nonsense?.(error.message);
      if (this.#nonsense > MOST_NONSENSE) throw new Error(`it sent ${this.#nonsense} invalid messages`);
    }
  }

  #lose(reason: string): void {
    this.#listener.lost(reason);
    this.stop();
  }
}

/** Milliseconds of work in each turn of the event loop. */
const TURN_MS = 10;

/** Milliseconds after which another task runs. */
const SLICE_MS = 2;

/** Does one small step. Returns false if nothing is left to do. Never throws. */
type Work = () => boolean;

class SharedTurns {
  readonly #waiting: Work[] = [];
  #scheduled = false;
  #endOfTurn = 0;

  take(work: Work): void {
    this.#waiting.push(work);
    if (!this.#scheduled) this.#nextTurn();
    else if (performance.now() < this.#endOfTurn) this.#workOn();
  }

  #nextTurn(): void {
    this.#endOfTurn = performance.now() + TURN_MS;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#waiting.length > 0) this.#nextTurn();
    });
    this.#workOn();
  }

  #workOn(): void {
    while (performance.now() < this.#endOfTurn) {
      const work = this.#waiting.shift();
      if (!work) return;
      if (workFor(work, performance.now() + SLICE_MS)) this.#waiting.push(work);
    }
  }
}

const turns = new SharedTurns();

/**
 * Runs work in steps: some milliseconds in each turn of the event loop, shared in turns by all tasks, so that
 * a flood of one delays the others only briefly. Starts at once if this turn has time left.
 */
function runInTurns(work: Work): void {
  turns.take(work);
}

function workFor(work: Work, until: number): boolean {
  while (work()) if (performance.now() >= until) return true;
  return false;
}
