/**
 * Text that any reader of JSON or UTF-8 takes. A string of JavaScript may hold half a character: a surrogate of UTF-16
 * (D800 to DFFF) without the other one. Such a half is shown as an escape that a person sees, `\ud800`. Pure.
 */

/** A surrogate that is no half of a pair: with the flag `u` a pair is one character, which is none of these. */
const HALF = /\p{Surrogate}/gu;

/** JSON in which an escape may be one. */
const MENTIONED = /\\u[dD][89a-fA-F]/;

export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.replace(HALF, visible);
}

/** The same data with well-formed strings. What is so already is no copy. */
export function wellFormedData<T>(data: T): T;
export function wellFormedData(data: unknown): unknown {
  if (typeof data === 'string') return wellFormed(data);
  if (Array.isArray(data)) return changed(data, (item) => wellFormedData(item));
  if (!isPlain(data)) return data;
  const entries = Object.entries(data);
  const fit = changed(entries, (entry) => changed(entry, (part) => wellFormedData(part)));
  return fit === entries ? data : Object.fromEntries(fit);
}

/** Reads JSON. @throws SyntaxError */
export function parseWellFormed(json: string): unknown {
  const data: unknown = JSON.parse(json);
  return MENTIONED.test(json) ? wellFormedData(data) : data;
}

/** `items` themselves where `change` leaves each as it is. */
function changed<T extends unknown[]>(items: T, change: (item: T[number]) => T[number]): T;
function changed(items: unknown[], change: (item: unknown) => unknown): unknown[] {
  const results = items.map(change);
  return results.every((result, index) => result === items[index]) ? items : results;
}

function isPlain(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && Object.getPrototypeOf(data) === Object.prototype;
}

function visible(half: string): string {
  return `\\u${half.charCodeAt(0).toString(16)}`;
}
