/** Reads one atom of ACL2's: a number, a symbol, a string, a character. */

/** `text` is what the Bridge says for it: of a symbol its name without the package, of a keyword its name with a colon. */
export interface Atom {
  text: string;
  kind: 'atom' | 'nil' | 'dot';
  /** Where the text goes on behind it. */
  end: number;
}

const DELIMITERS = ' \t\r\n\f()"\'';
/** A number, or a symbol without a package and without anything that stands for something else. */
const PLAIN = /[^ \t\r\n\f()"'|\\:#.]+(?=[ )]|$)/y;

const COMPLEX = /#C\([-\d/]+ [-\d/]+\)/iy;

/** As hosts print what is no single sign: by a name, as ^A, or by three octal digits. */
const CHARACTER = /#\\(?:(\\[0-7]{3})|(\^[@-_])|([A-Za-z_]{2,})|([\s\S]))/y;

const NAMED_CHARACTERS: Readonly<Record<string, string>> = {
  space: ' ',
  newline: '\n',
  linefeed: '\n',
  tab: '\t',
  page: '\f',
  return: '\r',
  rubout: '\x7f',
  backspace: '\b',
  nul: '\0',
  null: '\0',
};

/** @throws Error why what is at `at` is no atom that can be told */
export function atomAt(text: string, at: number): Atom {
  if (text[at] === '"') return string(text, at);
  if (text[at] !== '#') return plain(text, at) ?? symbolOrNumber(text, at);
  return complex(text, at) ?? character(text, at);
}

/** By hand: a regular expression overflows on long ones. */
function string(text: string, at: number): Atom {
  const { value, end } = until('"', text, at + 1);
  return { text: value, kind: 'atom', end };
}

/** What stands before the next `bracket`, in which a backslash stands before what it does not mean. */
function until(bracket: string, text: string, begin: number): { value: string; end: number } {
  let value = '';
  let from = begin;
  for (let at = begin; at < text.length; at += 1) {
    const char = text[at];
    if (char !== bracket && char !== '\\') continue;
    value += text.slice(from, at);
    if (char === bracket) return { value, end: at + 1 };
    at += 1;
    from = at;
  }
  throw new Error('an atom without its end');
}

/** Most atoms are so, and are read ten times as fast. */
function plain(text: string, at: number): Atom | null {
  PLAIN.lastIndex = at;
  const [name] = PLAIN.exec(text) ?? [];
  return name === undefined
    ? null
    : { text: name, kind: name === 'NIL' ? 'nil' : 'atom', end: at + name.length };
}

function symbolOrNumber(text: string, begin: number): Atom {
  let at = begin;
  let name = '';
  let mark: 'none' | 'package' | 'keyword' = 'none';
  let escaped = false;
  for (let char = text[at]; char !== undefined && !DELIMITERS.includes(char); char = text[at]) {
    if (char === '|') {
      const { value, end } = until('|', text, at + 1);
      name += value;
      at = end;
    } else if (char === ':') {
      if (mark === 'none') mark = at === begin ? 'keyword' : 'package';
      name = '';
      at += 1;
    } else {
      name += char === '\\' ? (text[at + 1] ?? '') : char;
      at += char === '\\' ? 2 : 1;
    }
    escaped ||= char === '|' || char === '\\';
  }
  const bare = mark === 'none' && !escaped;
  const kind = bare && name === 'NIL' ? 'nil' : bare && name === '.' ? 'dot' : 'atom';
  return { text: mark === 'keyword' ? `:${name}` : name, kind, end: at };
}

function complex(text: string, at: number): Atom | null {
  COMPLEX.lastIndex = at;
  const [found] = COMPLEX.exec(text) ?? [];
  return found === undefined ? null : { text: found.toUpperCase(), kind: 'atom', end: at + found.length };
}

function character(text: string, at: number): Atom {
  CHARACTER.lastIndex = at;
  const [found, octal, control, name, sign] = CHARACTER.exec(text) ?? [];
  if (found === undefined) throw new Error(`${text.slice(at, at + 20)}, which is no object of ACL2's`);
  const char =
    sign ??
    (octal && String.fromCharCode(Number.parseInt(octal.slice(1), 8))) ??
    (control && String.fromCharCode(control.charCodeAt(1) - 64)) ??
    NAMED_CHARACTERS[name?.toLowerCase() ?? ''];
  if (char === undefined) throw new Error(`the character ${found}, whose name is the host's own`);
  return { text: char, kind: 'atom', end: at + found.length };
}
