/** Object handles as text: they say which image of the session they belong to. */
import { expect, it } from 'vitest';
import { objectHandle, objectOf } from '../../electron/sessions/parsed-arguments';

it('name an object of one image', () => {
  expect(objectHandle(12, 1)).toBe('#o12');
  expect(objectHandle(12, 3)).toBe('#o12.3');
  for (const generation of [1, 2, 30]) expect(objectOf(objectHandle(7, generation), generation)).toBe(7);
});

it('are refused for another image', () => {
  for (const [handle, generation] of [
    ['#o12', 2],
    ['#o12.2', 1],
    ['#o12.2', 3],
  ] as const)
    expect(() => objectOf(handle, generation)).toThrow(expect.objectContaining({ code: 'unknown_handle' }));
});

it.each(['o12', '#o', '#o-1', '#o1.', '#o1.2.3', '#o1 ', '#o99999999999999999'])('%j is none', (text) => {
  expect(() => objectOf(text, 1)).toThrow(expect.objectContaining({ code: 'bad_arguments' }));
});
