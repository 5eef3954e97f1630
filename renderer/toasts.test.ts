/** Messages that come, go, and can be read again. */
import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand';
import { NO_TOASTS, type ToastState, Toasts } from './toasts';

test('what is gone can be read again, the newest first', () => {
  vi.useFakeTimers();
  const store = createStore<ToastState>(() => NO_TOASTS);
  const toasts = new Toasts(store);
  toasts.done('saved');
  toasts.failed('not written');
  vi.runAllTimers();
  const { shown, past } = store.getState();
  expect(shown.map(({ text }) => text)).toEqual(['not written']);
  expect(past.map(({ text }) => text)).toEqual(['not written', 'saved']);
  vi.useRealTimers();
});
