/** Loading and updating of the live store. The test plays main's side of the bridge. */

import { afterEach, expect, it, vi } from 'vitest';
import { createStore } from 'zustand';
import type { EventName } from '../electron/contract/channels';
import { type LiveState, NOTHING_LIVE } from './live';
import { onEvaluationOutput, onListenerOutput, startLiveFeed, startOutputFeed } from './live-feed';

/** A page that loads. `answer` answers a call and `emit` sends an event, in the order of main. */
function loading() {
  const pending = new Map<string, (reply: unknown) => void>();
  const listeners = new Map<EventName, (payload: unknown) => void>();
  const bridge = {
    invoke: (call: string, args: { id: number } | null) =>
      new Promise((resolve) =>
        pending.set(call === 'history:printed' ? `${call} ${args?.id}` : call, resolve),
      ),
    on: (event: EventName, listener: (payload: unknown) => void) => {
      listeners.set(event, listener);
      return () => listeners.delete(event);
    },
  };
  vi.stubGlobal('window', { bridge });
  const live = createStore<LiveState>(() => NOTHING_LIVE);
  const stop = startLiveFeed(live);
  /** Waits until the page has processed the answer, because a message is processed before the next. */
  const answer = async (call: string, value: unknown) => {
    pending.get(call)?.({ ok: true, value });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const emit = (event: EventName, payload: unknown) => listeners.get(event)?.(payload);
  return { live, answer, emit, stop };
}

it('retains changes between two answers, in any order', async () => {
  const { live, answer, emit, stop } = loading();
  await answer('sessions:list', [
    { id: 'a', state: 'running' },
    { id: 'b', state: 'idle' },
  ]);
  await answer('history:page', { rows: [{ id: 7, session: 'a', outcome: 'running', output: '' }] });
  await answer('approvals:read', { paused: false, questions: [] });
  emit('evaluation:closed', { id: 7, session: 'a', outcome: 'ok', output: '' });
  emit('session:changed', { id: 'a', state: 'idle' });
  emit('session:ended', { session: 'b', unread: '' });
  emit('session:changed', { id: 'c', state: 'idle' });
  emit('approvals:changed', { paused: true, questions: [] });
  await answer('harbor:status', { version: '1' });
  const { sessions, evaluations, approvals, status } = live.getState();
  expect([...sessions.values()].map(({ id, state }) => [id, state])).toEqual([
    ['a', 'idle'],
    ['b', 'ended'],
    ['c', 'idle'],
  ]);
  expect(evaluations.get(7)?.outcome).toBe('ok');
  expect([status?.version, approvals.paused]).toEqual(['1', true]);
  stop();
});

it('has the end of the output of a running evaluation, and all later output', async () => {
  const { live, answer, emit, stop } = loading();
  const running = { id: 7, session: 'a', outcome: 'running', output: 'the beg…' };
  const output = (text: string) => ({ evaluation: 7, session: 'a', stream: 'stdout', text });
  await answer('history:page', { rows: [running, { ...running, id: 8 }] });
  // Main sends this event before its answer, which contains the same output.
  emit('evaluation:output', output('two '));
  emit('evaluation:closed', { ...running, id: 8, outcome: 'ok' });
  await answer('history:printed 7', [{ stream: 'stdout', text: 'one two ' }]);
  await answer('history:printed 8', [{ stream: 'stderr', text: 'all' }]);
  emit('evaluation:output', output('three'));
  const { evaluations, outputs } = live.getState();
  expect(outputs.get(7)).toEqual([{ stream: 'stdout', text: 'one two three' }]);
  expect(outputs.get(8)).toEqual([{ stream: 'stderr', text: 'all' }]);
  expect([7, 8].map((id) => evaluations.get(id)?.outcome)).toEqual(['running', 'ok']);
  stop();
});

// Acknowledgements of output.

/** A page; `calls` are its calls to main. */
function page() {
  const listeners = new Map<EventName, (payload: unknown) => void>();
  const calls: [string, unknown][] = [];
  const bridge = {
    invoke: async (call: string, args: unknown) => {
      calls.push([call, args]);
      return { ok: true, value: null };
    },
    on: (event: EventName, listener: (payload: unknown) => void) => {
      listeners.set(event, listener);
      return () => listeners.delete(event);
    },
  };
  vi.stubGlobal('window', { bridge });
  const emitOutput = async (event: EventName, text: string) => {
    listeners.get(event)?.({ evaluation: 1, session: 's1', stream: 'stdout', text });
    await settled();
  };
  return { calls, emitOutput };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.unstubAllGlobals();
});

it('reports its start, and acknowledges output without listeners', async () => {
  const { calls, emitOutput } = page();
  ends.push(startOutputFeed());
  await emitOutput('listener:output', 'four');
  expect(calls).toEqual([
    ['output:begin', null],
    ['output:taken', { characters: 4 }],
  ]);
});

it('waits for all listeners, in any order', async () => {
  const { calls, emitOutput } = page();
  const [fast, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  ends.push(startOutputFeed());
  ends.push(onEvaluationOutput(() => fast.promise));
  ends.push(onEvaluationOutput(() => slow.promise));
  ends.push(onListenerOutput(() => new Promise(() => undefined)));
  await emitOutput('evaluation:output', 'shown');
  slow.resolve();
  await settled();
  expect(calls).toHaveLength(1);
  fast.resolve();
  await settled();
  expect(calls.slice(1)).toEqual([['output:taken', { characters: 5 }]]);
});

it('continues after a listener fails, and reports the error', async () => {
  const { calls, emitOutput } = page();
  const reported: unknown[] = [];
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
  ends.push(startOutputFeed());
  ends.push(
    onEvaluationOutput(() => {
      throw new Error('no room');
    }),
  );
  await emitOutput('evaluation:output', 'x');
  expect([calls.length, String(reported[0])]).toEqual([2, 'Error: no room']);
});
