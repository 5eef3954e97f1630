/** What a person asks for in the window, with main's side of the bridge played by the test. */
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { createStore } from 'zustand';
import type { SessionView } from '../electron/contract/model';
import { Actions } from './actions';
import { type LiveState, NOTHING_LIVE } from './live';
import { type Place, START } from './route';
import { type Toast, Toasts } from './toasts';

const SESSION: SessionView = {
  id: 's1',
  engine: 'sbcl',
  name: 'quay',
  state: 'idle',
  package: 'CL-USER',
  client: 'you',
  project: '/p',
  pid: 1,
  memoryBytes: 1,
  startedAt: 0,
  lastUsedAt: 0,
  generation: 1,
  sandbox: { confined: true, launcher: 'bubblewrap' },
  runningEvaluation: null,
  limits: { heapMiB: 2048, cpuSeconds: null, outputChars: 4_194_304 },
  hold: false,
  checkpoints: true,
  comesBack: { checkpoint: null, definitions: true },
  slime: true,
  world: false,
  trust: null,
};

/** A window that has asked for a session; `arrive` is when main has opened it. */
function asked(from: Partial<Place>) {
  const live = createStore<LiveState>(() => NOTHING_LIVE);
  const place = createStore<Place>(() => ({ ...START, ...from }));
  const toasts = createStore<readonly Toast[]>(() => []);
  const { promise: reply, resolve } = Promise.withResolvers<unknown>();
  vi.stubGlobal('window', { bridge: { invoke: () => reply } });
  const actions = new Actions({ live, place, queries: new QueryClient(), toasts: new Toasts(toasts) });
  const opening = actions.openings.session();
  const arrive = async () => {
    resolve({ ok: true, value: SESSION });
    await opening;
  };
  return { live, place, toasts, arrive };
}

describe('a session that was asked for', () => {
  it('is shown with its REPL', async () => {
    const { live, place, toasts, arrive } = asked({ view: 'home' });
    expect(live.getState().opening).toBe('');
    await arrive();
    expect(live.getState().opening).toBeNull();
    expect(live.getState().sessions.get('s1')).toEqual(SESSION);
    expect(place.getState()).toMatchObject({ view: 'sessions', session: 's1', tab: 'repl', typing: true });
    expect(toasts.getState()).toEqual([]);
  });

  it.each<[string, Partial<Place>, Partial<Place>]>([
    ['to another view', { view: 'home' }, { view: 'history' }],
    ['to another session', { view: 'sessions', session: 'a' }, { session: 'b' }],
  ])('leaves a person who has gone %s meanwhile there, and says so', async (_, from, to) => {
    const { live, place, toasts, arrive } = asked(from);
    place.setState(to);
    const before = place.getState();
    await arrive();
    expect(live.getState().sessions.get('s1')).toEqual(SESSION);
    expect(place.getState()).toEqual(before);
    expect(toasts.getState()).toMatchObject([{ tone: 'done', text: 'Session quay is open.' }]);
  });
});
