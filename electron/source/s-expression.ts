/**
 * Reads one s-expression as a Lisp prints it. What its atoms and lists become is the caller's: each protocol has its own
 * data. Nothing recurs, so depth costs no stack.
 */
import { commonLispLexeme } from './common-lisp-lexer';

/** What a caller makes of what is read. */
export interface SexpData<Value> {
  /**
   * @param written a token, a string in its quotes, a character behind its `#\`, a complex number; and, alone, a sign such
   *   as `#` before a vector or `,`, which only a Lisp's own reader makes something of
   * @throws SyntaxError for what is no data here
   */
  atom(written: string): Value;
  /** @param tail what stands behind the dot; null for a list that ends in NIL */
  list(items: Value[], tail: Value | null): Value;
  /** What `'` stands for: `'x` is the list of this symbol and x. */
  quote: Value;
  /** The most lists within each other. */
  deepest: number;
  /** The most lists and atoms; each costs time. */
  most: number;
}

/** @throws SyntaxError when `text` is no s-expression, or more than one */
export function readSexp<Value>(text: string, data: SexpData<Value>): Value {
  // A byte order mark may begin a file; here it is part of a symbol, as anywhere but at the beginning of a text.
  return new SexpReader(` ${text}`, data).read();
}

/** What a string is that is written in its quotes (CLHS 2.4.5): what a `\` stands before is taken as it is. */
export function stringRead(written: string): string {
  return written.slice(1, -1).replace(/\\([\s\S])/g, '$1');
}

/** A list that is being read. `atDot`: the element that comes is the tail. */
interface Open<Value> {
  items: Value[];
  tail: Value | null;
  state: 'items' | 'atDot' | 'tailRead';
  /** Begun by a quote, so that it ends with the next element. */
  quoted: boolean;
}

const COMPLEX = /#c\([-+\d/]+ [-+\d/]+\)/iy;

class SexpReader<Value> {
  readonly #text: string;
  readonly #data: SexpData<Value>;
  readonly #open: Open<Value>[] = [];
  #whole: { value: Value } | null = null;
  #count = 0;

  constructor(text: string, data: SexpData<Value>) {
    this.#text = text;
    this.#data = data;
  }

  read(): Value {
    for (let at = 0; at < this.#text.length; ) at = this.#take(at);
    if (this.#whole === null) throw unended('an object');
    return this.#whole.value;
  }

  /** Takes what is at `at`; answers where it ends. */
  #take(at: number): number {
    const lexeme = commonLispLexeme(this.#text, at);
    if (lexeme.kind === 'blank' || lexeme.kind === 'comment') return lexeme.end;
    if (this.#whole !== null) throw new SyntaxError('more than one object');
    if (lexeme.kind === 'open') this.#begin(false);
    else if (lexeme.kind === 'close') this.#close();
    else if (lexeme.kind === 'prefix') return this.#prefix(at, lexeme.end);
    else if (!lexeme.whole) throw unended(lexeme.kind === 'string' ? 'a string' : 'a symbol');
    else this.#atom(this.#text.slice(at, lexeme.end));
    return lexeme.end;
  }

  #prefix(at: number, end: number): number {
    if (this.#text[at] === "'") {
      this.#begin(true);
      return end;
    }
    COMPLEX.lastIndex = at;
    const [written = this.#text.slice(at, end)] = COMPLEX.exec(this.#text) ?? [];
    this.#atom(written);
    return at + written.length;
  }

  #begin(quoted: boolean): void {
    const { deepest, quote } = this.#data;
    if (this.#open.length === deepest) throw new SyntaxError(`more than ${deepest} lists within each other`);
    this.#open.push({ items: quoted ? [quote] : [], tail: null, state: 'items', quoted });
  }

  #close(): void {
    const list = this.#open.pop();
    if (!list || list.quoted || list.state === 'atDot') throw new SyntaxError('a parenthesis too many');
    this.#put(this.#data.list(list.items, list.tail));
  }

  #atom(written: string): void {
    const list = this.#open.at(-1);
    if (written === '.') {
      if (list?.state !== 'items' || list.quoted || list.items.length === 0)
        throw new SyntaxError('a dot out of place');
      list.state = 'atDot';
    } else if (list?.state === 'atDot' && written.toUpperCase() === 'NIL') list.state = 'tailRead';
    else this.#put(this.#data.atom(written));
  }

  /** Puts an element into the list around it. That ends a quoted one, which goes into the list around it in turn. */
  #put(value: Value): void {
    this.#count += 1;
    if (this.#count > this.#data.most) throw new SyntaxError(`more than ${this.#data.most} lists and atoms`);
    let element = value;
    for (let list = this.#open.at(-1); list; list = this.#open.at(-1)) {
      if (list.state === 'tailRead') throw new SyntaxError('more than one element behind a dot');
      if (list.state === 'atDot') {
        list.tail = element;
        list.state = 'tailRead';
      } else list.items.push(element);
      if (!list.quoted) return;
      this.#open.pop();
      element = this.#data.list(list.items, null);
    }
    this.#whole = { value: element };
  }
}

function unended(what: string): SyntaxError {
  return new SyntaxError(`it ends within ${what} without its end`);
}
