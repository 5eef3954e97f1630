/**
 * Reads EDN (https://github.com/edn-format/edn) as data, as far as build files of Clojure use it. Nothing is evaluated:
 * what only Clojure's own reader knows makes the text unreadable.
 */

/** A symbol as it is written, or a keyword with its colon. */
export class EdnName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Lists, vectors and sets are arrays; keys of maps are as they are written, strings without their quotes. */
export type EdnValue = string | number | boolean | null | EdnName | EdnValue[] | EdnMap;
export type EdnMap = Map<string, EdnValue>;

/** The first value of `text`; undefined when there is none, or something that is no EDN. */
export function readEdn(text: string): EdnValue | undefined {
  try {
    return new EdnReader(text).read();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

const BLANK = /(?:[\s,]|;[^\n]*|#![^\n]*)*/y;
const STRING = /"((?:[^"\\]|\\[\s\S])*)"/y;
const ATOM = /(?:\\.[^\s,"(){}[\];]*|[^\s,"(){}[\];]+)/y;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '#{': '}' };

class EdnReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @throws SyntaxError */
  read(): EdnValue {
    this.#take(BLANK);
    if (this.#begins('#_')) {
      this.read();
      return this.read();
    }
    if (this.#begins('^')) {
      this.read();
      return this.read();
    }
    for (const opening of ['#{', '{', '[', '(']) if (this.#begins(opening)) return this.#collection(opening);
    const string = this.#take(STRING);
    if (string !== null) return unescaped(string);
    const atom = this.#take(ATOM);
    if (atom === null || !/^[\w:+.*!?$%&=<>/-]/.test(atom)) throw new SyntaxError(`no EDN at ${this.#at}`);
    return atomValue(atom);
  }

  #collection(opening: string): EdnValue {
    const items: EdnValue[] = [];
    while (!this.#ends(CLOSING[opening] ?? '')) items.push(this.read());
    if (opening !== '{') return items;
    const map: EdnMap = new Map();
    for (let at = 0; at + 1 < items.length; at += 2) map.set(keyText(items[at]), items[at + 1] ?? null);
    return map;
  }

  /** Whether the collection ends here, after what is discarded. */
  #ends(closing: string): boolean {
    this.#take(BLANK);
    while (this.#begins('#_')) {
      this.read();
      this.#take(BLANK);
    }
    return this.#begins(closing);
  }

  #begins(opening: string): boolean {
    if (!this.#text.startsWith(opening, this.#at)) return false;
    this.#at += opening.length;
    return true;
  }

  /** What `pattern` matches here: its first group if it has one. */
  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) return null;
    this.#at = pattern.lastIndex;
    return found[1] ?? found[0];
  }
}

function atomValue(atom: string): EdnValue {
  if (atom === 'nil') return null;
  if (atom === 'true' || atom === 'false') return atom === 'true';
  return /^[+-]?\d/.test(atom) ? Number.parseFloat(atom) : new EdnName(atom);
}

function keyText(key: EdnValue | undefined): string {
  return key instanceof EdnName ? key.name : String(key);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, character: string) => ESCAPES[character] ?? character);
}
