/**
 * Splits ClojureScript source into its top-level forms, so that each can be evaluated, and shown, with its own
 * values. It knows where forms end, not what they mean; the syntax is that of https://clojure.org/reference/reader.
 */

/** A form as it was written, and where: `line` and `column` count from 0. */
export interface TopLevelForm {
  code: string;
  line: number;
  column: number;
}

/**
 * The forms of `code` in order; comments and `#_` forms between them are left out. Text that is no whole form
 * ends the list as its last entry, cut after the character that makes it wrong, for the engine's own reader to
 * refuse: what follows is not evaluated.
 */
export function topLevelForms(code: string): TopLevelForm[] {
  const forms: TopLevelForm[] = [];
  const lines = new Lines(code);
  let at = skipBlank(code, 0);
  while (at < code.length) {
    const discarded = code.startsWith('#_', at);
    const end = endOfForm(code, discarded ? at + 2 : at);
    if (!discarded || !end.whole) forms.push({ code: code.slice(at, end.at), ...lines.position(at) });
    if (!end.whole) break;
    at = skipBlank(code, end.at);
  }
  return forms;
}

/** Tells lines and columns of offsets that are asked for in ascending order. */
class Lines {
  readonly #code: string;
  #line = 0;
  #start = 0;
  #next: number;

  constructor(code: string) {
    this.#code = code;
    this.#next = code.indexOf('\n');
  }

  position(offset: number): { line: number; column: number } {
    while (this.#next !== -1 && this.#next < offset) {
      this.#line += 1;
      this.#start = this.#next + 1;
      this.#next = this.#code.indexOf('\n', this.#start);
    }
    return { line: this.#line, column: offset - this.#start };
  }
}

const CLOSER: Record<string, string> = { '(': ')', '[': ']', '{': '}' };
/** Prefixes that belong to the form after them without needing another one. */
const QUOTES = "'`~@";
const BLANK = /[\s,]+/y;
/** Up to whitespace or a character that ends a token; `'` and `#` may stand inside a symbol. */
const TOKEN = /[^\s,"();[\]{}\\@^`~]+/y;
/** One character, whatever it is, then the rest of a name such as `newline` or `u03BB`. */
const CHARACTER = /\\[\s\S][^\s,"();[\]{}\\@^`~]*/uy;

interface End {
  at: number;
  /** False when the text up to `at` is no form and cannot become one, or ends too early. */
  whole: boolean;
}

/** How far a regular expression (with the flag `y`) matches from `at`; `at` itself when it does not. */
function match(pattern: RegExp, code: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(code) ? pattern.lastIndex : at;
}

/** Past whitespace, commas and comments. */
function skipBlank(code: string, start: number): number {
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
function endOfForm(code: string, start: number): End {
  let at = start;
  let wanted = 1;
  while (wanted > 0) {
    at = skipBlank(code, at);
    if (at >= code.length) return { at: code.length, whole: false };
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
  if (')]}'.includes(first)) return { at: at + 1, whole: false };
  const end = first === '"' ? endOfString(code, at) : match(first === '\\' ? CHARACTER : TOKEN, code, at);
  return end > at ? { at: end, whole: true } : { at: code.length, whole: false };
}

/** Inside brackets only the brackets count, and what could hide one: strings, characters, comments. */
function endOfBrackets(code: string, start: number): End {
  const closers: string[] = [];
  let at = start;
  do {
    const char = code[at] ?? '';
    const closer = CLOSER[char];
    if (closer) {
      closers.push(closer);
      at += 1;
    } else if (')]}'.includes(char)) {
      at += 1;
      if (closers.pop() !== char) return { at, whole: false };
    } else {
      const end = `${QUOTES}^#`.includes(char) ? { at: at + 1, whole: true } : endOfAtom(code, at);
      if (!end.whole) return end;
      at = end.at;
    }
    if (closers.length > 0) at = skipBlank(code, at);
    if (closers.length > 0 && at >= code.length) return { at: code.length, whole: false };
  } while (closers.length > 0);
  return { at, whole: true };
}
