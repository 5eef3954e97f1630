/** What a person does with checkpoints in the window, with main's side of the bridge played by the test. */
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { createStore } from 'zustand';
import type { CheckpointView } from '../electron/contract/checkpoints';
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

/** A window whose main answers every call with `reply`. */
function answering(reply: { ok: true; value: unknown } | { ok: false; code: string; message: string }) {
  const asked: unknown[][] = [];
  const invoke = async (...call: unknown[]) => {
    asked.push(call);
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
  return { actions, asked, told: () => toasts.getState().shown.map(({ tone, text }) => `${tone}: ${text}`) };
}

it('a checkpoint without a name is left to main to name', async () => {
  const { actions, asked, told } = answering({ ok: true, value: CALM });
  await actions.saveCheckpoint('sbcl-1', '');
  await actions.saveCheckpoint('sbcl-1', 'calm');
  expect(asked).toEqual([
    ['checkpoints:save', { session: 'sbcl-1' }],
    ['checkpoints:save', { session: 'sbcl-1', name: 'calm' }],
  ]);
  expect(told()).toEqual(['done: Checkpoint calm is saved.']);
});

it('one that could not carry everything says so', async () => {
  const { actions, told } = answering({ ok: true, value: { ...CALM, missing: ['A socket.'] } });
  await actions.saveCheckpoint('sbcl-1', 'calm');
  expect(told()).toEqual([expect.stringContaining('Not everything is in it')]);
});

it('what stands against it is told as main says it', async () => {
  const message = 'Threads of yours run: pump. End them first.';
  const { actions, told } = answering({ ok: false, code: 'threads_running', message });
  await actions.saveCheckpoint('sbcl-1', 'calm');
  await actions.dropCheckpoint(CALM);
  expect(told()).toEqual([`failed: ${message}`]);
});
