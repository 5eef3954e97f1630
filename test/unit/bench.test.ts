/** What `npm run bench` takes for words, and when it says that a goal is met. */
import { describe, expect, it } from 'vitest';
import { isMet } from '../bench/measure';
import { benchOptions } from '../bench/options';

describe('the words of the bench', () => {
  it('name peers by what is before the first =', () => {
    const words = [
      '--quick',
      '--peer',
      'cl-mcp=cl-mcp --port=1',
      '--peer-http',
      'one=http://127.0.0.1:1/mcp?a=b',
    ];
    const { quick, peers, httpPeers } = benchOptions(words);
    expect(quick).toBe(true);
    expect([...peers]).toEqual([['cl-mcp', 'cl-mcp --port=1']]);
    expect([...httpPeers]).toEqual([['one', 'http://127.0.0.1:1/mcp?a=b']]);
  });

  it('take a number after --history, and names after --books', () => {
    expect(benchOptions(['--history', '5000']).history).toBe(5000);
    expect(benchOptions(['--history']).history).toBe(0);
    expect(benchOptions([]).history).toBeNull();
    expect(benchOptions(['--books', 'std/util/top']).books).toEqual(['std/util/top']);
    expect(benchOptions(['--books']).books).toEqual([]);
    expect(benchOptions([]).books).toBeNull();
    expect(() => benchOptions(['5000'])).toThrow('--history takes a number');
  });

  it('are refused by name', () => {
    expect(() => benchOptions(['--peer', 'cl-mcp'])).toThrow('--peer wants NAME=WHAT, not cl-mcp.');
    expect(() => benchOptions(['--fast'])).toThrow('--fast');
  });
});

describe('a goal', () => {
  it('is met or missed by the median or the ratio', () => {
    expect(isMet({ ms: 5 }, { p50Ms: 5, load: 0 })).toBe(true);
    expect(isMet({ ms: 5 }, { p50Ms: 5.1, load: 0 })).toBe(false);
    expect(isMet({ times: 1.4 }, { p50Ms: 100, ratio: 1.3, load: 0 })).toBe(true);
    expect(isMet({ times: 1.4 }, { p50Ms: 0.1, ratio: 1.5, load: 0 })).toBe(false);
  });

  it('is neither where others had the machine', () => {
    expect(isMet({ ms: 5 }, { p50Ms: 1, load: 1.6 })).toBeNull();
  });
});
