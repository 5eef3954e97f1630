/** Checks the suite itself: its size, and that every attack is proven to work somewhere. */
import { expect, it } from 'vitest';
import { SANDBOXES } from './launchers';
import { PROGRAMS } from './programs/all';

const ENGINES = 6;

it('has programs that attack in different ways, and hundreds of attempts', () => {
  const names = PROGRAMS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(300);
  expect(names.length * ENGINES * SANDBOXES.length).toBeGreaterThan(400);
});

it('says of each that is not tried unconfined why, and of few', () => {
  const blind = PROGRAMS.flatMap(({ unreachable }) => unreachable ?? []);
  expect(blind.every((why) => why.length > 0)).toBe(true);
  expect(blind.length).toBeLessThan(PROGRAMS.length / 10);
});
