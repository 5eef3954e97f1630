/** What is known of engines for a while, and who waits when it is looked for again. */
import { afterEach, describe, expect, it, vi } from 'vitest';
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

/** An engine that is there or not, and owns a project or not. */
function engineLike(
  name: EngineFound['engine'],
  facts: { isThere: boolean; owns?: boolean; isFallback?: boolean },
): Engine {
  const { isThere, owns = false, isFallback = false } = facts;
  const reason = `${name} was not found`;
  return {
    name,
    isFallback,
    discover: async () => ({ engine: name, available: isThere, ...(isThere ? {} : { reason }) }),
    ownsProject: async () => owns,
    start: () => Promise.reject(new Error('not started')),
  };
}

describe('the engine of a new session', () => {
  const engines = (isThere: boolean, owns: boolean, preferred?: 'nbb') =>
    new Engines(
      [
        engineLike('sbcl', { isThere }),
        engineLike('clojure', { isThere: owns, owns }),
        engineLike('nbb', { isThere: true, isFallback: true }),
      ],
      () => preferred,
    );

  it('is the preferred one, else the one of the project, else the first that is there', async () => {
    expect(await engines(true, true, 'nbb').default('/project')).toBe('nbb');
    expect(await engines(true, true).default('/project')).toBe('clojure');
    expect(await engines(true, true).default()).toBe('sbcl');
    expect(await engines(true, false).default('/project')).toBe('sbcl');
    expect(await engines(false, false).default('/project')).toBe('nbb');
  });

  it('says so where it stands in for one that is missing', async () => {
    const notes = await engines(false, false).fallbackNotes('nbb');
    expect(notes).toMatchObject([
      { kind: 'fallback_engine', text: expect.stringContaining('sbcl was not found') },
    ]);
    expect(notes[0]?.text).toContain('ClojureScript');
    expect(await engines(true, false).fallbackNotes('nbb')).toEqual([]);
    expect(await engines(false, false, 'nbb').fallbackNotes('nbb')).toEqual([]);
    expect(await engines(false, true).fallbackNotes('clojure')).toEqual([]);
  });
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
