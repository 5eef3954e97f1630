/**
 * Where the forms of Clojure source end. It knows nothing of what they mean; the syntax is that of
 * https://clojure.org/reference/reader. Offsets count UTF-16 units.
 */

/** What is wrong with delimiters: where the offending ones are. */
export type Flaw =
  | { kind: 'unclosed'; openers: readonly number[] }
  | { kind: 'mismatched'; opener: number; closer: number }
  | { kind: 'stray'; closer: number };

export type End =
  | { at: number; whole: true }
  /** The text up to `at` is no form and cannot become one, or ends too early; `flaw` is null where no delimiter is why. */
  | { at: number; whole: false; flaw: Flaw | null };

export const CLOSER: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** Prefixes that belong to the form after them without needing another one. */
const QUOTES = "'`~@";
const BLANK = /[\s,]+/y;
/** Up to whitespace or a character that ends a token; `'` and `#` may stand inside a symbol. */
const TOKEN = /[^\s,"();[\]{}\\@^`~]+/y;
/** One character, whatever it is, then the rest of a name such as `newline` or `u03BB`. */
const CHARACTER = /\\[\s\S][^\s,"();[\]{}\\@^`~]*/uy;

/** How far a regular expression (with the flag `y`) matches from `at`; `at` itself when it does not. */
function match(pattern: RegExp, code: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(code) ? pattern.lastIndex : at;
}

/** Past whitespace, commas and comments. */
export function skipBlank(code: string, start: number): number {
  let at = start;
  for (;;) {
    at = match(BLANK, code, at);
    if (code[at] !== ';' && !code.startsWith('#!', at)) return at;
    const newline = code.indexOf('\n', at);
    if (newline === -1) return code.length;
    at = newline;
  }
}

/** Past a string that begins at `start`; -1 when it does not end. By hand: a regular expression overflows on long ones. */
function endOfString(code: string, start: number): number {
  for (let at = start + 1; at < code.length; at += 1) {
    if (code[at] === '\\') at += 1;
    else if (code[at] === '"') return at + 1;
  }
  return -1;
}

/**
 * The end of the form that begins at `start`. `wanted` counts the forms still to be read: a prefix such as `'`
 * leaves it as it is, `^meta` and `#_` need one more. So nothing recurs, however deep prefixes are stacked.
 */
export function endOfForm(code: string, start: number): End {
  let at = start;
  let wanted = 1;
  while (wanted > 0) {
    at = skipBlank(code, at);
    if (at >= code.length) return { at: code.length, whole: false, flaw: null };
    const prefix = prefixAt(code, at);
    if (prefix) {
      at += prefix.length;
      wanted += prefix.forms;
      continue;
    }
    const end = endOfUnit(code, at);
    if (!end.whole) return end;
    at = end.at;
    wanted -= 1;
  }
  return { at, whole: true };
}

/** Something that belongs to the form after it: its length, and how many forms it needs beyond that one. */
function prefixAt(code: string, at: number): { length: number; forms: number } | null {
  const two = code.slice(at, at + 2);
  if (two === '#_' || two === '#^') return { length: 2, forms: 1 };
  if (two[0] === '^') return { length: 1, forms: 1 };
  if (two === '~@' || two === "#'" || two === '#=' || two === '##') return { length: 2, forms: 0 };
  if (two === '#?') return { length: code[at + 2] === '@' ? 3 : 2, forms: 0 };
  if (QUOTES.includes(two[0] ?? ' ')) return { length: 1, forms: 0 };
  // What is left of `#`: a tag (`#js`, `#inst`) or the prefix of a namespaced map (`#:ns{…}`).
  if (two[0] === '#' && !'"({'.includes(two[1] ?? '"')) {
    const end = match(TOKEN, code, at);
    return { length: Math.max(end - at, 1), forms: 0 };
  }
  return null;
}

/** The end of a form without prefixes: a token, a string, a character or something in brackets. */
function endOfUnit(code: string, at: number): End {
  const first = code[at] === '#' ? (code[at + 1] ?? '') : (code[at] ?? '');
  const body = code[at] === '#' ? at + 1 : at;
  if (first in CLOSER) return endOfBrackets(code, body);
  return endOfAtom(code, body);
}

function endOfAtom(code: string, at: number): End {
  const first = code[at] ?? '';
  if (')]}'.includes(first)) return { at: at + 1, whole: false, flaw: { kind: 'stray', closer: at } };
  const end = first === '"' ? endOfString(code, at) : match(first === '\\' ? CHARACTER : TOKEN, code, at);
  if (end > at) return { at: end, whole: true };
  const flaw: Flaw | null = first === '"' ? { kind: 'unclosed', openers: [at] } : null;
  return { at: code.length, whole: false, flaw };
}

/** Inside brackets only the brackets count, and what could hide one: strings, characters, comments. */
function endOfBrackets(code: string, start: number): End {
  const openers: number[] = [];
  let at = start;
  do {
    const char = code[at] ?? '';
    if (char in CLOSER) {
      openers.push(at);
      at += 1;
    } else if (')]}'.includes(char)) {
      const opener = openers.pop() ?? start;
      at += 1;
      if (CLOSER[code[opener] ?? ''] !== char)
        return { at, whole: false, flaw: { kind: 'mismatched', opener, closer: at - 1 } };
    } else {
      const end: End = `${QUOTES}^#`.includes(char) ? { at: at + 1, whole: true } : endOfAtom(code, at);
      if (!end.whole) return end;
      at = end.at;
    }
    if (openers.length > 0) at = skipBlank(code, at);
    if (openers.length > 0 && at >= code.length)
      return { at: code.length, whole: false, flaw: { kind: 'unclosed', openers } };
  } while (openers.length > 0);
  return { at, whole: true };
}
