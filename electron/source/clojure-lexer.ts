/** Lexer for Clojure, ClojureScript and EDN (https://clojure.org/reference/reader). */
import {
  CLOSING,
  characterSet,
  endOfByteOrderMark,
  endOfQuoted,
  has,
  type Lexeme,
  leaf,
  prefix,
  quoted,
} from './lexeme';

/**
 * Separators: the comma and characters for which Java's Character.isWhitespace is true, which excludes
 * U+00A0.
 */
const BLANKS = ' \t\n\r\f\v\x1c\x1d\x1e\x1f,';
const WHITESPACE = characterSet(BLANKS);
const OTHER_BLANK = /[\u1680\u2000-\u2006\u2008-\u200A\u2028\u2029\u205F\u3000]/;
/** Characters that end a token. `'` and `#` may occur inside one. */
const TERMINATING = characterSet(`${BLANKS}"();[]{}\\@^\`~`);
const NUMBER_TERMINATING = characterSet(`${BLANKS}"();[]{}\\@^\`~'#%`);
const NUMBER = /[+-]?\d/y;
const LINE_END = /[\r\n]/g;

export function clojureLexeme(text: string, at: number): Lexeme {
  switch (text[at]) {
    case '(':
    case '[':
    case '{':
      return { kind: 'open', end: at + 1, closing: CLOSING.get(text.charAt(at)) ?? '' };
    case ')':
    case ']':
    case '}':
      return { kind: 'close', end: at + 1 };
    case '"':
      return quoted(text, at, 'string', '"');
    case ';':
      return comment(text, at);
    case '\\':
      return leaf('character', endOfToken(text, endOfCharacter(text, at + 1)));
    case "'":
    case '`':
    case '@':
      return prefix(at + 1);
    case '^':
      return prefix(at + 1, 2);
    case '~':
      return prefix(text[at + 1] === '@' ? at + 2 : at + 1);
    case '#':
      return dispatched(text, at);
    default:
      return blankOrToken(text, at);
  }
}

function blankOrToken(text: string, at: number): Lexeme {
  let end = endOfByteOrderMark(text, at);
  while (end < text.length && isBlank(text, end)) end += 1;
  if (end > at) return leaf('blank', end);
  NUMBER.lastIndex = at;
  return leaf('token', endOfToken(text, at, NUMBER.test(text) ? NUMBER_TERMINATING : TERMINATING));
}

/** A comment also ends at a carriage return. */
function comment(text: string, at: number): Lexeme {
  LINE_END.lastIndex = at;
  return leaf('comment', LINE_END.exec(text)?.index ?? text.length);
}

function isBlank(text: string, at: number): boolean {
  return text.charCodeAt(at) < 128 ? has(WHITESPACE, text, at) : OTHER_BLANK.test(text.charAt(at));
}

function endOfToken(text: string, from: number, terminating = TERMINATING): number {
  let at = from;
  while (at < text.length && !endsToken(text, at, terminating)) at += 1;
  return at;
}

function endsToken(text: string, at: number, terminating: Uint8Array): boolean {
  return text.charCodeAt(at) < 128 ? has(terminating, text, at) : OTHER_BLANK.test(text.charAt(at));
}

/** Returns the offset after one character, which may be a surrogate pair. */
function endOfCharacter(text: string, at: number): number {
  const point = text.codePointAt(at);
  if (point === undefined) return text.length;
  return at + (point > 0xffff ? 2 : 1);
}

function dispatched(text: string, at: number): Lexeme {
  switch (text[at + 1]) {
    case '"': {
      const end = endOfQuoted(text, at + 1, '"');
      return end < 0 ? leaf('string', text.length, false) : leaf('string', end);
    }
    case '_':
      return prefix(at + 2, 1, true);
    case '^':
      return prefix(at + 2, 2);
    case '?':
      return prefix(text[at + 2] === '@' ? at + 3 : at + 2);
    case '(':
    case '{':
    case '[':
      return prefix(at + 1);
    case "'":
    case '=':
      return prefix(at + 2);
    case '#':
      return prefix(at + 2);
    case '!':
      return comment(text, at);
    default:
      return tagged(text, at);
  }
}

/**
 * A tag (`#inst`) or a namespaced map prefix (`#:ns{…}`) applies to the next form. A lone `#` uses the next
 * form as its tag.
 */
function tagged(text: string, at: number): Lexeme {
  const end = endOfToken(text, at + 1);
  return end === at + 1 ? prefix(end, 2) : prefix(end);
}
