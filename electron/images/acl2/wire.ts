/**
 * Encodes requests to the helper (resources/lisp/acl2/requests.lisp) and decodes the frames of its records.
 */
import { StringDecoder } from 'node:string_decoder';
import { lispString } from '../../contract/knowledge';
import { ByteAccumulator } from '../../host/line-reader';
import type { AllowedTag } from './trust-tags';

/** Options of a query. */
export type QueryOptions = Readonly<Record<string, OptionValue | undefined>>;

type OptionValue = string | number | boolean | readonly OptionValue[];

/**
 * A request. `limit` is the maximum length of a printed value in characters, `asData` that of
 * `EvaluateRequest`, `about` the name of a query in queries.lisp.
 */
export type Acl2Request =
  | {
      op: 'evaluate';
      code: string;
      package?: string | undefined;
      limit: number;
      asData: boolean;
      /**
       * true permits all trust tags, and so raw Lisp, for the life of the image. Otherwise the permitted tags
       * with the books that may use them.
       */
      trustTags: true | readonly AllowedTag[];
    }
  | { op: 'query'; about: string; text: string; options: QueryOptions };

/** Encodes a request: a line with a Lisp list, followed by the number of bytes of text that it states. */
export function encodeRequest(request: Acl2Request, id: number, nonce: string): Buffer {
  const body = Buffer.from(request.op === 'query' ? request.text : request.code, 'utf8');
  const header = [
    `:id ${id} :op :${request.op} :nonce ${lispString(nonce)} :bytes ${body.length}`,
    ...(request.op === 'query' ? [`:about :${request.about}`] : []),
    ...Object.entries(optionsOf(request)).flatMap(([name, value]) =>
      value === undefined ? [] : [`:${name} ${lispValue(value)}`],
    ),
  ];
  return Buffer.concat([Buffer.from(`(${header.join(' ')})\n`, 'utf8'), body]);
}

function optionsOf(request: Acl2Request): QueryOptions {
  if (request.op === 'query') return request.options;
  const { limit, package: packageName, asData, trustTags } = request;
  return { limit, package: packageName, 'as-data': asData, 'trust-tags': trustTags };
}

/** The header is one line and is read in package KEYWORD, so symbols are keywords. */
function lispValue(value: OptionValue): string {
  if (typeof value === 'string') return lispString(value.replaceAll('\n', ' '));
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? ':true' : 'common-lisp:nil';
  return `(${value.map(lispValue).join(' ')})`;
}

/**
 * Forms of the harbor as the helper names them. The image itself handles `certify`, and `restore` with a
 * name.
 */
type HarborForm =
  | 'undo'
  | 'undo-one'
  | 'load'
  | 'load-until'
  | 'prove'
  | 'portcullis'
  | 'replay'
  | 'restore'
  | 'certify'
  | 'observe'
  | 'verify'
  | 'check-syntax';

/** @param argument Lisp code that is not a form: a number, a string, or a list of those */
export function harborForm(name: HarborForm, argument: string): string {
  return `(acl2::harbor-${name} ${argument})`;
}

/**
 * Returns the string argument if `code` consists of a single call of the form `name` with a string; otherwise
 * null.
 */
export function stringArgument(name: HarborForm, code: string): string | null {
  const match = new RegExp(
    `^\\s*\\((?:acl2::)?harbor-${name}\\s+"((?:[^"\\\\]|\\\\.)*)"\\s*\\)\\s*$`,
    'is',
  ).exec(code);
  return match?.[1]?.replace(/\\(.)/gs, '$1') ?? null;
}

/** Text outside of frames, or the text of a frame. A character is never split. */
export type WirePiece = { text: string } | { frame: string };

const NEWLINE = 0x0a;

const NOTHING = Buffer.alloc(0);

/** Maximum bytes of a frame. Frames of the helper are much smaller. */
const LONGEST_FRAME = 40 * 1024 * 1024;

