/** How long a call waits for the turn of its evaluation: as the calls beside it do, or a moment. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TurnDeadlines } from '../../electron/tools/conversation-state';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('knows how long the calls of its conversation wait', () => {
  const awaited = new TurnDeadlines();
  const ends = [awaited.add(1, 45_000), awaited.add(2, 10_000), awaited.add(2, 1_000)];
  vi.advanceTimersByTime(4_000);
  expect(awaited.longest([1, 2])).toBe(41_000);
  expect(awaited.longest([2])).toBe(6_000);
  expect(awaited.longest([1, 3])).toBeNull();
  ends[0]?.();
  expect(awaited.longest([1, 2])).toBeNull();
});

it('does not count calls that were answered and wait for themselves alone', () => {
  const awaited = new TurnDeadlines();
  awaited.add(1, Number.POSITIVE_INFINITY);
  expect(awaited.longest([1])).toBeNull();
});

it('counts those that came at once where several conversations call', () => {
  const awaited = new TurnDeadlines(true);
  awaited.add(1, 45_000);
  expect(awaited.longest([1])).toBe(45_000);
  vi.advanceTimersByTime(2_000);
  expect(awaited.longest([1])).toBeNull();
});
