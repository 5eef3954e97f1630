/** How messages are framed (swank/rpc.lisp of SLIME): six hexadecimal digits, the number of bytes of UTF-8 that follow. */
import { Buffer } from 'node:buffer';

const HEADER = 6;

/** The longest message that six digits can announce, in bytes. */
export const LONGEST_FRAME = 0xffffff;

/** @throws RangeError for a message that is too long for any frame */
export function frame(message: string): Buffer {
  const body = Buffer.from(message);
  if (body.length > LONGEST_FRAME) throw new RangeError(`a message of ${body.length} bytes has no frame`);
  return Buffer.concat([Buffer.from(body.length.toString(16).padStart(HEADER, '0')), body]);
}

/** Collects chunks, however they are cut, and hands on each message once it is whole. */
export class FrameDecoder {
  readonly #receive: (message: string) => void;
  #chunks: Buffer[] = [];
  #length = 0;
  /** Bytes of the message that is awaited; null while its header is. */
  #awaited: number | null = null;

  constructor(receive: (message: string) => void) {
    this.#receive = receive;
  }

  /** @throws Error where a header should be and is none; whatever `receive` throws */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    for (;;) {
      if (this.#awaited === null) {
        if (this.#length < HEADER) return;
        this.#awaited = lengthIn(this.#take(HEADER));
      }
      if (this.#length < this.#awaited) return;
      const message = this.#take(this.#awaited);
      this.#awaited = null;
      this.#receive(message.toString('utf8'));
    }
  }

  /** The first `count` bytes; chunks are joined only here, once for a message. */
  #take(count: number): Buffer {
    const all = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#chunks = all.length === count ? [] : [all.subarray(count)];
    this.#length -= count;
    return all.subarray(0, count);
  }
}

function lengthIn(header: Buffer): number {
  const digits = header.toString('latin1');
  if (!/^[0-9a-f]{6}$/i.test(digits)) throw new Error('a message does not begin with its length');
  return Number.parseInt(digits, 16);
}