/** Maximum digits of the length, and its newline. */
const LONGEST_LENGTH = String(LONGEST_FRAME).length + 1;

/**
 * Splits the output of an ACL2 process into text and frames. A frame is RS nonce SP length NL text NL in
 * bytes, as resources/lisp/acl2/records.lisp writes it. Only a sequence with the expected nonce is a frame;
 * everything else is text.
 */
export class FrameReader {
  readonly #decoder = new StringDecoder('utf8');
  /** The start of a frame with the expected nonce; null if none is expected. */
  #mark: Buffer | null = null;
  /** Bytes that may be the start of a frame. */
  #buffered: Buffer = Buffer.alloc(0);
  /** The bytes of a partial frame, and its total length with the final newline. */
  readonly #partial = new ByteAccumulator();
  #frameBytes = 0;

  /** Sets the nonce of the following frames. */
  expect(nonce: string): void {
    this.#mark = Buffer.from(`\x1e${nonce} `, 'latin1');
  }

  /** The caller may call `expect` between two pieces. */
  *read(chunk: Buffer): Generator<WirePiece> {
    let rest: Buffer = this.#buffered.length > 0 ? Buffer.concat([this.#buffered, chunk]) : chunk;
    this.#buffered = Buffer.alloc(0);
    while (rest.length > 0)
      rest = this.#frameBytes > 0 ? yield* this.#inside(rest) : yield* this.#between(rest);
  }

  /** Flushes withheld text at the end of the stream. */
  *end(): Generator<WirePiece> {
    yield* this.#text(this.#buffered);
    this.#buffered = Buffer.alloc(0);
  }

  /** Consumes bytes of a partial frame and returns the rest. */
  *#inside(rest: Buffer): Generator<WirePiece, Buffer> {
    const piece = rest.subarray(0, this.#frameBytes - this.#partial.size);
    this.#partial.add(piece);
    if (this.#partial.size === this.#frameBytes) {
      this.#frameBytes = 0;
      yield { frame: this.#partial.take().subarray(0, -1).toString('utf8') };
    }
    return rest.subarray(piece.length);
  }

  /**
   * Yields text up to the next frame and returns what follows its header; returns no bytes if more input is
   * needed.
   */
  *#between(rest: Buffer): Generator<WirePiece, Buffer> {
    const mark = this.#mark;
    const at = mark === null ? -1 : rest.indexOf(mark);
    if (mark === null || at < 0) {
      const textEnd = mark === null ? rest.length : beginningOf(mark, rest);
      this.#buffered = Buffer.from(rest.subarray(textEnd));
      yield* this.#text(rest.subarray(0, textEnd));
      return NOTHING;
    }
    yield* this.#text(rest.subarray(0, at));
    const header = rest.subarray(at + mark.length);
    const end = header.subarray(0, LONGEST_LENGTH).indexOf(NEWLINE);
    if (end < 0 && header.length < LONGEST_LENGTH) {
      this.#buffered = Buffer.from(rest.subarray(at));
      return NOTHING;
    }
    const digits = header.toString('latin1', 0, Math.max(end, 0));
    if (!/^\d+$/.test(digits) || Number(digits) > LONGEST_FRAME) {
      yield* this.#text(rest.subarray(at, at + mark.length));
      return header;
    }
    this.#frameBytes = Number(digits) + 1;
    return header.subarray(end + 1);
  }

  *#text(bytes: Buffer): Generator<WirePiece> {
    const text = this.#decoder.write(bytes);
    if (text !== '') yield { text };
  }
}

/** Returns the index of a partial `mark` at the end of `rest`; the length of `rest` if there is none. */
function beginningOf(mark: Buffer, rest: Buffer): number {
  for (let at = Math.max(0, rest.length - mark.length + 1); at < rest.length; at += 1)
    if (mark.subarray(0, rest.length - at).equals(rest.subarray(at))) return at;
  return rest.length;
}
