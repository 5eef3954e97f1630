/** The difference of two printed values. */
import { expect, it } from 'vitest';
import { differenceOf } from './difference';

it('marks the tokens in which two values differ', () => {
  expect(differenceOf('(("13:24" 5.21) :ok)', '(("13:23" 5.17) :ok)')).toEqual([
    { kind: 'same', text: '((' },
    { kind: 'removed', text: '"13:24"' },
    { kind: 'added', text: '"13:23"' },
    { kind: 'same', text: ' ' },
    { kind: 'removed', text: '5.21' },
    { kind: 'added', text: '5.17' },
    { kind: 'same', text: ') :ok)' },
  ]);
});

it.each([
  ['(1 2 3)', '(1 3)'],
  ['nil', '(:a "b c" [1 2])'],
  ['"a \\" b"', '"a \\" c"'],
])('keeps every character of %s and %s', (expected, actual) => {
  const parts = differenceOf(expected, actual) ?? [];
  const without = (kind: string) =>
    parts
      .filter((part) => part.kind !== kind)
      .map(({ text }) => text)
      .join('');
  expect(without('added')).toBe(expected);
  expect(without('removed')).toBe(actual);
});

it('does not compare equal values or very long ones', () => {
  expect(differenceOf('1', '1')).toBeNull();
  expect(differenceOf('1', 'x '.repeat(2_000))).toBeNull();
});
