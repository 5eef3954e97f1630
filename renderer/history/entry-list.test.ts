/** Entry lists that load only the pages in view. */
import { describe, expect, it } from 'vitest';
import type { HistoryOutline } from '../../electron/contract/history';
import { historyEntry } from '../test-rows';
import { EntryList, type EntrySource } from './entry-list';

/** A history with `count` entries, and the number of requests made to it. */
function historyOf(count: number) {
  const keys = Array.from({ length: count }, (_, index) => 10 * (index + 1));
  const requests = { entries: 0, outline: 0 };
  const source: EntrySource = {
    entries: async (_, { below = Number.POSITIVE_INFINITY, upTo = Number.POSITIVE_INFINITY, limit }) => {
      requests.entries += 1;
      const found = keys.filter((key) => key < below && key <= upTo).sort((one, other) => other - one);
      return found.slice(0, limit).map((key) => historyEntry(key));
    },
    outline: async (): Promise<HistoryOutline> => {
      requests.outline += 1;
      const newestFirst = keys.toSorted((one, other) => other - one);
      const marks = newestFirst.filter((_, index) => index % 200 === 0);
      return { total: keys.length, step: 200, keys: marks, searchedSince: null, unindexed: 0 };
    },
  };
  return { keys, requests, source };
}

async function settled(work: () => unknown): Promise<void> {
  work();
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

const keyAt = (list: EntryList, index: number): number | undefined => list.at(index)?.key;

describe('a list of a million', () => {
  it('has a total and requests only viewed pages', async () => {
    const { source, requests } = historyOf(20_000);
    const list = new EntryList({}, source);
    await list.refresh();
    expect(list.total).toBe(20_000);
    expect([keyAt(list, 0), keyAt(list, 199)]).toEqual([200_000, 198_010]);
    expect(list.at(10_000)).toBeUndefined();
    const before = requests.entries;
    await settled(() => list.want(10_190, 10_230));
    expect(requests.entries - before).toBe(2);
    expect([keyAt(list, 10_190), keyAt(list, 10_229)]).toEqual([98_100, 97_710]);
    await settled(() => list.want(10_190, 10_230));
    expect(requests.entries - before).toBe(2);
  });

  it('returns the index of any key, loaded or not', async () => {
    const list = new EntryList({}, historyOf(20_000).source);
    await list.refresh();
    expect(list.indexOf(200_000)).toBe(0);
    expect(Math.floor(list.indexOf(98_100) / 200)).toBe(50);
    await settled(() => list.want(10_000, 10_200));
    expect(list.indexOf(98_100)).toBe(10_190);
    expect(list.indexOf(300_000)).toBe(-1);
  });

  it('requests no pages that are only scrolled past, except the last', async () => {
    const { source } = historyOf(20_000);
    const waiting: (() => void)[] = [];
    const requests: (number | undefined)[] = [];
    let slow = false;
    const entries: EntrySource['entries'] = async (filter, page) => {
      if (slow) {
        requests.push(page.upTo);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return source.entries(filter, page);
    };
    const list = new EntryList({}, { ...source, entries });
    await list.refresh();
    slow = true;
    for (let row = 1_000; row <= 15_000; row += 100) list.want(row, row + 30);
    expect(requests).toHaveLength(2);
    while (waiting.length > 0) await settled(() => waiting.shift()?.());
    expect(requests).toHaveLength(3);
    expect(keyAt(list, 15_000)).toBe(50_000);
    expect(list.at(10_000)).toBeUndefined();
  });

  it('requests a failed page again after the next change, and not before', async () => {
    const { source } = historyOf(20_000);
    let failed: number | null = null;
    const entries: EntrySource['entries'] = async (filter, page) => {
      if (failed === null || page.upTo === undefined) return source.entries(filter, page);
      failed += 1;
      throw new Error('The search stopped.');
    };
    const list = new EntryList({}, { ...source, entries });
    await list.refresh();
    // As the view does on each change.
    list.subscribe(() => list.want(10_050, 10_080));
    failed = 0;
    await settled(() => list.want(10_050, 10_080));
    expect([failed, list.error?.message]).toEqual([1, 'The search stopped.']);
    await settled(() => list.refresh());
    expect(failed).toBe(2);
    failed = null;
    await settled(() => list.refresh());
    expect([keyAt(list, 10_050), list.error]).toEqual([99_500, null]);
  });

  it('drops pages that were not viewed for long', async () => {
    const { source, requests } = historyOf(20_000);
    const list = new EntryList({}, source);
    await list.refresh();
    for (let page = 0; page < 60; page += 1) await settled(() => list.want(page * 200, page * 200 + 1));
    expect(list.at(59 * 200)).toBeDefined();
    expect(list.at(10 * 200)).toBeUndefined();
    const before = requests.entries;
    await settled(() => list.want(2_000, 2_001));
    expect(requests.entries - before).toBe(1);
  });
});

describe('new entries', () => {
  it('precede all others, which keep their places', async () => {
    const { source, keys, requests } = historyOf(1_000);
    const list = new EntryList({}, source);
    await list.refresh();
    await settled(() => list.want(500, 520));
    const at500 = keyAt(list, 500);
    keys.push(10_010, 10_020);
    await list.refresh();
    expect(list.total).toBe(1_002);
    expect([keyAt(list, 0), keyAt(list, 502)]).toEqual([10_020, at500]);
    expect(requests.outline).toBe(1);
  });

  it('are counted again if there are many, and the view stays in place', async () => {
    const { source, keys, requests } = historyOf(1_000);
    const list = new EntryList({}, source);
    await list.refresh();
    await settled(() => list.want(500, 520));
    const at500 = keyAt(list, 500) ?? 0;
    for (let more = 1; more <= 250; more += 1) keys.push(10_000 + more);
    await list.refresh();
    expect(requests.outline).toBe(2);
    expect(list.total).toBe(1_250);
    expect(keyAt(list, 750)).toBe(at500);
    expect(list.indexOf(at500)).toBe(750);
  });

  it('fail without losing loaded entries, with a message', async () => {
    const { source } = historyOf(10);
    let fails = false;
    const entries: EntrySource['entries'] = (...args) =>
      fails ? Promise.reject(new Error('The search stopped.')) : source.entries(...args);
    const list = new EntryList({}, { ...source, entries });
    await list.refresh();
    fails = true;
    await list.refresh();
    expect([list.error?.message, list.total]).toEqual(['The search stopped.', 10]);
    fails = false;
    await list.refresh();
    expect(list.error).toBeNull();
  });
});

it('without entries is loaded and empty', async () => {
  const list = new EntryList({}, historyOf(0).source);
  expect(list.loaded).toBe(false);
  await list.refresh();
  expect([list.loaded, list.total, list.at(0), list.indexOf(5)]).toEqual([true, 0, undefined, -1]);
});
