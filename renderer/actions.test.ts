/** Checkpoint actions of the window. The test plays main's side of the bridge. */
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { createStore } from 'zustand';
import type { CheckpointView } from '../electron/contract/changes';
import { wordsOf } from '../electron/words/words';
import { Actions } from './actions';
import { type LiveState, NOTHING_LIVE } from './live';
import { type Route, START_ROUTE } from './route';
import { NO_TOASTS, type ToastState, Toasts } from './toasts';
import { INITIAL_VIEW_STATE } from './view-state';

const CALM: CheckpointView = {
  id: 3,
  name: 'calm',
  session: 'sbcl-1',
  engine: 'sbcl',
  client: 'you',
  project: '/p',
  package: 'CL-USER',
  bytes: 1,
  missing: [],
  savedAt: 0,
  savedAfter: 0,
  usedBy: [],
};

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A window in which main answers every call with `reply`. */
function answering(reply: { ok: true; value: unknown } | { ok: false; code: string; message: string }) {
  const calls: unknown[][] = [];
  const invoke = async (...call: unknown[]) => {
    calls.push(call);
    return reply;
  };
  vi.stubGlobal('window', { bridge: { invoke } });
  const toasts = createStore<ToastState>(() => NO_TOASTS);
  const actions = new Actions({
    live: createStore<LiveState>(() => NOTHING_LIVE),
    route: createStore<Route>(() => START_ROUTE),
    viewState: createStore(() => INITIAL_VIEW_STATE),
    queries: new QueryClient(),
    toasts: new Toasts(toasts),
    words: () => wordsOf('en'),
  });
  return {
    actions,
    calls,
    messages: () => toasts.getState().shown.map(({ tone, text }) => `${tone}: ${text}`),
  };
}

it('main names a checkpoint that is saved without a name', async () => {
  const { actions, calls, messages } = answering({ ok: true, value: CALM });
  await actions.saveCheckpoint('sbcl-1', '');
  await actions.saveCheckpoint('sbcl-1', 'calm');
  expect(calls).toEqual([
    ['checkpoints:save', { session: 'sbcl-1' }],
    ['checkpoints:save', { session: 'sbcl-1', name: 'calm' }],
  ]);
  expect(messages()).toEqual(['done: Checkpoint calm is saved.']);
});

it('an incomplete checkpoint is reported', async () => {
  const { actions, messages } = answering({ ok: true, value: { ...CALM, missing: ['A socket.'] } });
  await actions.saveCheckpoint('sbcl-1', 'calm');
  expect(messages()).toEqual([expect.stringContaining('It is incomplete')]);
});

it('an error of main is shown as it is', async () => {
  const message = 'Threads of yours run: pump. End them first.';
  const { actions, messages } = answering({ ok: false, code: 'threads_running', message });
  await actions.saveCheckpoint('sbcl-1', 'calm');
  await actions.dropCheckpoint(CALM);
  expect(messages()).toEqual([`failed: ${message}`]);
});
