/** Bytes as people read them. */
import { expect, it } from 'vitest';
import { octetLines } from './hexadecimal';

it('sixteen octets a line, what cannot be printed is a dot', () => {
  const text = Buffer.from('Lisp harbor\n\u0000at noon').toString('hex');
  expect(octetLines(text)).toEqual([
    { digits: '4c 69 73 70 20 68 61 72 62 6f 72 0a 00 61 74 20', characters: 'Lisp harbor··at ' },
    { digits: '6e 6f 6f 6e', characters: 'noon' },
  ]);
  expect(octetLines('')).toEqual([]);
});
