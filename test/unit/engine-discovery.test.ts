/** What is known of engines for a while, and who waits when it is looked for again. */
import { afterEach, expect, it, vi } from 'vitest';
import type { EngineFound } from '../../electron/contract/model';
import { Engines } from '../../electron/images/discovery';
import type { Engine } from '../../electron/images/image';

afterEach(() => {
  vi.useRealTimers();
});

/** An engine whose looks are answered by hand. */
function looked() {
  const looks: ((found: EngineFound) => void)[] = [];
  const discover = () => new Promise<EngineFound>((resolve) => looks.push(resolve));
  const engine: Engine = { name: 'sbcl', discover, start: () => Promise.reject(new Error('not started')) };
  return { looks, engines: new Engines([engine], () => undefined) };
}

const there: EngineFound = { engine: 'sbcl', available: true, version: '1' };
const missing: EngineFound = { engine: 'sbcl', available: false, reason: 'it was not found' };

it('is looked for again after a while; of one that was there nobody waits to hear that it still is', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { looks, engines } = looked();
  const first = engines.discover();
  looks[0]?.(there);
  expect(await first).toEqual([there]);
  vi.setSystemTime(Date.now() + 11_000);
  expect(await engines.discover()).toEqual([there]);
  expect(looks).toHaveLength(2);
  looks[1]?.(missing);
  await vi.waitFor(async () => expect(await engines.discover()).toEqual([missing]));
});

it('is waited for where it was missing, so that an installation is seen at once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { looks, engines } = looked();
  const first = engines.discover();
  looks[0]?.(missing);
  await first;
  vi.setSystemTime(Date.now() + 11_000);
  const again = engines.discover();
  looks[1]?.(there);
  expect(await again).toEqual([there]);
});
