/** What a syntax has at one place of a text: the step that the reader takes next. */

export type Lexeme =
  /** `whole` is false for what ends only because the text does. */
  | { kind: 'blank' | 'comment' | 'token' | 'string' | 'character'; end: number; whole: boolean }
  | { kind: 'open'; end: number; closing: string }
  | { kind: 'close'; end: number }
  /** Something that belongs to the `forms` after it. */
  | { kind: 'prefix'; end: number; forms: 1 | 2; discards: boolean };

/** The lexeme that begins at `at`, which lies in the text; it is at least one character long. */
export type Lexer = (text: string, at: number) => Lexeme;

/** What closes each opening delimiter. */
export const CLOSING: ReadonlyMap<string, string> = new Map(Object.entries({ '(': ')', '[': ']', '{': '}' }));

/** As `charCodeAt` tells it. */
export const BACKSLASH = 92;
const BYTE_ORDER_MARK = 0xfeff;

export function leaf(
  kind: 'blank' | 'comment' | 'token' | 'string' | 'character',
  end: number,
  whole = true,
): Lexeme {
  return { kind, end, whole };
}

export function prefix(end: number, forms: 1 | 2 = 1, discards = false): Lexeme {
  return { kind: 'prefix', end, forms, discards };
}

/** From a quote to the next one that no backslash stands before. */
export function quoted(text: string, at: number, kind: 'string' | 'token', quote: string): Lexeme {
  const end = endOfQuoted(text, at, quote);
  return end < 0 ? leaf(kind, text.length, false) : leaf(kind, end);
}

/** Past the closing `quote`; -1 without one. `at` is that of the opening one. */
export function endOfQuoted(text: string, at: number, quote: string): number {
  const code = quote.charCodeAt(0);
  for (let next = at + 1; next < text.length; next += 1) {
    const here = text.charCodeAt(next);
    if (here === BACKSLASH) next += 1;
    else if (here === code) return next + 1;
  }
  return -1;
}

/** The line's end itself is no part of a comment. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  if (end < 0) return text.length;
  return end > at && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
}

/** Past the byte order mark that a file may begin with; anywhere else U+FEFF is part of a symbol. */
export function endOfByteOrderMark(text: string, at: number): number {
  return at === 0 && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : at;
}

/** A table of the ASCII characters that are in `characters`, for `has`. */
export function characterSet(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

export function has(table: Uint8Array, text: string, at: number): boolean {
  return table[text.charCodeAt(at)] === 1;
}
