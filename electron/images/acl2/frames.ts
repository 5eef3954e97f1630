/**
 * Frames among the output of an ACL2 process: RS nonce SP length NL text NL, in bytes, as
 * resources/lisp/acl2/records.lisp writes them. What is in no frame is text that ACL2 printed. Only what carries the
 * expected nonce is a frame, whatever else looks like one.
 */
import { StringDecoder } from 'node:string_decoder';

export interface FrameListener {
  /** Text between frames; characters that arrive in pieces stay whole. */
  text(text: string): void;
  /** `nonce` may be replaced by `expect` from within. */
  frame(text: string): void;
}

const NEWLINE = 0x0a;

/** Bytes of one frame: the longest that the helper writes are a fraction of it. */
const LONGEST_FRAME = 64 * 1024 * 1024;

/** Digits that the length of such a frame has, and its newline. */
const LONGEST_LENGTH = String(LONGEST_FRAME).length + 1;

export class FrameReader {
  readonly #listener: FrameListener;
  readonly #decoder = new StringDecoder('utf8');
  #mark = Buffer.alloc(0);
  /** What may be the beginning of a frame. */
  #held: Buffer = Buffer.alloc(0);
  /** The pieces of a frame that has begun, with what they have and need of its text and last newline. */
  #pieces: Buffer[] = [];
  #size = 0;
  #wanted = 0;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  /** Frames carry `nonce` from now on. */
  expect(nonce: string): void {
    this.#mark = Buffer.from(`\x1e${nonce} `, 'latin1');
  }

  read(chunk: Buffer): void {
    let rest: Buffer = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#held = Buffer.alloc(0);
    while (rest.length > 0) {
      if (this.#wanted > 0) rest = this.#inside(rest);
      else {
        const next = this.#between(rest);
        if (next === null) return;
        rest = next;
      }
    }
  }

  /** No more will come: what was held back is text after all. */
  end(): void {
    this.#text(this.#held);
    this.#held = Buffer.alloc(0);
  }

  /** Takes what belongs to the frame that has begun, and answers what follows. */
  #inside(rest: Buffer): Buffer {
    const piece = rest.subarray(0, this.#wanted - this.#size);
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size === this.#wanted) {
      const text = Buffer.concat(this.#pieces).toString('utf8', 0, this.#wanted - 1);
      this.#pieces = [];
      this.#size = 0;
      this.#wanted = 0;
      this.#listener.frame(text);
    }
    return rest.subarray(piece.length);
  }

  /** Passes text on up to the next frame, and answers what follows its header; null when more has to come first. */
  #between(rest: Buffer): Buffer | null {
    const at = rest.indexOf(this.#mark);
    if (at < 0) {
      const kept = this.#beginningOfMark(rest);
      this.#text(rest.subarray(0, kept));
      this.#held = Buffer.from(rest.subarray(kept));
      return null;
    }
    this.#text(rest.subarray(0, at));
    const header = rest.subarray(at + this.#mark.length);
    const end = header.subarray(0, LONGEST_LENGTH).indexOf(NEWLINE);
    if (end < 0 && header.length < LONGEST_LENGTH) {
      this.#held = Buffer.from(rest.subarray(at));
      return null;
    }
    const digits = header.toString('latin1', 0, Math.max(end, 0));
    if (!/^\d+$/.test(digits) || Number(digits) > LONGEST_FRAME) {
      this.#text(rest.subarray(at, at + this.#mark.length));
      return header;
    }
    this.#wanted = Number(digits) + 1;
    return header.subarray(end + 1);
  }

  /** Where a mark begins that the end of `rest` may cut off; the length of `rest` where none does. */
  #beginningOfMark(rest: Buffer): number {
    for (let at = Math.max(0, rest.length - this.#mark.length + 1); at < rest.length; at += 1)
      if (this.#mark.subarray(0, rest.length - at).equals(rest.subarray(at))) return at;
    return rest.length;
  }

  #text(bytes: Buffer): void {
    const text = this.#decoder.write(bytes);
    if (text !== '') this.#listener.text(text);
  }
}
