/** Lexer for Common Lisp with its standard readtable (CLHS chapter 2). Evaluates nothing, not even `#.`. */
import {
  BACKSLASH,
  characterSet,
  endOfByteOrderMark,
  endOfLine,
  endOfQuoted,
  has,
  type Lexeme,
  leaf,
  prefix,
  quoted,
} from './lexeme';

const WHITESPACE = characterSet(' \t\n\r\f\v');
/** Characters that end a token (CLHS 2.1.4: whitespace and terminating macro characters). */
const TERMINATING = characterSet(' \t\n\r\f\v"\'(),;`');
const DIGITS = characterSet('0123456789');
/** `#'f`, `#.f`, `#1=f` (CLHS 2.4.8). */
const ONE_FORM = characterSet("'.=");
/**
 * `#A`, `#C`, `#P` and `#S` apply to the next form, even after blanks. Longer names belong to custom syntax.
 */
const LETTERED = characterSet('aAcCpPsS');
const BAR = 124;

export function commonLispLexeme(text: string, at: number): Lexeme {
  switch (text[at]) {
    case '(':
      return { kind: 'open', end: at + 1, closing: ')' };
    case ')':
      return { kind: 'close', end: at + 1 };
    case '"':
      return quoted(text, at, 'string', '"');
    case ';':
      return leaf('comment', endOfLine(text, at));
    case "'":
    case '`':
      return prefix(at + 1);
    case ',':
      return prefix(text[at + 1] === '@' || text[at + 1] === '.' ? at + 2 : at + 1);
    case '#':
      return dispatched(text, at);
    default:
      return blankOrToken(text, at);
  }
}

function blankOrToken(text: string, at: number): Lexeme {
  let end = endOfByteOrderMark(text, at);
  while (end < text.length && has(WHITESPACE, text, end)) end += 1;
  return end > at ? leaf('blank', end) : token(text, at);
}

/** Returns the token at `at`, whose name starts at `from`. An open escape makes it incomplete. */
function token(text: string, from: number, kind: 'token' | 'character' = 'token'): Lexeme {
  const end = endOfToken(text, from);
  return end < 0 ? leaf(kind, text.length, false) : leaf(kind, end);
}

/** Returns the end of a token with escapes: `\(`, and `|a b|` anywhere in it. -1 if a `|` is not closed. */
function endOfToken(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (TERMINATING[code] === 1) break;
    if (code === BAR) at = endOfQuoted(text, at, '|');
    else at += code === BACKSLASH ? 2 : 1;
    if (at < 0) return -1;
  }
  return Math.min(at, text.length);
}

/** Reads after `#` and its number. */
function dispatched(text: string, at: number): Lexeme {
  let sub = at + 1;
  while (has(DIGITS, text, sub)) sub += 1;
  switch (text[sub]) {
    case undefined:
      return leaf('token', text.length);
    case '\\':
      return token(text, Math.min(sub + 2, text.length), 'character');
    case '|':
      return blockComment(text, at);
    case '(':
    case '"':
      return prefix(sub);
    case '+':
    case '-':
      return prefix(sub + 1, 2);
    case '#':
      return leaf('token', sub + 1);
    case '!':
      return at === 0 ? leaf('comment', endOfLine(text, at)) : token(text, sub);
    default:
      return otherwiseDispatched(text, sub);
  }
}

/**
 * `#:name`, `#xFF` and the like are tokens. A token directly before a list or a string, such as `#?"…"`,
 * includes it.
 */
function otherwiseDispatched(text: string, sub: number): Lexeme {
  if (has(ONE_FORM, text, sub)) return prefix(sub + 1);
  const end = endOfToken(text, sub);
  if (end === sub + 1 && has(LETTERED, text, sub)) return prefix(end);
  if (end > sub && (text[end] === '(' || text[end] === '"')) return prefix(end);
  return end < 0 ? leaf('token', text.length, false) : leaf('token', end);
}

/** Reads `#| … |#`, which nests (CLHS 2.4.8.19). A character belongs to only one delimiter. */
function blockComment(text: string, start: number): Lexeme {
  let depth = 1;
  // Characters before this offset belong to a delimiter.
  let free = text.indexOf('|', start) + 1;
  for (let bar = text.indexOf('|', free); bar >= 0; bar = text.indexOf('|', free)) {
    const opens = bar > free && text[bar - 1] === '#';
    const closes = !opens && text[bar + 1] === '#';
    free = closes ? bar + 2 : bar + 1;
    depth += Number(opens) - Number(closes);
    if (depth === 0) return leaf('comment', free);
  }
  return leaf('comment', text.length, false);
}
