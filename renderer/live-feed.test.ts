/** How the window learns what there is while it changes, with main's side of the bridge played by the test. */
import { expect, it, vi } from 'vitest';
import { createStore } from 'zustand';
import type { EventName } from '../electron/contract/channels';
import { type LiveState, NOTHING_LIVE } from './live';
import { startLiveFeed } from './live-feed';

/** A page that loads; `answer` and `tell` are what main says, in that order. */
function loading() {
  const asked = new Map<string, (reply: unknown) => void>();
  const listeners = new Map<EventName, (payload: unknown) => void>();
  const bridge = {
    invoke: (call: string, args: { id: number } | null) =>
      new Promise((resolve) => asked.set(call === 'history:printed' ? `${call} ${args?.id}` : call, resolve)),
    on: (event: EventName, listener: (payload: unknown) => void) => {
      listeners.set(event, listener);
      return () => listeners.delete(event);
    },
  };
  vi.stubGlobal('window', { bridge });
  const live = createStore<LiveState>(() => NOTHING_LIVE);
  const stop = startLiveFeed(live);
  /** The page has taken it in before main says anything else, as a message is handled whole before the next. */
  const answer = async (call: string, value: unknown) => {
    asked.get(call)?.({ ok: true, value });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const tell = (event: EventName, payload: unknown) => listeners.get(event)?.(payload);
  return { live, answer, tell, stop };
}

it('keeps what happens between two answers, in whatever order they come', async () => {
  const { live, answer, tell, stop } = loading();
  await answer('sessions:list', [
    { id: 'a', state: 'running' },
    { id: 'b', state: 'idle' },
  ]);
  await answer('history:page', { rows: [{ id: 7, session: 'a', outcome: 'running', output: '' }] });
  await answer('approvals:read', { paused: false, questions: [] });
  tell('evaluation:closed', { id: 7, session: 'a', outcome: 'ok', output: '' });
  tell('session:changed', { id: 'a', state: 'idle' });
  tell('session:ended', { session: 'b', unread: '' });
  tell('session:changed', { id: 'c', state: 'idle' });
  tell('approvals:changed', { paused: true, questions: [] });
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

it('has the end of what a running evaluation had printed before, and all that comes after', async () => {
  const { live, answer, tell, stop } = loading();
  const running = { id: 7, session: 'a', outcome: 'running', output: 'the beg…' };
  const said = (text: string) => ({ evaluation: 7, session: 'a', stream: 'stdout', text });
  await answer('history:page', { rows: [running, { ...running, id: 8 }] });
  // Main has told of this before it answers: the answer has it.
  tell('evaluation:output', said('two '));
  tell('evaluation:closed', { ...running, id: 8, outcome: 'ok' });
  await answer('history:printed 7', [{ stream: 'stdout', text: 'one two ' }]);
  await answer('history:printed 8', [{ stream: 'stderr', text: 'all' }]);
  tell('evaluation:output', said('three'));
  const { evaluations, outputs } = live.getState();
  expect(outputs.get(7)).toEqual([{ stream: 'stdout', text: 'one two three' }]);
  expect(outputs.get(8)).toEqual([{ stream: 'stderr', text: 'all' }]);
  expect([7, 8].map((id) => evaluations.get(id)?.outcome)).toEqual(['running', 'ok']);
  stop();
});
