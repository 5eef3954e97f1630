/**
 * JSON from untrusted sources. The number of values and the depth are counted before parsing, because a
 * parser needs seconds, or all memory, for millions of small values. Pure.
 */
import { createHash } from 'node:crypto';

interface JsonBounds {
  /** Maximum nesting of arrays and objects. */
  depth: number;
  /** Maximum number of values, member names included. */
  values: number;
}

/** The longest legitimate messages of an image have a tenth of this. */
const USUAL: JsonBounds = { depth: 100, values: 200_000 };

/** Thrown for JSON that exceeds the bounds. */
export class JsonTooLarge extends Error {
  override readonly name = 'JsonTooLarge';
}

/** @throws SyntaxError for invalid JSON, JsonTooLarge for JSON that exceeds the bounds */
export function boundedJson(text: string, bounds: JsonBounds = USUAL): unknown {
  count(text, bounds);
  return parseWellFormed(text);
}

/** As `boundedJson`, but returns undefined where that throws. */
export function boundedJsonOrUndefined(text: string): unknown {
  try {
    return boundedJson(text);
  } catch {
    return undefined;
  }
}

/** As `boundedJson`, but keeps lone surrogates in strings, because they may be sent back. */
export function exactJson(text: string): unknown {
  count(text, USUAL);
  return JSON.parse(text);
}

const CODE = { quote: 0x22, comma: 0x2c, colon: 0x3a, backslash: 0x5c };
const OPENS: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSES: ReadonlySet<number> = new Set([0x5d, 0x7d]);

function count(text: string, bounds: JsonBounds): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === CODE.quote) at = endOfString(text, at);
    else if (code === CODE.comma || code === CODE.colon) values += 1;
    else if (OPENS.has(code)) {
      depth += 1;
      values += 1;
    } else if (CLOSES.has(code)) depth -= 1;
    if (depth > bounds.depth) throw new JsonTooLarge(`it nests more than ${bounds.depth} arrays and objects`);
    if (values > bounds.values) throw new JsonTooLarge(`it has more than ${bounds.values} values`);
  }
}

/** Returns the end of the string that begins at `start`, or the length of `text` if it is not closed. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === CODE.backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/** A lone surrogate: with the flag `u` a pair is one character, which does not match. */
const HALF = /\p{Surrogate}/gu;

/** JSON that may contain an escaped lone surrogate. */
const MENTIONED = /\\u[dD][89a-fA-F]/;

export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.replace(HALF, visible);
}

/**
 * Returns the data with well-formed strings. A lone surrogate, which readers of JSON or UTF-8 reject, is
 * shown as an escape: `\\ud800`. Data without one is returned as it is, not copied.
 */
export function wellFormedData<T>(data: T): T;
export function wellFormedData(data: unknown): unknown {
  return isWellFormedData(data) ? data : mended(data);
}

function isWellFormedData(data: unknown): boolean {
  if (typeof data === 'string') return data.isWellFormed();
  if (Array.isArray(data)) return data.every(isWellFormedData);
  if (!isPlain(data)) return true;
  for (const name in data) if (!name.isWellFormed() || !isWellFormedData(data[name])) return false;
  return true;
}

function mended(data: unknown): unknown {
  if (typeof data === 'string') return wellFormed(data);
  if (Array.isArray(data)) return data.map(mended);
  if (!isPlain(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [wellFormed(name), mended(value)]));
}

/** Parses JSON into well-formed strings. @throws SyntaxError */
export function parseWellFormed(json: string): unknown {
  const data: unknown = JSON.parse(json);
  return MENTIONED.test(json) ? wellFormedData(data) : data;
}

/** Returns a SHA-256 that is equal for equal data, whatever the order of members. */
export function fingerprint(data: unknown): string {
  const json = JSON.stringify(data, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
  return createHash('sha256')
    .update(json ?? '')
    .digest('hex');
}

function isPlain(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && Object.getPrototypeOf(data) === Object.prototype;
}

function visible(half: string): string {
  return `\\u${half.charCodeAt(0).toString(16)}`;
}
