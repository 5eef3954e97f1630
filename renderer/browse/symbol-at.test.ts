/** The symbol at an offset of a text. */
import { expect, it } from 'vitest';
import { nameAt } from './symbol-at';

it('finds the name around the offset or right before it', () => {
  const code = "(mapcar #'cl-user::dist (list a) [b/c d])";
  expect(nameAt(code, 3)).toBe('mapcar');
  expect(nameAt(code, 11)).toBe('cl-user::dist');
  expect(nameAt(code, 23)).toBe('cl-user::dist');
  expect(nameAt(code, 35)).toBe('b/c');
  expect(nameAt('*TIDES* is bound.', 2)).toBe('*TIDES*');
  expect(nameAt('held by DIST.', 10)).toBe('DIST');
});

it('finds nothing in blanks, brackets and numbers', () => {
  expect(nameAt('(  )', 2)).toBeNull();
  expect(nameAt('42', 1)).toBeNull();
  expect(nameAt('', 0)).toBeNull();
});
