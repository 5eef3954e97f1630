/** Durations, ages, sizes and paths as people read them. */
import { describe, expect, it } from 'vitest';
import {
  compactMessage,
  count,
  firstLine,
  formatAge,
  formatBytes,
  formatCost,
  formatDuration,
  formatRelative,
  limitTexts,
  oneLine,
  shortenPath,
} from './format';

describe('formatDuration', () => {
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
  ])('%d ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text));
});

it('formatCost says real, CPU and GC time and what was allocated', () => {
  expect(formatCost({ realMs: 1_234, runMs: 1_100, gcMs: 0, bytes: 0 })).toBe(
    '1.2 s (CPU 1.1 s), 0 kB allocated',
  );
  expect(formatCost({ realMs: 0.3, runMs: 0.2, gcMs: 40, bytes: 2.2e7 })).toBe(
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
  ])('an age of %d ms is %s', (ms, text) => expect(formatAge(ms)).toBe(text));

  it('are relative until that says little', () => {
    const now = Date.UTC(2026, 10, 21, 12);
    expect(formatRelative(now, now)).toBe('just now');
    expect(formatRelative(now - 240_000, now)).toBe('4 m ago');
    expect(formatRelative(now - 40 * 86_400_000, now)).toMatch(/2026/);
  });
});

describe('sizes and counts', () => {
  it.each([
    [900, '1 kB'],
    [22_400_000, '22 MB'],
    [1_440_000_000, '1.4 GB'],
  ])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it('knows one from many', () => {
    expect(count(1, 'session')).toBe('1 session');
    expect(count(1_204, 'step')).toBe('1,204 steps');
  });
});

describe('shortenPath', () => {
  it('leaves a path that fits', () => expect(shortenPath('/a/b', 4)).toBe('/a/b'));

  it('cuts in the middle and keeps the last part whole', () => {
    const short = shortenPath('/home/ada/.config/Claude/claude_desktop_config.json', 40);
    expect(short).toBe('/home/ada/…/claude_desktop_config.json');
    expect(short.length).toBeLessThanOrEqual(40);
  });

  it('knows Windows paths', () => {
    expect(shortenPath('C:\\Users\\ada\\AppData\\Roaming\\Claude\\config.json', 28)).toBe(
      'C:\\Users\\ada\\…\\config.json',
    );
  });

  it('keeps the end of a name that is too long by itself', () => {
    expect(shortenPath('/x/abcdefghijklmnopqrstuvwxyz', 10)).toBe('…rstuvwxyz');
  });
});

describe('oneLine', () => {
  it('joins what a pretty printer broke', () => {
    expect(oneLine('The value\n  3\nis not of type\n  LIST\n')).toBe('The value 3 is not of type LIST');
  });
});

describe('firstLine', () => {
  it('marks that there is more', () => {
    expect(firstLine('\n(defun f ()\n  1)')).toBe('(defun f () …');
    expect(firstLine('(f)\n')).toBe('(f)');
  });
});

it('says the limits of a session, and nothing where there is none', () => {
  expect(limitTexts({ heapMiB: 2048, cpuSeconds: 10, outputChars: 4_194_304 })).toEqual([
    'heap 2048 MiB',
    '10 s CPU',
    'output 4.2M characters',
  ]);
  expect(limitTexts({ heapMiB: null, cpuSeconds: null, outputChars: null })).toEqual([]);
});

describe('compactMessage', () => {
  it('takes short messages back to one line', () => {
    expect(compactMessage('The value\n  (4)\nis not of type\n  NUMBER')).toBe(
      'The value (4) is not of type NUMBER',
    );
  });

  it('leaves long ones, and those with paragraphs, as they are', () => {
    expect(compactMessage('One.\n\nTwo.')).toBe('One.\n\nTwo.');
    const long = `${'a tide\n'.repeat(40)}out`;
    expect(compactMessage(long)).toBe(long);
  });
});
