import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import {
  BencodeDecoder,
  BencodeError,
  type BencodeValue,
  type DecoderLimits,
  encode,
} from '../../electron/host/bencode';

/** Decodes the input in chunks of `size` bytes. */
function decode(
  input: string | Buffer,
  size = Number.POSITIVE_INFINITY,
  limits: Partial<DecoderLimits> = {},
) {
  const values: BencodeValue[] = [];
  const decoder = new BencodeDecoder(limits);
  const bytes = Buffer.from(input);
  for (let at = 0; at < bytes.length; at += size) values.push(...decoder.read(bytes.subarray(at, at + size)));
  return values;
}

const MESSAGE: BencodeValue = {
  op: 'eval',
  code: '(str "λ €" "𝒳") ; été',
  id: '17',
  status: ['done', 'eval-error'],
  nested: { empty: {}, none: [], text: '', deep: [[1, [-2]], { a: 0 }] },
};

describe('encode', () => {
  it('counts bytes, and sorts the keys of a dictionary by bytes', () => {
    expect(encode({ b: 'λ', a: 1, B: [], ä: -5 })).toBe('d1:Ble1:ai1e1:b2:λ2:äi-5ee');
  });

  it('sorts by bytes where that differs from UTF-16', () => {
    expect(encode({ 𝒳: 1, '\uffee': 2 })).toBe('d3:\uffeei2e4:𝒳i1ee');
  });

  it('counts UTF-16 units for servers that do', () => {
    expect(encode({ code: 'λ𝒳' }, 'utf16')).toBe('d4:code3:λ𝒳e');
  });

  it('writes integers of any size, and refuses other numbers', () => {
    expect(encode([0, -1, 2n ** 70n])).toBe('li0ei-1ei1180591620717411303424ee');
    expect(() => encode(1.5)).toThrow(BencodeError);
    expect(() => encode(2 ** 60)).toThrow(BencodeError);
    expect(() => encode(Number.NaN)).toThrow(BencodeError);
  });
});

describe('BencodeDecoder', () => {
  it('reads what was encoded, in chunks of any size', () => {
    const input = Buffer.from(encode(MESSAGE) + encode('next') + encode(MESSAGE));
    for (let size = 1; size <= input.length; size += 1) {
      expect(decode(input, size)).toEqual([MESSAGE, 'next', MESSAGE]);
    }
  });

  it('reads integers beyond 2^53 as bigint and others as numbers', () => {
    expect(decode('i9007199254740991ei9007199254740993ei-9007199254740993ei0ei-3e')).toEqual([
      9007199254740991,
      9007199254740993n,
      -9007199254740993n,
      0,
      -3,
    ]);
  });

  it('accepts unsorted dictionaries, and keys that are special in JavaScript', () => {
    const [value] = decode('d1:b1:11:a1:29:__proto__1:3e');
    expect(Object.entries(value ?? {})).toEqual([
      ['b', '1'],
      ['a', '2'],
      ['__proto__', '3'],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('delivers each value with its last byte', () => {
    const decoder = new BencodeDecoder();
    const read = (bytes: string) => [...decoder.read(Buffer.from(bytes))];
    expect(read('i1ed1:a')).toEqual([1]);
    expect(read('le')).toEqual([]);
    expect(read('e')).toEqual([{ a: [] }]);
  });

  it('reads a large value in small chunks', () => {
    const text = 'λ'.repeat(2_000_000);
    expect(decode(encode([text]), 4096)).toEqual([[text]]);
  });

  it.each([
    ['x', 'does not begin a value'],
    ['e', 'without an open list'],
    ['i01e', '"01" is not an integer'],
    ['i-0e', '"-0" is not an integer'],
    ['ie', '"" is not an integer'],
    ['i1x2e', '"1x2" is not an integer'],
    ['01:a', '"01" is not a string length'],
    ['1x:a', '"1x" is not a string length'],
    ['di1e1:ae', 'key of a dictionary is not a string'],
    ['dlee', 'key of a dictionary is not a string'],
    ['d1:ae', 'ends after a key'],
    [`i${'1'.repeat(5000)}e`, 'integer is too long'],
  ])('refuses %s', (input, message) => {
    expect(() => decode(input)).toThrow(BencodeError);
    expect(() => decode(input, 1)).toThrow(message);
  });

  it('limits depth', () => {
    expect(decode('lllleeee', 1, { depth: 4 })).toEqual([[[[[]]]]]);
    expect(() => decode('llllleeeee', 1, { depth: 4 })).toThrow('nested too deeply');
  });

  it('limits the size of a message before its bytes arrive, for each message anew', () => {
    expect(() => decode('99999999999999:', 1, { bytes: 100 })).toThrow('larger than 100 bytes');
    expect(() => decode(`l${'i1e'.repeat(40)}e`, 7, { bytes: 100 })).toThrow('larger than 100 bytes');
    expect(decode('50:'.concat('x'.repeat(50)).repeat(9), 7, { bytes: 100 })).toHaveLength(9);
  });
});
