/** Clojure code that the harbor writes (https://clojure.org/reference/reader): data, and the expansion of a form. */
import type { OneForm } from '../../source/code';

export type ClojureData =
  | string
  | number
  | boolean
  | null
  | readonly ClojureData[]
  | { readonly [key: string]: ClojureData | undefined };

/** Objects are maps with keywords for keys; what is undefined is left out. */
export function clojureData(value: ClojureData): string {
  if (value === null) return 'nil';
  // Clojure's strings know every escape that JSON writes.
  if (typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(clojureData).join(' ')}]`;
  const entries = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`:${key} ${clojureData(item)}`],
  );
  return `{${entries.join(' ')}}`;
}

function isList(value: object): value is readonly ClojureData[] {
  return Array.isArray(value);
}

const EXPANSIONS = {
  once: (form: OneForm) => `(macroexpand-1 '${form}\n)`,
  full: (form: OneForm) => `(do (require 'clojure.walk) (clojure.walk/macroexpand-all '${form}\n))`,
} as const;

/** Code whose value is the expansion of `form`, on whatever runs Clojure. */
export function expansionCode(form: OneForm, extent: 'once' | 'full'): string {
  return EXPANSIONS[extent](form);
}
