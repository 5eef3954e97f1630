/**
 * Reads an object of ACL2's as its host Lisp prints it in package ACL2, as far as JSON can tell it: of an atom, the text
 * that stands for it there.
 */
import { readSexp, type SexpData, stringRead } from '../../source/s-expression';

/** An atom is its text: of a symbol its name without the package, of a keyword its name with a colon. */
export type Acl2Object = string | Acl2List;

/** `tail` is what the list ends in, null for NIL. */
export interface Acl2List {
  items: Acl2Object[];
  tail: string | null;
}

const ACL2: SexpData<Acl2Object> = {
  atom: atomText,
  list(items, tail) {
    if (tail !== null && typeof tail !== 'string') throw new SyntaxError('a list behind a dot');
    return { items, tail };
  },
  quote: 'QUOTE',
  // Whoever parses JSON recurs.
  deepest: 1_000,
  most: 200_000,
};

/** @throws SyntaxError why `text` is no object that JSON can tell */
export function readObject(text: string): Acl2Object {
  return readSexp(text, ACL2);
}

/** A number, or a symbol without a package and without anything that stands for something else. Most atoms are so. */
const PLAIN = /^[^"#|\\:]+$/;

/** As hosts print what is no single sign: by a name, as ^A, or by three octal digits. */
const CHARACTER = /^#\\(?:(\\[0-7]{3})|(\^[@-_])|([A-Za-z_]{2,})|([\s\S]))$/u;

const NAMED_CHARACTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
);

/** @throws SyntaxError for what no atom of ACL2's is printed as */
function atomText(written: string): string {
  if (PLAIN.test(written)) return written;
  if (written.startsWith('"')) return stringRead(written);
  if (/^#c\(/i.test(written)) return written.toUpperCase();
  return written.startsWith('#') ? character(written) : symbolName(written);
}

/** By hand: a regular expression overflows on long ones. */
function symbolName(written: string): string {
  let name = '';
  let inBars = false;
  for (let at = 0; at < written.length; at += 1) {
    const char = written[at] ?? '';
    if (char === '\\') {
      at += 1;
      name += written[at] ?? '';
    } else if (char === '|') inBars = !inBars;
    else if (char === ':' && !inBars) name = '';
    else name += char;
  }
  return written.startsWith(':') ? `:${name}` : name;
}

function character(written: string): string {
  const [found, octal, control, name, sign] = CHARACTER.exec(written) ?? [];
  if (found === undefined) throw new SyntaxError(`${written.slice(0, 20)}, which is no object of ACL2's`);
  const char =
    sign ??
    (octal && String.fromCharCode(Number.parseInt(octal.slice(1), 8))) ??
    (control && String.fromCharCode(control.charCodeAt(1) - 64)) ??
    NAMED_CHARACTERS.get(name?.toLowerCase() ?? '');
  if (char === undefined) throw new SyntaxError(`the character ${found}, whose name is the host's own`);
  return char;
}
