/**
 * Whether text holds only complete forms, so that a listener knows when to evaluate and when to ask for more.
 * It looks at delimiters, strings, comments and character literals; anything else is the reader's business.
 */
import type { Dialect } from './dialect';

/** `incomplete` wants more text; `complete` can be given to the reader, which also reports a stray `)`. */
export type Completeness = 'empty' | 'incomplete' | 'complete';

/** A place in a text. */
export interface Scan {
  text: string;
  at: number;
}

const OPENING = '([{';
const CLOSING = ')]}';

export function completeness(text: string, dialect: Dialect): Completeness {
  const scan: Scan = { text, at: 0 };
  let depth = 0;
  let seen = false;
  while (scan.at < text.length) {
    const step = skip(scan, dialect);
    if (step === 'unterminated') return 'incomplete';
    if (step === 'blank') continue;
    seen = true;
    if (step === 'token') continue;
    const character = text.charAt(scan.at);
    if (isOpening(character, dialect)) depth += 1;
    if (isClosing(character, dialect)) depth -= 1;
    if (depth < 0) return 'complete';
    scan.at += 1;
  }
  if (!seen) return 'empty';
  return depth > 0 ? 'incomplete' : 'complete';
}

/** Moves past one thing in which delimiters mean nothing; `none` leaves `at` on an ordinary character. */
export function skip(scan: Scan, dialect: Dialect): 'blank' | 'token' | 'unterminated' | 'none' {
  const { text, at } = scan;
  const character = text.charAt(at);
  if (/\s|,/.test(character) && (character !== ',' || dialect === 'clojure'))
    return past(scan, at + 1, 'blank');
  if (character === ';') return past(scan, endOfLine(text, at), 'blank');
  if (dialect === 'common-lisp' && text.startsWith('#|', at)) return blockComment(scan);
  if (character === '"') return quoted(scan, '"');
  if (dialect === 'common-lisp' && character === '|') return quoted(scan, '|');
  if (dialect === 'common-lisp' && text.startsWith('#\\', at)) return past(scan, at + 3, 'token');
  if (character === '\\') return past(scan, at + 2, 'token');
  return 'none';
}

function past<T>(scan: Scan, at: number, what: T): T {
  scan.at = at;
  return what;
}

function quoted(scan: Scan, quote: string): 'token' | 'unterminated' {
  for (let at = scan.at + 1; at < scan.text.length; at += 1) {
    if (scan.text[at] === '\\') at += 1;
    else if (scan.text[at] === quote) return past(scan, at + 1, 'token');
  }
  return 'unterminated';
}

/** `#| … |#`, which nests (CLHS 2.4.8.19). */
function blockComment(scan: Scan): 'blank' | 'unterminated' {
  let depth = 0;
  for (let at = scan.at; at < scan.text.length; at += 1) {
    if (scan.text.startsWith('#|', at)) depth += 1;
    else if (scan.text.startsWith('|#', at)) depth -= 1;
    else continue;
    at += 1;
    if (depth === 0) return past(scan, at + 1, 'blank');
  }
  return 'unterminated';
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function isOpening(character: string, dialect: Dialect): boolean {
  return dialect === 'clojure' ? OPENING.includes(character) : character === '(';
}

function isClosing(character: string, dialect: Dialect): boolean {
  return dialect === 'clojure' ? CLOSING.includes(character) : character === ')';
}
