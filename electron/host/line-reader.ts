/**
 * Splits a byte stream into lines, for MCP over stdio and sockets and for the wire to an SBCL image. It
 * decodes whole lines only, so a character that arrives in two pieces is not damaged. A long line takes time
 * proportional to its length.
 */

import { Buffer } from 'node:buffer';

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** A line without its line end (LF or CRLF), or a notice that a line exceeded the limit and was dropped. */
export type Line = { text: string } | { tooLong: true };

export class LineReader {
  readonly #maxBytes: number;
  readonly #begun = new ByteAccumulator();
  #skipping = false;

  /** @param maxBytes maximum length of a line, without its end */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Reports whether the next `chunk` consists of whole lines. */
  isWhole(chunk: Buffer): boolean {
    return this.#begun.size === 0 && !this.#skipping && chunk.at(-1) === NEWLINE;
  }

  /** Yields the lines that `chunk` completes. */
  *read(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#append(chunk.subarray(start, end));
      start = end + 1;
      yield this.#finish();
    }
    this.#append(chunk.subarray(start));
  }

  /** Yields the text after the last line end, when the stream has ended. */
  *rest(): Generator<Line> {
    if (this.#begun.size > 0 || this.#skipping) yield this.#finish();
  }

  #append(piece: Buffer): void {
    if (piece.length === 0 || this.#skipping) return;
    if (this.#begun.size + piece.length > this.#maxBytes) {
      this.#skipping = true;
      this.#begun.clear();
    } else {
      this.#begun.add(piece);
    }
  }

  #finish(): Line {
    const line = this.#skipping ? { tooLong: true as const } : { text: textOf(this.#begun.take()) };
    this.#skipping = false;
    return line;
  }
}

function textOf(bytes: Buffer): string {
  const end = bytes[bytes.length - 1] === RETURN ? bytes.length - 1 : bytes.length;
  return bytes.toString('utf8', 0, end);
}

const NONE = Buffer.alloc(0);

/**
 * Collects bytes that arrive in pieces. Pieces are copied into one buffer, so a sender of single bytes does
 * not cost an object for each.
 */
export class ByteAccumulator {
  #bytes: Buffer = NONE;
  #size = 0;
  /** Whether the buffer has free space, and so is not the sender’s. */
  #own = false;

  get size(): number {
    return this.#size;
  }

  add(piece: Buffer): void {
    if (this.#size === 0) {
      this.#bytes = piece;
      this.#own = false;
    } else {
      this.#makeRoom(this.#size + piece.length);
      piece.copy(this.#bytes, this.#size);
    }
    this.#size += piece.length;
  }

  /** Returns all bytes and empties the buffer. */
  take(): Buffer {
    const bytes = this.#bytes.subarray(0, this.#size);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#bytes = NONE;
    this.#size = 0;
  }

  #makeRoom(size: number): void {
    if (this.#own && size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#size, size));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
    this.#own = true;
  }
}
