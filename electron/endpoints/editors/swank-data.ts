/** Messages of Swank as data, read and printed so that Lisp and Emacs take them alike. */

import { readSexp, type SexpData, stringRead } from '../../source/s-expression';

/** A symbol or number, as it is written. */
export class Token {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The data of messages that Emacs and Lisp read in the same way. */
export type Datum = string | Token | Datum[] | { items: Datum[]; tail: Datum };

/**
 * Matches symbols and numbers, which both readers read alike. Emacs reads more: text with properties, compiled
 * functions and comments with a length start with `#`, vectors with `[`, characters with `?`.
 */
const PLAIN_TOKEN = /^(?!\.+$)[\w:&*+\-/<=>!$%@^~{}.|\u00a1-\u1fff\u2c00-\ud7ff\uf900-\ufeff]+$/;

const DATA: SexpData<Datum> = {
  atom(written) {
    if (written.startsWith('"')) return stringRead(written);
    if (PLAIN_TOKEN.test(written)) return new Token(written);
    throw new SyntaxError('a token that Lisp and Emacs may read differently');
  },
  list: (items, tail) => (tail === null ? items : { items, tail }),
  quote: new Token('quote'),
  deepest: 1_000,
  most: 500_000,
};

/** Parses a message; null for what is none. */
export function parsed(text: string): Datum | null {
  try {
    return readSexp(text, DATA);
  } catch {
    return null;
  }
}

/** Prints for Emacs: in strings, only quotes and backslashes are escaped. */
export function printed(datum: Datum): string {
  if (typeof datum === 'string') return `"${datum.replace(/["\\]/g, '\\$&')}"`;
  if (datum instanceof Token) return datum.text;
  if (Array.isArray(datum)) return datum.length === 0 ? 'nil' : `(${datum.map(printed).join(' ')})`;
  return `(${datum.items.map(printed).join(' ')} . ${printed(datum.tail)})`;
}
