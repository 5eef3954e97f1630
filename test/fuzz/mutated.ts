/** Inputs like real ones: recorded texts, each changed in some places. Bytes are characters of the same codes (Latin-1). */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';

/** What parsers stumble over, whatever they read. */
const ANYWHERE = [
  ...[
    '',
    '\0',
    '\n',
    '\r\n',
    '\r',
    '\t',
    ' ',
    '"',
    '\\',
    "'",
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ':',
    ',',
    '.',
    '#',
    '|',
  ],
  ...['0', '-1', '1e999', '99999999999999999999', '4294967296', 'ffffff'],
  ...['__proto__', 'constructor', 'toString', 'null', 'nil', '\x1e', '\x7f'],
];

/** Of text: blanks that are none to everybody, halves of characters, marks. */
const IN_TEXT = ['\u00a0', '\u2028', '\ufeff', '\ud83d', '\ude00', '😀', 'é', '\ufffd', '\u202e'];

/** Of bytes: what is no UTF-8, and what only looks like it. */
const IN_BYTES = [
  '\xff',
  '\xfe\xff',
  '\xc3',
  '\x80',
  '\xed\xa0\x80',
  '\xf0\x9f\x98',
  '\xef\xbb\xbf',
  '\xc3\xa9',
];

export interface Recorded {
  /** Whole inputs as they really come. */
  seeds: readonly string[];
  /** Words and signs of the syntax. */
  tokens: readonly string[];
}

/** One change. */
type Change =
  | { kind: 'put'; at: number; token: string; times: number }
  | { kind: 'replace'; at: number; length: number; token: string }
  | { kind: 'cut'; at: number; length: number }
  | { kind: 'repeat'; at: number; length: number; times: number }
  | { kind: 'splice'; at: number; from: number; length: number; seed: string }
  | { kind: 'flip'; at: number; bit: number };

/** A place in a text, as a part of 65536. */
export const place = fc.nat({ max: 65_535 });
/** Characters that one change is about. */
export const length = fc.oneof(fc.nat({ max: 8 }), fc.nat({ max: 200 }));
/** Mostly once; often enough to nest deeper than is allowed. */
const times = fc.oneof(
  { weight: 4, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.nat({ max: 1_500 }) },
);

export function mutatedText(recorded: Recorded): fc.Arbitrary<string> {
  return mutated(recorded, [...ANYWHERE, ...IN_TEXT]);
}

/** @param recorded as Latin-1 */
export function mutatedBytes(recorded: Recorded): fc.Arbitrary<Buffer> {
  return mutated(recorded, [...ANYWHERE, ...IN_BYTES]).map((text) => Buffer.from(text, 'latin1'));
}

function mutated({ seeds, tokens }: Recorded, anywhere: readonly string[]): fc.Arbitrary<string> {
  const changes = fc.array(changeOf(seeds, fc.constantFrom(...tokens, ...anywhere)), { maxLength: 6 });
  return fc.tuple(fc.constantFrom(...seeds), changes).map(([seed, made]) => made.reduce(changed, seed));
}

function changeOf(seeds: readonly string[], token: fc.Arbitrary<string>): fc.Arbitrary<Change> {
  const at = place;
  return fc.oneof(
    fc.record({ kind: fc.constant('put' as const), at, token, times }),
    fc.record({ kind: fc.constant('replace' as const), at, length, token }),
    fc.record({ kind: fc.constant('cut' as const), at, length }),
    fc.record({ kind: fc.constant('repeat' as const), at, length, times: fc.nat({ max: 50 }) }),
    fc.record({
      kind: fc.constant('splice' as const),
      at,
      from: place,
      length,
      seed: fc.constantFrom(...seeds),
    }),
    fc.record({ kind: fc.constant('flip' as const), at, bit: fc.nat({ max: 7 }) }),
  );
}

function changed(text: string, change: Change): string {
  const at = positionIn(text, change.at);
  switch (change.kind) {
    case 'put':
      return spliced(text, at, at, change.token.repeat(change.times));
    case 'replace':
      return spliced(text, at, at + change.length, change.token);
    case 'cut':
      return spliced(text, at, at + change.length, '');
    case 'repeat':
      return spliced(text, at, at, text.slice(at, at + change.length).repeat(change.times));
    case 'splice': {
      const from = positionIn(change.seed, change.from);
      return spliced(text, at, at, change.seed.slice(from, from + change.length));
    }
    case 'flip':
      return spliced(text, at, at + 1, String.fromCharCode(text.charCodeAt(at) ^ (1 << change.bit)));
  }
}

export function positionIn(text: string, part: number): number {
  return Math.trunc((part * text.length) / 65_536);
}

function spliced(text: string, start: number, end: number, put: string): string {
  return text.slice(0, start) + put + text.slice(end);
}

/** The bytes in pieces, cut anywhere; together they are the same. */
export function inPieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = cuts.map((cut) => Math.trunc((cut * bytes.length) / 65_536)).toSorted((a, b) => a - b);
  return [...places, bytes.length].map((end, index) => bytes.subarray(places[index - 1] ?? 0, end));
}

/** For `inPieces`. */
export const cuts: fc.Arbitrary<number[]> = fc.array(place, { maxLength: 12 });
