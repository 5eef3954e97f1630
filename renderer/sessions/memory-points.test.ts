/** The line of a session's memory. */
import { expect, it } from 'vitest';
import { pointsOf } from './memory-points';

it('goes from the left to the right, up as the figure grows', () => {
  expect(pointsOf([100, 200], 38, 12)).toBe('1.0,10.5 37.0,1.5');
});

it('is flat where little changes', () => {
  expect(pointsOf([100, 100, 100], 38, 12)).toBe('1.0,6.0 19.0,6.0 37.0,6.0');
});
