/**
 * Reads an object of ACL2's as its host Lisp prints it in package ACL2, as far as JSON can tell it: of an atom, the text
 * that stands for it there. Nothing recurs, so length costs no stack.
 */
import { type Atom, atomAt } from './acl2-atom';

/** An atom is its text. */
export type Acl2Object = string | Acl2List;

/** `tail` is what the list ends in, null for NIL. */
export interface Acl2List {
  items: Acl2Object[];
  tail: string | null;
}

/** Lists within lists: whoever parses JSON recurs. */
const DEEPEST = 1_000;

const BLANK = /[ \t\r\n\f]*/y;

interface Open extends Acl2List {
  /** `dot`: the atom that comes is the tail. */
  expects: 'items' | 'tail' | 'end';
  /** What a quote stands before ends with its first item. */
  quote: boolean;
}

/** @throws Error why `text` is no object that JSON can tell */
export function readObject(text: string): Acl2Object {
  const reader = new Reader(text);
  const object = reader.read();
  if (!reader.atEnd) throw new Error('more than one object');
  return object;
}

class Reader {
  readonly #text: string;
  readonly #open: Open[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    this.#skipBlank();
    return this.#at === this.#text.length;
  }

  read(): Acl2Object {
    for (;;) {
      const whole = this.#next();
      if (whole !== null) return whole;
    }
  }

  /** Takes the next bracket or atom; answers the object that is whole with it. */
  #next(): Acl2Object | null {
    this.#skipBlank();
    const char = this.#text[this.#at];
    if (char === undefined) throw new Error('an object without its end');
    if (char === '(' || char === "'") return this.#begin(char === "'");
    if (char === ')') return this.#close();
    const atom = atomAt(this.#text, this.#at);
    this.#at = atom.end;
    return this.#putAtom(atom);
  }

  #begin(quote: boolean): null {
    if (this.#open.length === DEEPEST) throw new Error(`more than ${DEEPEST} lists within each other`);
    this.#at += 1;
    this.#open.push({ items: quote ? ['QUOTE'] : [], tail: null, expects: 'items', quote });
    return null;
  }

  #close(): Acl2Object | null {
    this.#at += 1;
    const list = this.#open.pop();
    if (!list || list.quote || list.expects === 'tail') throw new Error('a parenthesis too many');
    return this.#put({ items: list.items, tail: list.tail });
  }

  #putAtom({ text, kind }: Atom): Acl2Object | null {
    const list = this.#open.at(-1);
    if (kind === 'dot') {
      if (list?.expects !== 'items' || list.items.length === 0) throw new Error('a dot out of place');
      list.expects = 'tail';
      return null;
    }
    if (list?.expects !== 'tail') return this.#put(text);
    list.expects = 'end';
    list.tail = kind === 'nil' ? null : text;
    return null;
  }

  /** Puts an object into the list around it; answers it when there is none, for then all is read. */
  #put(object: Acl2Object): Acl2Object | null {
    let element = object;
    for (let list = this.#open.at(-1); list; list = this.#open.at(-1)) {
      if (list.expects !== 'items') throw new Error('a list behind a dot');
      list.items.push(element);
      if (!list.quote) return null;
      this.#open.pop();
      element = { items: list.items, tail: null };
    }
    return element;
  }

  #skipBlank(): void {
    BLANK.lastIndex = this.#at;
    this.#at += BLANK.exec(this.#text)?.[0].length ?? 0;
  }
}
