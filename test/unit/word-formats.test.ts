/** Durations, ages, sizes and counts as people read them in English. */
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../electron/words/words';

const { formats, common, proofs } = wordsOf('en');

describe('a duration', () => {
  it.each([
    [0.2, '<1 ms'],
    [12.4, '12 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [3_400, '3.4 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [59_600, '1 m 00 s'],
    [125_000, '2 m 05 s'],
    [3_599_600, '1 h 00 m'],
    [3_840_000, '1 h 04 m'],
  ])('%d ms is %s', (ms, text) => expect(formats.duration(ms)).toBe(text));
});

it('a cost says real, CPU and GC time and what was allocated', () => {
  expect(formats.cost({ realMs: 1_234, runMs: 1_100, gcMs: 0, bytes: 0 })).toBe(
    '1.2 s (CPU 1.1 s), 0 kB allocated',
  );
  expect(formats.cost({ realMs: 0.3, runMs: 0.2, gcMs: 40, bytes: 2.2e7 })).toBe(
    '<1 ms (CPU <1 ms, GC 40 ms), 22 MB allocated',
  );
});

describe('times', () => {
  it.each([
    [0, 'now'],
    [12_000, '12 s'],
    [4 * 60_000, '4 m'],
    [3_600_000, '1 h'],
    [3 * 86_400_000, '3 d'],
  ])('an age of %d ms is %s', (ms, text) => expect(formats.age(ms)).toBe(text));

  it('are relative until that says little', () => {
    const now = Date.UTC(2026, 10, 21, 12);
    expect(formats.relative(now, now)).toBe('just now');
    expect(formats.relative(now - 240_000, now)).toBe('4 m ago');
    expect(formats.relative(now - 40 * 86_400_000, now)).toMatch(/2026/);
  });
});

describe('sizes and counts', () => {
  it.each([
    [900, '1 kB'],
    [22_400_000, '22 MB'],
    [1_440_000_000, '1.4 GB'],
  ])('%d bytes are %s', (bytes, text) => expect(formats.bytes(bytes)).toBe(text));

  it('knows one from many', () => {
    expect(common.sessions(1)).toBe('1 session');
    expect(proofs.steps(1_204)).toBe('1,204 steps');
  });
});

it('says the limits of a session, and nothing where there is none', () => {
  expect(formats.limits({ heapMiB: 2048, cpuSeconds: 10, outputChars: 4_194_304 })).toEqual([
    'heap 2048 MiB',
    '10 s CPU',
    'output 4.2M characters',
  ]);
  expect(formats.limits({ heapMiB: null, cpuSeconds: null, outputChars: null })).toEqual([]);
});
