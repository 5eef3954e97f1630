/**
 * Cuts a byte stream into lines, the framing of MCP over stdio and sockets and of the wire to an SBCL image. It works on bytes and decodes whole
 * lines only, so characters that arrive in two pieces stay whole; a long line costs no more than its length.
 */

import { GatheredBytes } from './gathered-bytes';

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** One line without its line end (LF or CRLF), or notice that one was longer than allowed and is dropped. */
export type Line = { text: string } | { tooLong: true };

export class LineReader {
  readonly #maxBytes: number;
  readonly #begun = new GatheredBytes();
  #skipping = false;

  /** @param maxBytes of one line, its end not counted */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether `chunk`, that comes next, is whole lines and nothing else. */
  isWhole(chunk: Buffer): boolean {
    return this.#begun.size === 0 && !this.#skipping && chunk.at(-1) === NEWLINE;
  }

  /** The lines that `chunk` completes. */
  *read(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      start = end + 1;
      yield this.#take();
    }
    this.#keep(chunk.subarray(start));
  }

  /** What follows the last line end, once the stream is over. */
  *rest(): Generator<Line> {
    if (this.#begun.size > 0 || this.#skipping) yield this.#take();
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0 || this.#skipping) return;
    if (this.#begun.size + piece.length > this.#maxBytes) {
      this.#skipping = true;
      this.#begun.clear();
    } else {
      this.#begun.add(piece);
    }
  }

  #take(): Line {
    const line = this.#skipping ? { tooLong: true as const } : { text: textOf(this.#begun.take()) };
    this.#skipping = false;
    return line;
  }
}

function textOf(bytes: Buffer): string {
  const end = bytes[bytes.length - 1] === RETURN ? bytes.length - 1 : bytes.length;
  return bytes.toString('utf8', 0, end);
}
