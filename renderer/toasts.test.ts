/** Display and dismissal of messages. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand';
import { NO_TOASTS, type ToastState, Toasts } from './toasts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function begin(isLookedAt?: () => boolean) {
  const store = createStore<ToastState>(() => NO_TOASTS);
  return {
    toasts: new Toasts(store, isLookedAt),
    shown: () => store.getState().shown.map(({ text }) => text),
    past: () => store.getState().past.map(({ text }) => text),
  };
}

test('failures stay longer; dismissed messages can be read again, newest first', () => {
  const { toasts, shown, past } = begin();
  toasts.done('saved');
  toasts.failed('not written');
  vi.advanceTimersByTime(10_000);
  expect(shown()).toEqual(['not written']);
  vi.advanceTimersByTime(15_000);
  expect(shown()).toEqual([]);
  expect(past()).toEqual(['not written', 'saved']);
});

test('a message stays while it is hovered or focused', () => {
  let isLookedAt = true;
  const { toasts, shown } = begin(() => isLookedAt);
  toasts.failed('not written');
  vi.advanceTimersByTime(120_000);
  expect(shown()).toEqual(['not written']);
  isLookedAt = false;
  vi.advanceTimersByTime(2_000);
  expect(shown()).toEqual([]);
});

test('navigation dismisses all but new messages', () => {
  const { toasts, shown } = begin();
  toasts.failed('not written');
  vi.advanceTimersByTime(8_000);
  toasts.failed('not there');
  toasts.moved();
  expect(shown()).toEqual(['not there']);
});
