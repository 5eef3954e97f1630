/** The framing of Swank: each message follows its length. */

import { Buffer } from 'node:buffer';
import { ByteAccumulator } from './line-reader';

/** Bytes of the length before a message. */
export const HEADER = 6;

/** The longest message in bytes that six hexadecimal digits can announce. */
export const LONGEST_FRAME = 0xffffff;

/**
 * Frames a message (swank/rpc.lisp of SLIME): six hexadecimal digits with the number of UTF-8 bytes that
 * follow.
 * @throws RangeError if the message is too long
 */
export function frame(message: string): Buffer {
  const body = Buffer.from(message);
  if (body.length > LONGEST_FRAME)
    throw new RangeError(`a message of ${body.length} bytes is too long for a frame`);
  return Buffer.concat([Buffer.from(body.length.toString(16).padStart(HEADER, '0')), body]);
}

/** Reassembles messages from chunks. */
export class FrameDecoder {
  readonly #begun = new ByteAccumulator();
  /** Length in bytes of the current message; null while its header is incomplete. */
  #length: number | null = null;
  readonly #longest: number;

  /** @param longest maximum bytes of a message */
  constructor(longest = LONGEST_FRAME) {
    this.#longest = longest;
  }

  /** Yields the messages that `chunk` completes. @throws Error if a header is invalid, or a message too long */
  *read(chunk: Buffer): Generator<string> {
    for (let rest = chunk; rest.length > 0; ) {
      const missing = (this.#length ?? HEADER) - this.#begun.size;
      this.#begun.add(rest.subarray(0, missing));
      if (rest.length < missing) return;
      rest = rest.subarray(missing);
      this.#length ??= this.#lengthIn(this.#begun.take());
      if (this.#begun.size < this.#length) continue;
      this.#length = null;
      yield this.#begun.take().toString('utf8');
    }
  }

  #lengthIn(header: Buffer): number {
    const digits = header.toString('latin1');
    if (!/^[0-9a-f]{6}$/i.test(digits)) throw new Error('a message does not begin with its length');
    const length = Number.parseInt(digits, 16);
    if (length > this.#longest) throw new Error(`a message has more than ${this.#longest} bytes`);
    return length;
  }
}
