/**
 * Parses one s-expression as a Lisp prints it. The caller converts atoms and lists, because each protocol has
 * its own data. Without recursion, so depth uses no stack.
 */
import { commonLispLexeme } from './common-lisp-lexer';

/** Conversion of parsed data. */
export interface SexpData<Value> {
  /**
   * @param written a token, a string with its quotes, a character with its `#\`, a complex number; or a sign
   *   such as `#` before a vector or `,` alone, which only a Lisp reader understands
   * @throws SyntaxError for text that is no data here
   */
  atom(written: string): Value;
  /** @param tail the element after the dot; null for a list that ends in NIL */
  list(items: Value[], tail: Value | null): Value;
  /** The symbol that `'` stands for: `'x` is the list of it and x. */
  quote: Value;
  /** Maximum depth of nested lists. */
  deepest: number;
  /** Maximum number of lists and atoms. */
  most: number;
}

/** @throws SyntaxError unless `text` is exactly one s-expression */
export function readSexp<Value>(text: string, data: SexpData<Value>): Value {
  // The blank makes a byte order mark part of a symbol, as anywhere except at the start of a file.
  return new SexpReader(` ${text}`, data).read();
}

/** Returns the string of a literal in quotes (CLHS 2.4.5): a character after `\` is taken literally. */
export function stringRead(written: string): string {
  return written.slice(1, -1).replace(/\\([\s\S])/g, '$1');
}

/** A list that is being parsed. `atDot`: the next element is the tail. */
interface Open<Value> {
  items: Value[];
  tail: Value | null;
  state: 'items' | 'atDot' | 'tailRead';
  /** Started by a quote, so it ends with the next element. */
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

  /** Parses the element at `at`; returns its end. */
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
    if (this.#open.length === deepest) throw new SyntaxError(`more than ${deepest} nested lists`);
    this.#open.push({ items: quoted ? [quote] : [], tail: null, state: 'items', quoted });
  }

  #close(): void {
    const list = this.#open.pop();
    if (!list || list.quoted || list.state === 'atDot')
      throw new SyntaxError('an unmatched closing parenthesis');
    this.#put(this.#data.list(list.items, list.tail));
  }

  #atom(written: string): void {
    const list = this.#open.at(-1);
    if (written === '.') {
      if (list?.state !== 'items' || list.quoted || list.items.length === 0)
        throw new SyntaxError('a misplaced dot');
      list.state = 'atDot';
    } else if (list?.state === 'atDot' && written.toUpperCase() === 'NIL') list.state = 'tailRead';
    else this.#put(this.#data.atom(written));
  }

  /**
   * Adds an element to the enclosing list. That completes a quoted list, which is then added to its own
   * enclosing list.
   */
  #put(value: Value): void {
    this.#count += 1;
    if (this.#count > this.#data.most) throw new SyntaxError(`more than ${this.#data.most} lists and atoms`);
    let element = value;
    for (let list = this.#open.at(-1); list; list = this.#open.at(-1)) {
      if (list.state === 'tailRead') throw new SyntaxError('more than one element after a dot');
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
  return new SyntaxError(`it ends inside ${what}`);
}
