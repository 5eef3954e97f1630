/** Replies to commands: the values in the requested encoding, or an error. */

import { asFailure } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import { noteTexts } from '../../contract/note';
import { readSexp, type SexpData, stringRead } from '../../source/s-expression';

export interface Message {
  type: 'RETURN' | 'ERROR';
  content: string;
}

/** Maximum characters of a returned value. */
export const MAX_VALUE_LENGTH = 4 * 1024 * 1024;

/**
 * The maximum for JSON. Parsing a value of this length takes up to half a second, during which no other
 * client is served.
 */
const MAX_JSON_VALUE_LENGTH = 1024 * 1024;

/** The character that a decoder substitutes for invalid bytes. */
const REPLACED = '�';

/** The encoder for each type of command; `values` are printed as data. */
const ENCODINGS = {
  LISP: ([first = '']) => first,
  LISP_MV: (values) => `(${values.join(' ')})`,
  JSON: ([first = '']) => jsonOf(object(first)),
  JSON_MV: (values) => jsonOf({ items: values.map(object), tail: null }),
} satisfies Record<string, (values: readonly string[]) => string>;

export type CommandType = keyof typeof ENCODINGS;

export function isCommandType(type: string): type is CommandType {
  return Object.hasOwn(ENCODINGS, type);
}

export function unknownType(type: string): Message {
  return failed('read-command', `The type ${type} is none of ${Object.keys(ENCODINGS).join(', ')}.`);
}

/** Returns an error that occurred before an evaluation. */
export function failed(during: 'read-command' | 'executing command', why: string): Message {
  return { type: 'ERROR', content: `Error during ${during}:\n${why}\n` };
}

/** Returns the values of the last form. An incomplete value is an error, never a wrong value. */
export function replyTo(type: CommandType, evaluation: Evaluation): Message {
  if (evaluation.outcome !== 'ok') return failed('executing command', failureReason(evaluation));
  const last = evaluation.forms.at(-1);
  if (!last) return failed('read-command', 'The command has no form in it.');
  const problem = problemOf(last.values);
  if (problem !== null) return unanswered(problem);
  try {
    return { type: 'RETURN', content: ENCODINGS[type](last.values) };
  } catch (error) {
    return unanswered(`JSON cannot represent it: ${asFailure(error).message}. Use LISP.`);
  }
}

function object(value: string): Acl2Object {
  if (value.length > MAX_JSON_VALUE_LENGTH) throw new Error(`more than ${MAX_JSON_VALUE_LENGTH} characters`);
  return readObject(value);
}

function problemOf(values: readonly string[]): string | null {
  const tooLong = values.length === 0 || values.some((value) => value.length > MAX_VALUE_LENGTH);
  if (tooLong) return `It has more than ${MAX_VALUE_LENGTH} characters. Request a part of it.`;
  const torn = values.some((value) => value.includes(REPLACED));
  return torn ? 'Its strings or symbols contain bytes that are not UTF-8 text.' : null;
}

function unanswered(why: string): Message {
  return { type: 'ERROR', content: `Error writing return value:\n${why}\n` };
}

function failureReason({ outcome, condition, notes }: Evaluation): string {
  if (condition) return `${condition.type}: ${condition.message}`;
  const what =
    outcome === 'crashed' ? 'ACL2 has ended, and this connection is closed.' : `It was ${outcome}.`;
  return [what, ...noteTexts(notes)].join('\n');
}

// Parses an ACL2 object as its host Lisp prints it in package ACL2, as far as JSON can represent it. An atom
// is reduced to its text in JSON.

/** An atom is its text: a symbol its name without the package, a keyword its name with a colon. */
type Acl2Object = string | Acl2List;

/** `tail` is the last CDR of the list, null for NIL. */
interface Acl2List {
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
  // JSON parsers are recursive.
  deepest: 1_000,
  most: 200_000,
};

/** @throws SyntaxError why JSON cannot represent `text` */
export function readObject(text: string): Acl2Object {
  return readSexp(text, ACL2);
}

/** A number, or a symbol without package and special characters. Most atoms match. */
const PLAIN = /^[^"#|\\:]+$/;

/** Characters that hosts print by name, as ^A, or as three octal digits. */
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

/** @throws SyntaxError if the text is not a printed ACL2 atom */
function atomText(written: string): string {
  if (PLAIN.test(written)) return written;
  if (written.startsWith('"')) return stringRead(written);
  if (/^#c\(/i.test(written)) return written.toUpperCase();
  return written.startsWith('#') ? character(written) : symbolName(written);
}

/** Parsed by hand, since a regular expression overflows on long names. */
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

// ACL2 objects as JSON in the encoding of the Bridge (community book centaur/bridge/to-json, topic
// JSON-ENCODING). Every atom is a string, also a number. A list of pairs that begin with atoms is an object,
// every other list an array, whose last element is what follows a dot.

/** Characters that are not printable ASCII, or that JSON escapes. */
const SPECIAL = /[^\x20-\x7e]|["\\]/g;

export function jsonOf(object: Acl2Object): string {
  if (typeof object === 'string') return jsonString(object);
  if (object.items.length === 0) return jsonString('NIL');
  return isSimpleAlist(object) ? jsonObject(object) : jsonArray(object);
}

interface Pair extends Acl2List {
  items: [string, ...Acl2Object[]];
}

function isSimpleAlist(list: Acl2List): list is Acl2List & { items: Pair[] } {
  return list.tail === null && list.items.every(isPair);
}

function isPair(object: Acl2Object): object is Pair {
  return typeof object !== 'string' && typeof object.items[0] === 'string';
}

function jsonObject({ items }: { items: Pair[] }): string {
  return `{${joined(items.map((pair) => `${jsonString(pair.items[0])}:${jsonOf(restOf(pair))}`))}}`;
}

function jsonArray({ items, tail }: Acl2List): string {
  const elements = items.map(jsonOf);
  return `[${joined(tail === null ? elements : [...elements, jsonString(tail)])}]`;
}

/** Returns the CDR of a pair. */
function restOf({ items, tail }: Pair): Acl2Object {
  const [, ...rest] = items;
  return rest.length === 0 && tail !== null ? tail : { items: rest, tail };
}

/** Inserts a line break after a closing bracket, so that a large object is not one line. */
function joined(elements: readonly string[]): string {
  const last = elements.length - 1;
  return elements.map((text, index) => (index === last ? text : `${text}${separatorAfter(text)}`)).join('');
}

function separatorAfter(text: string): string {
  return text.endsWith(']') || text.endsWith('}') ? ',\n' : ',';
}

function jsonString(text: string): string {
  return `"${text.replaceAll(SPECIAL, escaped)}"`;
}

function escaped(char: string): string {
  if (char === '"' || char === '\\') return `\\${char}`;
  return `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
