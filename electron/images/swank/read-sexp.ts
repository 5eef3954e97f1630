/** Reads one s-expression of Swank's protocol. Nothing recurs, so depth costs no stack. */
import { type DottedList, LispSymbol, type Sexp } from './sexp';

/** Lists within lists; Swank's own messages have six. */
const DEEPEST = 1_000;

const BLANK = /[\s]+/y;
/** A symbol or a number; between bars anything may stand. */
const TOKEN = /(?:[^\s()"'|\\]|\|[^|]*\||\\[\s\S])+/y;
const INTEGER = /^[+-]?\d+$/;
const FLOAT = /^[+-]?\d*\.?\d+(?:[esfdl][+-]?\d+)?$/i;

interface Open {
  items: Sexp[];
  /** `dot`: the element that comes is the tail. */
  tail: Sexp | 'dot' | null;
  /** Whether it is what a quote stands before, which ends with its first element. */
  quoted: boolean;
}

/** @throws Error when `text` is no s-expression, or more than one */
export function readSexp(text: string): Sexp {
  const reader = new Reader(text);
  const value = reader.read();
  if (!reader.atEnd) throw new Error('more than one s-expression');
  return value;
}

class Reader {
  readonly #text: string;
  readonly #open: Open[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    this.#match(BLANK);
    return this.#at === this.#text.length;
  }

  read(): Sexp {
    for (;;) {
      const element = this.#next();
      const whole = element === null ? null : this.#put(element);
      if (whole !== null) return whole;
    }
  }

  /** The element that ends here; null where one has only begun. */
  #next(): Sexp | null {
    this.#match(BLANK);
    const char = this.#text[this.#at];
    if (char === undefined) throw new Error('it ends within an s-expression');
    if (char === '(' || char === "'") return this.#begin(char === "'");
    if (char === ')') return this.#close();
    if (char === '"') return this.#string();
    return this.#atom();
  }

  #begin(quoted: boolean): null {
    if (this.#open.length === DEEPEST) throw new Error(`more than ${DEEPEST} lists within each other`);
    this.#at += 1;
    this.#open.push({ items: quoted ? [new LispSymbol('quote')] : [], tail: null, quoted });
    return null;
  }

  #close(): Sexp {
    this.#at += 1;
    const list = this.#open.pop();
    if (!list || list.quoted || list.tail === 'dot') throw new Error('a parenthesis too many');
    return list.tail === null ? list.items : joined(list.items, list.tail);
  }

  /** Puts an element into the list around it; answers it when there is none, for then all is read. */
  #put(value: Sexp): Sexp | null {
    let element = value;
    for (let list = this.#open.at(-1); list; list = this.#open.at(-1)) {
      if (list.tail === 'dot') list.tail = element;
      else if (list.tail !== null) throw new Error('more than one element after a dot');
      else list.items.push(element);
      if (!list.quoted) return null;
      this.#open.pop();
      element = list.items;
    }
    return element;
  }

  /** By hand: a regular expression overflows on long ones. */
  #string(): string {
    let text = '';
    let from = this.#at + 1;
    for (let at = from; at < this.#text.length; at += 1) {
      const char = this.#text[at];
      if (char !== '"' && char !== '\\') continue;
      text += this.#text.slice(from, at);
      if (char === '"') {
        this.#at = at + 1;
        return text;
      }
      at += 1;
      from = at;
    }
    throw new Error('it ends within a string');
  }

  #atom(): Sexp | null {
    const token = this.#match(TOKEN);
    if (token === '' || (token.startsWith('#') && !/^#[:\\]/.test(token)))
      throw new Error('an object that cannot be read');
    if (token === '.') return this.#dot();
    if (INTEGER.test(token)) return Number(token);
    if (FLOAT.test(token)) return Number(token.replace(/[sfdl]/i, 'e'));
    return /^nil$/i.test(token) ? [] : new LispSymbol(token.toLowerCase());
  }

  #dot(): null {
    const list = this.#open.at(-1);
    if (!list || list.items.length === 0 || list.tail !== null) throw new Error('a dot out of place');
    list.tail = 'dot';
    return null;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}

/** `(a . (b c))` is `(a b c)`. */
function joined(items: Sexp[], tail: Sexp): Sexp {
  if (Array.isArray(tail)) return [...items, ...tail];
  const inner = typeof tail === 'object' && 'items' in tail ? tail : null;
  const list: DottedList = inner ? { items: [...items, ...inner.items], tail: inner.tail } : { items, tail };
  return list;
}
