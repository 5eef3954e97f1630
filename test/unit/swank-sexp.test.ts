/** Reading and printing the data of Swank's protocol. */
import { describe, expect, it } from 'vitest';
import {
  LispSymbol,
  lispCall,
  parsedSexp,
  printSexp,
  propertyList,
  propertyOf,
  type Sexp,
  symbol,
} from '../../electron/images/swank/sexp';

describe('reading', () => {
  it.each<[string, Sexp]>([
    ['12', 12],
    ['-7', -7],
    ['1.5d0', 1.5],
    ['0.25', 0.25],
    ['"a \\"b\\" \\\\ λ\n😀"', 'a "b" \\ λ\n😀'],
    [':Return', symbol(':return')],
    ['swank::|odd (name|', symbol('swank::|odd (name|')],
    ['|a \\| b|', symbol('|a \\| b|')],
    ['#:gone', symbol('#:gone')],
    ['nil', []],
    ['()', []],
    ['( )', []],
    ['T', symbol('t')],
    ['(1 (2 "3") nil)', [1, [2, '3'], []]],
    ["'a", [symbol('quote'), symbol('a')]],
    ["('(1) 2)", [[symbol('quote'), [1]], 2]],
    ['(1 . 2)', { items: [1], tail: 2 }],
    ['(1 . (2 3))', [1, 2, 3]],
    ['(1 . (2 . 3))', { items: [1, 2], tail: 3 }],
    ['(1 . nil)', [1]],
    ['  (a)\n', [symbol('a')]],
    ['#\\a', symbol('#\\a')],
  ])('%s', (text, value) => {
    expect(parsedSexp(text)).toEqual(value);
  });

  it.each([
    '',
    '(',
    ')',
    '(1',
    '"open',
    '"open\\',
    '(1 . )',
    '( . 1)',
    '(1 . 2 3)',
    '(1))',
    '1 2',
    "'",
    "(')",
    '#<FUNCTION CAR>',
    '(:return (:ok #<A (B) C>) 1)',
  ])('refuses %s', (text) => {
    expect(() => parsedSexp(text)).toThrow();
  });

  it('accepts long strings and lists, and refuses excessive depth', () => {
    const long = 'x'.repeat(5_000_000);
    expect(parsedSexp(`("${long}")`)).toEqual([long]);
    expect(parsedSexp(`(${'1 '.repeat(300_000)})`)).toHaveLength(300_000);
    expect(parsedSexp('('.repeat(900) + ')'.repeat(900))).toHaveLength(1);
    expect(() => parsedSexp('('.repeat(1_000_000))).toThrow(/nested lists/);
  });
});

describe('writing', () => {
  it.each<[Sexp, string]>([
    [lispCall('swank:f', 'a"\\b', [], -3), '(swank:f "a\\"\\\\b" nil -3)'],
    [propertyList({ limit: 3, safe: true, keep: false, frame: undefined }), '(:limit 3 :safe t :keep nil)'],
    [{ items: [1], tail: 2 }, '(1 . 2)'],
  ])('%j', (value, text) => {
    expect(printSexp(value)).toBe(text);
    expect(parsedSexp(text)).toEqual(value);
  });

  it('finds the value of a property', () => {
    const list = parsedSexp('(:a 1 :b (2) :c)');
    expect(propertyOf(list, 'b')).toEqual([2]);
    expect(propertyOf(list, 'c')).toBeUndefined();
    expect(propertyOf(list, 'none')).toBeUndefined();
    expect(propertyOf(new LispSymbol('x'), 'a')).toBeUndefined();
  });
});
