/** Opening sessions in the window. The test plays main's side of the bridge. */
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { createStore } from 'zustand';
import { wordsOf } from '../electron/words/words';
import { Actions } from './actions';
import { type LiveState, NOTHING_LIVE } from './live';
import { type Route, START_ROUTE } from './route';
import { sessionView } from './test-rows';
import { NO_TOASTS, type ToastState, Toasts } from './toasts';
import { INITIAL_VIEW_STATE } from './view-state';

const SESSION = sessionView('s1', { name: 'quay' });

/** A window that is opening a session; `arrive` completes the opening. */
function openingFrom(from: Partial<Route>) {
  const live = createStore<LiveState>(() => NOTHING_LIVE);
  const route = createStore<Route>(() => ({ ...START_ROUTE, ...from }));
  const toasts = createStore<ToastState>(() => NO_TOASTS);
  const { promise: reply, resolve } = Promise.withResolvers<unknown>();
  vi.stubGlobal('window', { bridge: { invoke: () => reply } });
  const actions = new Actions({
    live,
    route,
    viewState: createStore(() => INITIAL_VIEW_STATE),
    queries: new QueryClient(),
    toasts: new Toasts(toasts),
    words: () => wordsOf('en'),
  });
  const opening = actions.opener.open();
  const arrive = async () => {
    resolve({ ok: true, value: SESSION });
    await opening;
  };
  return { live, route, toasts, arrive };
}

describe('an opened session', () => {
  it('is shown with its REPL', async () => {
    const { live, route, toasts, arrive } = openingFrom({ view: 'home' });
    expect(live.getState().opening).toBe('');
    await arrive();
    expect(live.getState().opening).toBeNull();
    expect(live.getState().sessions.get('s1')).toEqual(SESSION);
    expect(route.getState()).toMatchObject({ view: 'sessions', session: 's1', typing: true });
    expect(toasts.getState().shown).toEqual([]);
  });

  it.each<[string, Partial<Route>, Partial<Route>]>([
    ['to another view', { view: 'home' }, { view: 'history' }],
    ['to another session', { view: 'sessions', session: 'a' }, { session: 'b' }],
  ])('does not navigate after a move %s, and shows a message instead', async (_, from, to) => {
    const { live, route, toasts, arrive } = openingFrom(from);
    route.setState(to);
    const before = route.getState();
    await arrive();
    expect(live.getState().sessions.get('s1')).toEqual(SESSION);
    expect(route.getState()).toEqual(before);
    expect(toasts.getState().shown).toMatchObject([{ tone: 'done', text: 'Session quay is open.' }]);
  });
});
