/**
 * A clock that goes on only when a test says so, for a harbor that is started with `--import` of this file: at each SIGUSR2
 * by the next of the milliseconds in STEPS. `Date.now` tells it, and what waits for half a minute or longer waits by it.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const LONG_MS = 30_000;
const steps = (process.env.STEPS ?? '').split(',').map(Number);
const waiting = new Map<object, { due: number; go: () => void }>();
const { setTimeout: wait } = timers;
let now = Date.now();

Date.now = () => now;

async function delay<T>(ms?: number, value?: T, options?: { signal?: AbortSignal }): Promise<T> {
  if (ms === undefined || ms < LONG_MS) return wait(ms, value as T, options);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const key = {};
  waiting.set(key, { due: now + ms, go: resolve });
  options?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  await promise.finally(() => waiting.delete(key));
  return value as T;
}

timers.setTimeout = delay as typeof timers.setTimeout;
syncBuiltinESMExports();

process.on('SIGUSR2', () => {
  now += steps.shift() ?? 0;
  for (const { due, go } of [...waiting.values()]) if (due <= now) go();
});
