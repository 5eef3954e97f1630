/** Keyboard navigation between marks of a timeline, and marks as text. */
import { describe, expect, it } from 'vitest';
import type { TimelineMark } from '../../electron/contract/history';
import { wordsOf } from '../../electron/words/words';
import { lanesOf, markText, nextMark, ticks } from './timeline';

const WORDS = wordsOf('en');

function mark(client: string, span: number, counts: Partial<TimelineMark> = {}): TimelineMark {
  const none = { evaluations: 0, edits: 0, calls: 0, refusals: 0 };
  return { client, span, ...none, newest: { evaluation: span, call: null }, ...counts };
}

const [early, late] = [mark('codex', 3, { evaluations: 1 }), mark('codex', 40, { evaluations: 2, edits: 1 })];
const cursor = mark('cursor', 30, { refusals: 1 });
const lanes = lanesOf({ marks: [late, cursor, early] });

describe('the lanes of a timeline', () => {
  it('are by client, the busiest first, in the order of time', () => {
    expect(lanes).toEqual([
      { client: 'codex', marks: [early, late] },
      { client: 'cursor', marks: [cursor] },
    ]);
  });

  it('are walked along and across', () => {
    expect(nextMark(lanes, early, 'later')).toBe(late);
    expect(nextMark(lanes, late, 'later')).toBe(late);
    expect(nextMark(lanes, cursor, 'above')).toBe(late);
    expect(nextMark(lanes, early, 'below')).toBe(cursor);
    expect(nextMark(lanes, cursor, 'below')).toBe(cursor);
    expect(nextMark(lanes, late, 'first')).toBe(early);
  });

  it('are described in words', () => {
    expect(markText(late, { from: 0, step: 1000 }, WORDS)).toMatch(
      /^codex, .* to .*: 2 evaluations, 1 edit$/,
    );
    expect(markText(cursor, { from: 0, step: 1000 }, WORDS)).toMatch(/: 1 refusal$/);
  });

  it('have times below them from the first to the last', () => {
    const shares = ticks({ from: 0, step: 60_000, spans: 96, marks: [] }, WORDS).map(({ share }) => share);
    expect(shares).toEqual([0, 0.25, 0.5, 0.75, 1]);
  });
});
