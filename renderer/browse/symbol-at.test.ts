/** Which symbol stands at a place in a text. */
import { expect, it } from 'vitest';
import { nameAt } from './symbol-at';

it('the name is the one that the offset is in, or right behind', () => {
  const code = "(mapcar #'cl-user::dist (list a) [b/c d])";
  expect(nameAt(code, 3)).toBe('mapcar');
  expect(nameAt(code, 11)).toBe('cl-user::dist');
  expect(nameAt(code, 23)).toBe('cl-user::dist');
  expect(nameAt(code, 35)).toBe('b/c');
  expect(nameAt('*TIDES* is bound.', 2)).toBe('*TIDES*');
  expect(nameAt('held by DIST.', 10)).toBe('DIST');
});

it('blanks, brackets and numbers are no names', () => {
  expect(nameAt('(  )', 2)).toBeNull();
  expect(nameAt('42', 1)).toBeNull();
  expect(nameAt('', 0)).toBeNull();
});
