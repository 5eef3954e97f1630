/** Strings with half characters, which no JSON and no UTF-8 can hold, made such that it can. */
import { describe, expect, it } from 'vitest';
import { parseWellFormed, wellFormed, wellFormedData } from '../../electron/host/json';

it.each([
  ['text', 'text'],
  ['a pair 😀', 'a pair 😀'],
  ['\ud800', String.raw`\ud800`],
  ['a\udc00b\ud83d', String.raw`a\udc00b\ud83d`],
  ['\ude00\ud83d', String.raw`\ude00\ud83d`],
  ['\ud83d\ud83d\ude00', `${String.raw`\ud83d`}😀`],
])('%j', (text, expected) => {
  expect(wellFormed(text)).toBe(expected);
});

describe('data', () => {
  it('that is well-formed is left alone', () => {
    const data = { a: ['x', 1, null, { b: true }] };
    expect(wellFormedData(data)).toBe(data);
  });

  it('is mended wherever it is not', () => {
    expect(wellFormedData({ a: [{ '\ud800': '\udfff' }, 1], b: 'b' })).toEqual({
      a: [{ '\\ud800': '\\udfff' }, 1],
      b: 'b',
    });
  });

  it('is read from JSON', () => {
    expect(parseWellFormed(String.raw`["\ud800", "\ud83d\ude00", "\\ud800"]`)).toEqual([
      String.raw`\ud800`,
      '😀',
      String.raw`\ud800`,
    ]);
  });
});
