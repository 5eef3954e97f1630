/** Lexemes, and scanning functions that both lexers use. */

export type Lexeme =
  /** `whole` is false if it ends only because the text ends. */
  | { kind: 'blank' | 'comment' | 'token' | 'string' | 'character'; end: number; whole: boolean }
  | { kind: 'open'; end: number; closing: string }
  | { kind: 'close'; end: number }
  /** A prefix, and the number of forms after it that it applies to. */
  | { kind: 'prefix'; end: number; forms: 1 | 2; discards: boolean };

/** Returns the lexeme at `at`, an offset in the text. It has at least one character. */
export type Lexer = (text: string, at: number) => Lexeme;

/** Closing delimiter by opening delimiter. */
export const CLOSING: ReadonlyMap<string, string> = new Map(Object.entries({ '(': ')', '[': ']', '{': '}' }));

/** As `charCodeAt` returns it. */
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

/** Reads from a quote to the next one that is not escaped by a backslash. */
export function quoted(text: string, at: number, kind: 'string' | 'token', quote: string): Lexeme {
  const end = endOfQuoted(text, at, quote);
  return end < 0 ? leaf(kind, text.length, false) : leaf(kind, end);
}

/** Returns the offset after the closing `quote`, -1 without one. `at` is the offset of the opening quote. */
export function endOfQuoted(text: string, at: number, quote: string): number {
  const code = quote.charCodeAt(0);
  for (let next = at + 1; next < text.length; next += 1) {
    const here = text.charCodeAt(next);
    if (here === BACKSLASH) next += 1;
    else if (here === code) return next + 1;
  }
  return -1;
}

/** Returns the end of a line, without the newline. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  if (end < 0) return text.length;
  return end > at && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
}

/** Skips a byte order mark at the start of a text. Elsewhere U+FEFF is part of a symbol. */
export function endOfByteOrderMark(text: string, at: number): number {
  return at === 0 && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : at;
}

/** Returns a table of ASCII characters, for `has`. */
export function characterSet(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

export function has(table: Uint8Array, text: string, at: number): boolean {
  return table[text.charCodeAt(at)] === 1;
}

/** Removes trailing characters. A regular expression would take quadratic time on long runs. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
