/**
 * The data of Swank's protocol: s-expressions as printed by `prin1` under `with-standard-io-syntax`
 * (swank/rpc.lisp of SLIME). NIL is the empty array.
 */

import { readSexp, type SexpData, stringRead } from '../../source/s-expression';

/** A symbol; `name` is lower case, with its package prefix. */
export class LispSymbol {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A list that does not end in NIL, such as `(1 . 2)`. */
export interface DottedList {
  items: Sexp[];
  tail: Sexp;
}

export type Sexp = string | number | LispSymbol | Sexp[] | DottedList;

// Typed as a normal list, but shared, so frozen.
export const NIL: Sexp = Object.freeze<Sexp[]>([]) as [];

const INTEGER = /^[+-]?\d+$/;
const FLOAT = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[esfdl][+-]?\d+)?$/i;

const SWANK: SexpData<Sexp> = {
  atom: atomOf,
  list: (items, tail) => (tail === null ? items : joined(items, tail)),
  quote: new LispSymbol('quote'),
  // Swank's own messages have a depth of six.
  deepest: 1_000,
  most: 500_000,
};

/** @throws SyntaxError if `text` is not exactly one s-expression of the protocol */
export function parsedSexp(text: string): Sexp {
  return readSexp(text, SWANK);
}

function atomOf(written: string): Sexp {
  if (written.startsWith('"')) return stringRead(written);
  if (/^(?:[`,]|#(?![:\\]))/.test(written)) throw new SyntaxError('an unreadable object');
  if (INTEGER.test(written)) return numberOr(written, Number(written));
  if (FLOAT.test(written)) return numberOr(written, Number(written.replace(/[sfdl]/i, 'e')));
  return /^nil$/i.test(written) ? [] : new LispSymbol(written.toLowerCase());
}

/** Keeps a number as a symbol if it has no exact representation here. */
function numberOr(written: string, number: number): Sexp {
  const isExact = Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
  return isExact ? number : new LispSymbol(written.toLowerCase());
}

/** `(a . (b c))` is `(a b c)`. */
function joined(items: Sexp[], tail: Sexp): Sexp {
  if (Array.isArray(tail)) return [...items, ...tail];
  const isDotted = typeof tail === 'object' && 'items' in tail;
  return isDotted ? { items: [...items, ...tail.items], tail: tail.tail } : { items, tail };
}

/** Returns the same data with other names of symbols. */
export function withSymbols(value: Sexp, named: (name: string) => string): Sexp {
  if (value instanceof LispSymbol) return new LispSymbol(named(value.name));
  return Array.isArray(value) ? value.map((each) => withSymbols(each, named)) : value;
}

export function symbol(name: string): LispSymbol {
  return new LispSymbol(name);
}

/** Returns a call of the function `name`, which must include its package: `swank:connection-info`. */
export function lispCall(name: string, ...args: Sexp[]): Sexp[] {
  return [symbol(name), ...args];
}

/** Quotes data, so that it is not evaluated. */
export function quoted(value: Sexp): Sexp[] {
  return [symbol('quote'), value];
}

/**
 * Builds a property list, such as keyword arguments; skips undefined values, and maps true to T and false to
 * NIL.
 */
export function propertyList(properties: Record<string, Sexp | boolean | undefined>): Sexp[] {
  return Object.entries(properties).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [symbol(`:${name}`), typeof value === 'boolean' ? lispBoolean(value) : value];
  });
}

export function lispBoolean(value: boolean): Sexp {
  return value ? symbol('t') : NIL;
}

/** Prints for the strictest reader of the protocol: one space between elements, integers only. */
export function printSexp(value: Sexp): string {
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
  if (typeof value === 'number') return String(Math.trunc(value));
  if (value instanceof LispSymbol) return value.name;
  if (Array.isArray(value)) return value.length === 0 ? 'nil' : `(${value.map(printSexp).join(' ')})`;
  return `(${value.items.map(printSexp).join(' ')} . ${printSexp(value.tail)})`;
}

export function isNil(value: Sexp | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

export function isSymbol(value: Sexp | undefined, name: string): boolean {
  return value instanceof LispSymbol && value.name === name;
}

/** Returns the elements of a list; none if it is not a list. */
export function elementsOf(value: Sexp | undefined): Sexp[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the text of a string; undefined if it is not a string. */
export function textOf(value: Sexp | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the strings of a list, skipping other elements. */
export function textsOf(value: Sexp | undefined): string[] {
  return elementsOf(value).filter((element) => typeof element === 'string');
}

/** Returns the value after the keyword `:name` in a property list. */
export function propertyOf(list: Sexp | undefined, name: string): Sexp | undefined {
  const elements = elementsOf(list);
  const at = elements.findIndex((element) => isSymbol(element, `:${name}`));
  return at === -1 ? undefined : elements[at + 1];
}
