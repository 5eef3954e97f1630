/** Invalidation of cached answers by events. The test plays main's side of the bridge. */
import { afterEach, expect, it, vi } from 'vitest';
import { createStore } from 'zustand';
import type { EventName } from '../electron/contract/channels';
import { createQueries, followEvents } from './bridge-queries';
import { type LiveState, NOTHING_LIVE } from './live';
import { sessionView } from './test-rows';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page with one cached answer of a session's image and one page of the history. */
function page() {
  const listeners = new Map<EventName, (payload: unknown) => void>();
  const on = (event: EventName, listener: (payload: unknown) => void) => {
    listeners.set(event, listener);
    return () => listeners.delete(event);
  };
  vi.stubGlobal('window', { bridge: { on } });
  const queries = createQueries();
  const live = createStore<LiveState>(() => NOTHING_LIVE);
  followEvents(queries, live);
  const isStale = (queryKey: readonly string[]) => queries.getQueryState(queryKey)?.isInvalidated;
  const fill = () => {
    queries.setQueryData(['image', 's1', 'failure'], null);
    queries.setQueryData(['history', 'all'], []);
  };
  fill();
  const emit = (event: EventName, payload: unknown) => listeners.get(event)?.(payload);
  return { live, emit, fill, isStale };
}

it('an evaluation makes the answers of its image stale', () => {
  const { emit, fill, isStale } = page();
  const session = sessionView('s1', { state: 'idle', lastUsedAt: 1 });
  emit('session:changed', session);
  fill();
  emit('session:changed', { ...session, lastUsedAt: 2 });
  expect(isStale(['image', 's1', 'failure'])).toBe(true);
  fill();
  emit('session:changed', { ...session, lastUsedAt: 2, generation: session.generation + 1 });
  expect(isStale(['image', 's1', 'failure'])).toBe(true);
});

it('a change of memory, name or note does not make them stale', () => {
  const { emit, fill, isStale } = page();
  const session = sessionView('s1', { state: 'idle' });
  emit('session:changed', session);
  fill();
  emit('session:changed', { ...session, memoryBytes: 7 });
  emit('session:changed', { ...session, name: 'quay', note: 'mine' });
  expect(isStale(['image', 's1', 'failure'])).toBe(false);
});

it('each drop of old evaluations makes the pages of the history stale once', () => {
  const { live, fill, isStale } = page();
  live.setState({ trims: 1 });
  expect(isStale(['history', 'all'])).toBe(true);
  fill();
  live.setState({ opening: '' });
  expect(isStale(['history', 'all'])).toBe(false);
  live.setState({ trims: 2 });
  expect(isStale(['history', 'all'])).toBe(true);
});
