/** How messages are framed (swank/rpc.lisp of SLIME): six hexadecimal digits, the number of bytes of UTF-8 that follow. */
import { Buffer } from 'node:buffer';
import { GatheredBytes } from '../../host/gathered-bytes';

const HEADER = 6;

/** The longest message that six digits can announce, in bytes. */
export const LONGEST_FRAME = 0xffffff;

/** @throws RangeError for a message that is too long for any frame */
export function frame(message: string): Buffer {
  const body = Buffer.from(message);
  if (body.length > LONGEST_FRAME) throw new RangeError(`a message of ${body.length} bytes has no frame`);
  return Buffer.concat([Buffer.from(body.length.toString(16).padStart(HEADER, '0')), body]);
}

/** Collects chunks, however they are cut. */
export class FrameDecoder {
  readonly #begun = new GatheredBytes();
  /** Bytes of the message that is awaited; null while its header is. */
  #awaited: number | null = null;

  /** The messages that `chunk` completes. @throws Error where a header should be and is none */
  *read(chunk: Buffer): Generator<string> {
    for (let rest = chunk; rest.length > 0; ) {
      const missing = (this.#awaited ?? HEADER) - this.#begun.size;
      this.#begun.add(rest.subarray(0, missing));
      if (rest.length < missing) return;
      rest = rest.subarray(missing);
      if (this.#awaited === null) this.#awaited = lengthIn(this.#begun.take());
      if (this.#begun.size < this.#awaited) continue;
      this.#awaited = null;
      yield this.#begun.take().toString('utf8');
    }
  }
}

function lengthIn(header: Buffer): number {
  const digits = header.toString('latin1');
  if (!/^[0-9a-f]{6}$/i.test(digits)) throw new Error('a message does not begin with its length');
  return Number.parseInt(digits, 16);
}
