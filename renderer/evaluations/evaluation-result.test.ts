/** Folded output, and conditions that are no failures. */
import { describe, expect, it } from 'vitest';
import { foldOf, isStep } from './evaluation-result';

const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `line ${from + index}\n`).join('');

describe('output', () => {
  it('is not folded if it is short', () => {
    expect(foldOf([{ stream: 'stdout', text: lines(6) }])).toBeNull();
  });

  it('keeps its first and last lines', () => {
    expect(foldOf([{ stream: 'stdout', text: lines(40) }])).toEqual({
      head: [{ stream: 'stdout', text: 'line 0\nline 1' }],
      hidden: 36,
      tail: [{ stream: 'stdout', text: 'line 38\nline 39' }],
    });
  });

  it('keeps the stream of each line', () => {
    const fold = foldOf([
      { stream: 'stdout', text: lines(1) },
      { stream: 'stderr', text: lines(8, 1) },
      { stream: 'stdout', text: 'end' },
    ]);
    expect(fold?.head.map(({ stream }) => stream)).toEqual(['stdout', 'stderr']);
    expect(fold?.tail).toEqual([
      { stream: 'stderr', text: 'line 8' },
      { stream: 'stdout', text: 'end' },
    ]);
  });
});

it('a step of the stepper is no failure', () => {
  expect(isStep('SB-EXT:STEP-FORM-CONDITION')).toBe(true);
  expect(isStep('STEP-VALUES-CONDITION')).toBe(true);
  expect(isStep('SIMPLE-ERROR')).toBe(false);
});
