/** Data as Clojure code (https://clojure.org/reference/reader): objects are maps with keywords for keys. */

export type ClojureData =
  | string
  | number
  | boolean
  | null
  | readonly ClojureData[]
  | { readonly [key: string]: ClojureData | undefined };

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
