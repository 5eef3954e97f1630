/** Evaluations as text. */
import { describe, expect, it } from 'vitest';
import type { Evaluation } from '../../electron/contract/model';
import { rowWithoutOutput } from '../../electron/history/open-row-cache';
import { EXPORTS } from '../../electron/sessions/export/history-exports';
import { closed, opened } from './history-rows';

const row = (
  id: number,
  open: Parameters<typeof opened>[0],
  close: Parameters<typeof closed>[0],
): Evaluation => rowWithoutOutput(id, opened(open), closed(close));

const good = row(
  1,
  { code: '(values 1\n        2)' },
  { forms: [{ code: '(values 1 2)', values: ['1', '2'] }] },
);
const bad = row(
  2,
  { code: '(car 1)\n(oops)' },
  {
    outcome: 'error',
    forms: [],
    condition: { type: 'TYPE-ERROR', message: '1 is no list', level: 1, restarts: [], frames: [] },
  },
);
const other = row(
  3,
  { code: '(str "```")', engine: 'clojure' },
  { forms: [{ code: '', values: ['"```"'] }] },
);

describe('what was evaluated, as source', () => {
  it('can be loaded: what went well is code, all else is in comments', () => {
    expect(EXPORTS.lisp.text([good, bad])).toBe(
      [
        ';;; #1 · codex · sbcl-1 · 1970-01-01T00:00:01.000Z · ok',
        '(values 1\n        2)',
        ';; => 1\n;; => 2',
        '',
        ';;; #2 · codex · sbcl-1 · 1970-01-01T00:00:01.000Z · error',
        ';; (car 1)\n;; (oops)',
        ';; TYPE-ERROR: 1 is no list',
        '',
      ].join('\n'),
    );
  });

  it('is that of its engines alone', () => {
    expect(EXPORTS.lisp.fitting([good, other])).toEqual([good]);
    expect(EXPORTS.clj.fitting([good, other])).toEqual([other]);
    expect(EXPORTS.ipynb.fitting([good, other])).toEqual([other]);
    expect(EXPORTS.md.fitting([good, other])).toEqual([good, other]);
  });
});

it('as Markdown has fences that no text of it closes', () => {
  const text = EXPORTS.md.text([other, bad]);
  expect(text).toContain('````clojure\n(str "```")\n````');
  expect(text).toContain('**TYPE-ERROR: 1 is no list**');
});
