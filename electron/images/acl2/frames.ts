/**
 * Frames among the output of an ACL2 process: RS nonce SP length NL text NL, in bytes, as
 * resources/lisp/acl2/records.lisp writes them. What is in no frame is text that ACL2 printed. Only what carries the
 * expected nonce is a frame, whatever else looks like one.
 */
import { StringDecoder } from 'node:string_decoder';
import { GatheredBytes } from '../../host/gathered-bytes';

/** Text between frames, or the text of a frame. Characters that arrive in pieces stay whole. */
export type Said = { text: string } | { frame: string };

const NEWLINE = 0x0a;

const NOTHING = Buffer.alloc(0);

/** Bytes of one frame: the longest that the helper writes are a fraction of it. */
const LONGEST_FRAME = 40 * 1024 * 1024;

/** Digits that the length of such a frame has, and its newline. */
const LONGEST_LENGTH = String(LONGEST_FRAME).length + 1;

export class FrameReader {
  readonly #decoder = new StringDecoder('utf8');
  /** What a frame begins with; null while none is expected. */
  #mark: Buffer | null = null;
  /** What may be the beginning of a frame. */
  #held: Buffer = Buffer.alloc(0);
  /** What there is of a frame that has begun, and how many bytes it has with its last newline. */
  readonly #begun = new GatheredBytes();
  #wanted = 0;

  /** Frames carry `nonce` from now on. */
  expect(nonce: string): void {
    this.#mark = Buffer.from(`\x1e${nonce} `, 'latin1');
  }

  /** `expect` may be called between any two of what this answers. */
  *read(chunk: Buffer): Generator<Said> {
    let rest: Buffer = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#held = Buffer.alloc(0);
    while (rest.length > 0) rest = this.#wanted > 0 ? yield* this.#inside(rest) : yield* this.#between(rest);
  }

  /** No more will come: what was held back is text after all. */
  *end(): Generator<Said> {
    yield* this.#text(this.#held);
    this.#held = Buffer.alloc(0);
  }

  /** Takes what belongs to the frame that has begun, and answers what follows. */
  *#inside(rest: Buffer): Generator<Said, Buffer> {
    const piece = rest.subarray(0, this.#wanted - this.#begun.size);
    this.#begun.add(piece);
    if (this.#begun.size === this.#wanted) {
      this.#wanted = 0;
      yield { frame: this.#begun.take().subarray(0, -1).toString('utf8') };
    }
    return rest.subarray(piece.length);
  }

  /** Passes text on up to the next frame, and answers what follows its header; nothing when more has to come first. */
  *#between(rest: Buffer): Generator<Said, Buffer> {
    const mark = this.#mark;
    const at = mark === null ? -1 : rest.indexOf(mark);
    if (mark === null || at < 0) {
      const kept = mark === null ? rest.length : beginningOf(mark, rest);
      this.#held = Buffer.from(rest.subarray(kept));
      yield* this.#text(rest.subarray(0, kept));
      return NOTHING;
    }
    yield* this.#text(rest.subarray(0, at));
    const header = rest.subarray(at + mark.length);
    const end = header.subarray(0, LONGEST_LENGTH).indexOf(NEWLINE);
    if (end < 0 && header.length < LONGEST_LENGTH) {
      this.#held = Buffer.from(rest.subarray(at));
      return NOTHING;
    }
    const digits = header.toString('latin1', 0, Math.max(end, 0));
    if (!/^\d+$/.test(digits) || Number(digits) > LONGEST_FRAME) {
      yield* this.#text(rest.subarray(at, at + mark.length));
      return header;
    }
    this.#wanted = Number(digits) + 1;
    return header.subarray(end + 1);
  }

  *#text(bytes: Buffer): Generator<Said> {
    const text = this.#decoder.write(bytes);
    if (text !== '') yield { text };
  }
}

/** Where `mark` begins if the end of `rest` cuts it off; the length of `rest` where it does not. */
function beginningOf(mark: Buffer, rest: Buffer): number {
  for (let at = Math.max(0, rest.length - mark.length + 1); at < rest.length; at += 1)
    if (mark.subarray(0, rest.length - at).equals(rest.subarray(at))) return at;
  return rest.length;
}
