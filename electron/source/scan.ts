/**
 * Moves over source text: past strings, comments and character literals, in which delimiters mean nothing. Anything else
 * is the reader's business.
 */
import type { Dialect } from './dialect';

/** A place in a text. */
export interface Scan {
  text: string;
  at: number;
}

const OPENING = '([{';
const CLOSING = ')]}';

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

export function isOpening(character: string, dialect: Dialect): boolean {
  return dialect === 'clojure' ? OPENING.includes(character) : character === '(';
}

export function isClosing(character: string, dialect: Dialect): boolean {
  return dialect === 'clojure' ? CLOSING.includes(character) : character === ')';
}
