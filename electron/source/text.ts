/**
 * Source files as text: decoding and encoding that preserve unchanged bytes, line numbers, and slices by
 * character.
 */
import { HarborError } from '../contract/errors';

/** In bytes. Larger files are not read as source. */
export const LARGEST_FILE = 4 * 1024 * 1024;

/** Latin-1 stands for every older encoding, because it has a character for each byte. */
export type Encoding = 'utf-8' | 'latin-1';

export interface Text {
  text: string;
  encoding: Encoding;
}

/** Decodes bytes; a byte order mark is kept. Returns null for binary data. */
export function textOf(bytes: Uint8Array): Text | null {
  if (bytes.some(isBinary)) return null;
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LONGEST_CODING_LINE));
  if (declaredEncoding(start.toString('latin1')) === 'latin-1')
    return { text: Buffer.from(bytes).toString('latin1'), encoding: 'latin-1' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, encoding: 'utf-8' };
  } catch {
    return { text: Buffer.from(bytes).toString('latin1'), encoding: 'latin-1' };
  }
}

/** In characters. */
const LONGEST_CODING_LINE = 1_000;

/** Returns Latin-1 for a text whose first line declares it, as Emacs does: `;;; -*- coding: latin-1 -*-`. */
export function declaredEncoding(text: string): Encoding {
  const line = /^[^\n]*/.exec(text)?.[0] ?? '';
  return /-\*-.*\bcoding:\s*(?:iso-8859-1|(?:iso-)?latin-1)(?:-unix|-dos|-mac)?\s*(?:;.*)?-\*-/i.test(line)
    ? 'latin-1'
    : 'utf-8';
}

/** @throws HarborError `bad_arguments` for characters that the file's encoding does not have */
export function bytesOf({ text, encoding }: Text): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  const foreign = /[^\0-\u00ff]/u.exec(text)?.[0];
  if (foreign === undefined) return Buffer.from(text, 'latin1');
  throw new HarborError(
    'bad_arguments',
    `The file is not UTF-8 but in an older encoding, read as Latin-1, which has no ${foreign}. Write that character in another way, or convert the file first.`,
  );
}

/** Reports control characters other than blanks, newlines, backspace and escape. */
function isBinary(byte: number): boolean {
  return byte < 8 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32);
}

/** Line and column of an offset, both counted from 1. */
interface Position {
  line: number;
  column: number;
}

export class Positions {
  /** Offsets of line starts. */
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
    this.#starts = starts;
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  of(offset: number): Position {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  line(offset: number): number {
    return this.of(offset).line;
  }

  /** Returns the offset of the start of a line. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? 0;
  }
}

/** A part of a text, counted in code points as Lisp does. */
interface Slice {
  text: string;
  /** Number of characters in the text. */
  total: number;
  /** Start of the next part; absent at the end. */
  next?: number;
}

export function slice(text: string, offset: number, limit: number): Slice {
  const total = characters(text);
  const end = Math.min(offset + limit, total);
  const part =
    total === text.length ? text.slice(offset, end) : text.slice(unitAt(text, offset), unitAt(text, end));
  return { text: part, total, ...(end < total ? { next: end } : {}) };
}

/** Returns the number of code points, as Lisp counts characters. */
export function characters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** Returns the offset of a character in UTF-16 units; the end of the text for a character behind it. */
export function unitAt(text: string, character: number): number {
  let unit = 0;
  for (let left = character; left > 0 && unit < text.length; left -= 1)
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
}
