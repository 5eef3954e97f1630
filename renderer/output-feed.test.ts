/** Main hears of output once everybody has shown it, with main's side of the bridge played by the test. */
import { afterEach, expect, it, vi } from 'vitest';
import type { EventName } from '../electron/contract/channels';
import { onEvaluationOutput, onListenerOutput, startOutputFeed } from './output-feed';

/** A page; `told` is what it has told main. */
function page() {
  const listeners = new Map<EventName, (payload: unknown) => void>();
  const told: [string, unknown][] = [];
  const bridge = {
    invoke: async (call: string, args: unknown) => {
      told.push([call, args]);
      return { ok: true, value: null };
    },
    on: (event: EventName, listener: (payload: unknown) => void) => {
      listeners.set(event, listener);
      return () => listeners.delete(event);
    },
  };
  vi.stubGlobal('window', { bridge });
  const say = async (event: EventName, text: string) => {
    listeners.get(event)?.({ evaluation: 1, session: 's1', stream: 'stdout', text });
    await settled();
  };
  return { told, say };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.unstubAllGlobals();
});

it('says that it begins, and of each piece that nobody shows at once that it is gone', async () => {
  const { told, say } = page();
  ends.push(startOutputFeed());
  await say('listener:output', 'four');
  expect(told).toEqual([
    ['output:begin', null],
    ['output:taken', { characters: 4 }],
  ]);
});

it('waits for all who show a piece, in whatever order they are done', async () => {
  const { told, say } = page();
  const [fast, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  ends.push(startOutputFeed());
  ends.push(onEvaluationOutput(() => fast.promise));
  ends.push(onEvaluationOutput(() => slow.promise));
  ends.push(onListenerOutput(() => new Promise(() => undefined)));
  await say('evaluation:output', 'shown');
  slow.resolve();
  await settled();
  expect(told).toHaveLength(1);
  fast.resolve();
  await settled();
  expect(told.slice(1)).toEqual([['output:taken', { characters: 5 }]]);
});

it('goes on after one that fails, which is reported', async () => {
  const { told, say } = page();
  const reported: unknown[] = [];
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
  ends.push(startOutputFeed());
  ends.push(
    onEvaluationOutput(() => {
      throw new Error('no room');
    }),
  );
  await say('evaluation:output', 'x');
  expect([told.length, String(reported[0])]).toEqual([2, 'Error: no room']);
});
