/** How many images the pool wants ready. */
import { expect, it } from 'vitest';
import { REMEMBERED_MS, recent, wanted } from '../../electron/images/pool';

const openings = (count: number) => Array.from({ length: count }, (_, index) => index);

it('grows with what was opened, slowly, and not for ever', () => {
  expect([0, 1, 2, 3, 4, 7, 8, 15, 1000].map((count) => wanted(openings(count)))).toEqual([
    0, 1, 1, 2, 2, 3, 3, 4, 4,
  ]);
});

it('forgets what was opened long ago', () => {
  expect(recent([0, 1, 2], REMEMBERED_MS)).toEqual([1, 2]);
  expect(recent([0, 1, 2], 2 * REMEMBERED_MS)).toEqual([]);
});
