/** The filtered and sorted list of sessions. */

import { describe, expect, it } from 'vitest';
import { NOTHING_LIVE, withEnded, withSession } from '../live';
import { sessionView as session } from '../test-rows';
import { listedSessions, pointsOf, worthEnding } from './session-list';

describe('sessions', () => {
  const sort = { column: 'age', direction: 'ascending' } as const;

  it('are known after they ended, but not listed', () => {
    const state = withEnded(withSession(NOTHING_LIVE, session('a')), 'a');
    expect(state.sessions.get('a')?.state).toBe('ended');
    expect(listedSessions(state.sessions.values(), '', sort)).toEqual([]);
  });

  it('are listed youngest first, and sorted by any column', () => {
    const rows = [
      session('b', { startedAt: 1, memoryBytes: 5 }),
      session('a', { startedAt: 2, memoryBytes: null }),
    ];
    const names = (...[filter, by]: [string, Parameters<typeof listedSessions>[2]]) =>
      listedSessions(rows, filter, by).map(({ id }) => id);
    expect(names('', sort)).toEqual(['a', 'b']);
    expect(names('', { column: 'memory', direction: 'descending' })).toEqual(['b', 'a']);
    expect(names('', { column: 'name', direction: 'ascending' })).toEqual(['a', 'b']);
  });

  it('are sorted by idle time, except for running and suspended ones', () => {
    const rows = [
      session('old', { lastUsedAt: 1 }),
      session('running', { lastUsedAt: 0, state: 'running' }),
      session('new', { lastUsedAt: 5 }),
      session('held', { lastUsedAt: 2, state: 'debugger', startedAt: -1 }),
    ];
    const names = (direction: 'ascending' | 'descending') =>
      listedSessions(rows, '', { column: 'idle', direction }).map(({ id }) => id);
    expect(names('ascending')).toEqual(['running', 'held', 'new', 'old']);
    expect(names('descending')).toEqual(['old', 'new', 'running', 'held']);
  });

  it('that are worth ending are the largest, and those idle for longest', () => {
    const rows = [
      session('small', { memoryBytes: 1, lastUsedAt: 3 }),
      session('large', { memoryBytes: 9, lastUsedAt: 4, state: 'running' }),
      session('middle', { memoryBytes: 5, lastUsedAt: 2 }),
      session('elsewhere', { memoryBytes: null, lastUsedAt: 1 }),
      session('ended', { memoryBytes: 99, lastUsedAt: 0, state: 'ended' }),
    ];
    const { largest, longestIdle } = worthEnding(rows, 2);
    expect(largest.map(({ id }) => id)).toEqual(['large', 'middle']);
    expect(longestIdle.map(({ id }) => id)).toEqual(['elsewhere', 'middle']);
  });

  it('are found by every word of the filter', () => {
    const rows = [session('a', { client: 'codex' }), session('b', { engine: 'nbb', client: 'codex' })];
    expect(listedSessions(rows, 'codex NBB', sort).map(({ id }) => id)).toEqual(['b']);
  });
});

// The memory graph of a session.

it('goes from left to right, and up with larger values', () => {
  expect(pointsOf([100, 200], 38, 12)).toBe('1.0,10.5 37.0,1.5');
});

it('is flat if the values hardly change', () => {
  expect(pointsOf([100, 100, 100], 38, 12)).toBe('1.0,6.0 19.0,6.0 37.0,6.0');
});
