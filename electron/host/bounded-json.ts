/**
 * Parses JSON that somebody else wrote. What it would cost is counted before anything is made of it: a parser takes seconds,
 * or all memory, for millions of small values, and next to nothing for one long string. Pure.
 */

import { parseWellFormed } from './well-formed';

export interface JsonBounds {
  /** Lists and objects inside each other. */
  depth: number;
  /** Values, names of members included. */
  values: number;
}

/** An image's longest honest answers have a tenth of that. */
const USUAL: JsonBounds = { depth: 100, values: 200_000 };

/** JSON that is well formed for all that is known, and too much. */
export class JsonTooLarge extends Error {
  override readonly name = 'JsonTooLarge';
}

/** @throws SyntaxError for what is no JSON, JsonTooLarge for what goes beyond the bounds */
export function boundedJson(text: string, bounds: JsonBounds = USUAL): unknown {
  count(text, bounds);
  return parseWellFormed(text);
}

/** As `boundedJson`, with strings as they were sent, halves of characters too: their sender may get them back. */
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
    if (depth > bounds.depth) throw new JsonTooLarge(`it nests more than ${bounds.depth} lists and objects`);
    if (values > bounds.values) throw new JsonTooLarge(`it has more than ${bounds.values} values`);
  }
}

/** Where the string ends that begins at `start`; the length of `text` where it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === CODE.backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
