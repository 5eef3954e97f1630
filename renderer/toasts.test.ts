/** Messages that come, go, and can be read again. */
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

test('failures stay longer; what is gone can be read again, the newest first', () => {
  const { toasts, shown, past } = begin();
  toasts.done('saved');
  toasts.failed('not written');
  vi.advanceTimersByTime(10_000);
  expect(shown()).toEqual(['not written']);
  vi.advanceTimersByTime(15_000);
  expect(shown()).toEqual([]);
  expect(past()).toEqual(['not written', 'saved']);
});

test('none goes while it is looked at', () => {
  let isLookedAt = true;
  const { toasts, shown } = begin(() => isLookedAt);
  toasts.failed('not written');
  vi.advanceTimersByTime(120_000);
  expect(shown()).toEqual(['not written']);
  isLookedAt = false;
  vi.advanceTimersByTime(2_000);
  expect(shown()).toEqual([]);
});

test('who goes elsewhere takes along what is new', () => {
  const { toasts, shown } = begin();
  toasts.failed('not written');
  vi.advanceTimersByTime(8_000);
  toasts.failed('not there');
  toasts.moved();
  expect(shown()).toEqual(['not there']);
});
