/** What one result may carry: limits for each text and for all, and where the rest is. */

import { describe, expect, it } from 'vitest';
import type { Evaluation } from '../../electron/contract/model';
import { note, noteTexts } from '../../electron/contract/note';
import type { SampledProfile } from '../../electron/contract/report';
import { Allowance } from '../../electron/tools/allowance';
import { rowsThatFit } from '../../electron/tools/evaluation/history-tool';
import {
  lastValues,
  RECORD_LIMIT,
  recordOf,
  TEXT_LIMIT,
  WHOLE_RECORD,
} from '../../electron/tools/evaluation/record';
import { recordText } from '../../electron/tools/evaluation/record-text';
import { missingFacts } from '../facts';
import { closed, opened } from './history-rows';

function evaluation(changes: Partial<Evaluation> = {}): Evaluation {
  return { id: 7, ...opened(), ...closed(), stdout: '', stderr: '', outputDropped: 0, ...changes };
}

const forms = (...values: string[]) => [{ code: 'x', values }];

describe('Allowance', () => {
  it('leaves alone what fits, and counts what does not', () => {
    const allowance = new Allowance(20);
    expect(allowance.head('short', 10)).toBe('short');
    expect(allowance.exceeded).toBe(false);
    expect(allowance.head('0123456789abc', 10)).toBe('0123456789… 3 more characters');
    expect(allowance.exceeded).toBe(true);
    expect(allowance.head('fifteen is gone', 10)).toBe('fifte… 10 more characters');
    expect(allowance.head('nothing left', 10)).toBe('… 12 more characters');
  });

  it('keeps both ends, and no half of a character', () => {
    expect(new Allowance(99).ends('0123456789', 4)).toBe('01\n… 6 characters …\n89');
    expect(new Allowance(99).ends('😀😀😀😀', 6)).toBe('😀\n… 4 characters …\n😀');
    expect(new Allowance(99).head('a😀', 2)).toBe('a… 2 more characters');
  });

  it('ends lists, also those that have no text', () => {
    const allowance = new Allowance(160);
    const items = Array.from({ length: 100 }, () => '');
    expect(allowance.first(items, 'items', (item) => allowance.head(item, 9))).toHaveLength(10);
    expect(allowance.exceeded).toBe(true);
    expect(allowance.omitted).toEqual(['90 items']);
  });
});

describe('recordOf', () => {
  it('passes on what fits, without a word', () => {
    const record = recordOf(evaluation({ stdout: 'x'.repeat(TEXT_LIMIT) }));
    expect(record).not.toHaveProperty('truncated');
    expect(record).toMatchObject({ forms: [{ values: ['3'] }], notes: [], stdout: 'x'.repeat(TEXT_LIMIT) });
  });

  it('counts what lists leave out, by what it is', () => {
    const long = evaluation({
      warnings: Array.from({ length: 7000 }, () => ({ severity: 'note', type: 'T', message: 'm', form: 0 })),
    });
    const record = recordOf(long);
    const missing = 7000 - record.warnings.length;
    expect(missing).toBeGreaterThan(0);
    expect(noteTexts(record.notes).join()).toContain(`without ${missing} warnings`);
  });

  it('cuts a long value, says so, and where the rest is', () => {
    const record = recordOf(evaluation({ forms: forms('v'.repeat(TEXT_LIMIT + 5)) }));
    expect(record.truncated).toBe(true);
    expect(lastValues(record)).toEqual([`${'v'.repeat(TEXT_LIMIT)}… 5 more characters`]);
    expect(noteTexts(record.notes).join()).toMatch(/`history` with id 7/);
    expect(noteTexts(record.notes).join()).not.toMatch(/job-7/);
  });

  it('names the job for output that was cut', () => {
    const record = recordOf(evaluation({ stdout: 'o'.repeat(TEXT_LIMIT * 2) }));
    expect(record.truncated).toBe(true);
    expect(noteTexts(record.notes).join()).toMatch(
      /^This record was cut to fit\. `job` job-7 with action output/,
    );
    expect(recordOf(evaluation({ outputDropped: 9 }))).toMatchObject({
      truncated: true,
      notes: [{ text: expect.stringMatching(/^9 characters/) }],
    });
  });

  it('follows the caller’s limit, smaller or larger', () => {
    const long = evaluation({ forms: forms('v'.repeat(500_000)), stdout: 'o'.repeat(1_000) });
    const small = recordOf(long, { maxChars: 100 });
    expect(lastValues(small)[0]).toMatch(/^v{100}… 499900 more/);
    expect(small.stdout).toMatch(/^o{50}\n… 900 characters …\no{50}$/);
    const large = recordOf(long, { maxChars: 500_000 });
    expect(lastValues(large)).toEqual(['v'.repeat(500_000)]);
    const whole = recordOf(evaluation({ forms: forms('v'.repeat(WHOLE_RECORD + 1)) }), {
      maxChars: WHOLE_RECORD,
    });
    expect(noteTexts(whole.notes).join()).toMatch(/`history` with id 7 and offset/);
  });

  it('counts what a row has not of its values either', () => {
    const row = evaluation({ forms: [{ code: '(f)', values: ['1', 'vvv'], lengths: [1, 5_000_000] }] });
    const record = recordOf(row);
    expect(lastValues(record)).toEqual(['1', 'vvv… 4999997 more characters']);
    expect(noteTexts(record.notes).join()).toMatch(/`history` with id 7 and offset/);
  });

  it('keeps everything together within the limit, the condition and the last values first', () => {
    const text = 't'.repeat(TEXT_LIMIT);
    const many = Array.from({ length: 5_000 }, (_, index) => index);
    const record = recordOf(
      evaluation({
        outcome: 'error',
        condition: {
          type: 'E',
          message: text,
          level: 1,
          restarts: many.map((index) => ({ index, name: 'R', description: 'd', arguments: [] })),
          frames: many.map((index) => ({ index, call: '(f)' })),
        },
        forms: [...many.map(() => ({ code: text, values: [text] })), { code: 'last', values: ['the last'] }],
        warnings: many.map((form) => ({ severity: 'warning', type: 'W', message: text, form })),
        notes: many.map((place) => note('image', `note ${place}`)),
        stdout: text,
        stderr: text,
      }),
      { notes: [note('image', 'of the call')] },
    );
    // Marks, and what lists cost as JSON, come on top; five thousand of each would be 400 million.
    expect(JSON.stringify(record).length).toBeLessThan(4 * RECORD_LIMIT);
    expect(recordText(record).length).toBeLessThan(3 * RECORD_LIMIT);
    expect(record).toMatchObject({ truncated: true, condition: { message: text } });
    expect(record.notes[0]?.text).toBe('of the call');
    expect(noteTexts(record.notes).join('\n')).toMatch(/more notes are omitted/);
    expect(noteTexts(record.notes).join('\n')).toMatch(/forms before the last are omitted/);
  });

  it('keeps the last form’s values when those before it take all there is', () => {
    const text = 't'.repeat(TEXT_LIMIT);
    const before = Array.from({ length: 20 }, () => ({ code: text, values: [text] }));
    const record = recordOf(evaluation({ forms: [...before, { code: 'last', values: ['it'] }] }));
    expect(lastValues(record)).toEqual(['it']);
    expect(record.forms.at(-1)).toEqual({ values: ['it'] });
    expect(record.truncated).toBe(true);
  });
});

describe('recordText', () => {
  it('says that no stack of a profile was left out, where no other number of it is zero either', () => {
    const share = { samples: 3, percent: 100 };
    const profile: SampledProfile = {
      mode: 'cpu',
      samples: 3,
      functions: [{ name: 'WORK', self: share, total: share }],
      folded: 'WORK 3',
      omitted: { stacks: 0, samples: 0 },
    };
    const record = recordOf(evaluation({ report: { failures: [], runs: [], loaded: [], profile } }));
    expect(missingFacts(record.report, recordText(record), {})).toEqual([]);
  });
});

describe('a page of the history', () => {
  const row = (id: number, text: string) => {
    const {
      forms: _forms,
      warnings: _warnings,
      condition: _condition,
      notes: _notes,
      ...rest
    } = evaluation({ id });
    const { stdout: _stdout, stderr: _stderr, outputDropped: _dropped, ...known } = rest;
    return {
      ...known,
      code: text,
      values: [text],
      output: text,
      conditionType: null,
      conditionMessage: null,
    };
  };

  it('ends where an answer is full, and goes on from there', () => {
    const rows = Array.from({ length: 100 }, (_, index) => row(100 - index, 'r'.repeat(20_000)));
    const page = rowsThatFit({ rows, next: null });
    expect(page.rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(page).length).toBeLessThan(RECORD_LIMIT + 100);
    expect(page.next).toBe(page.rows.at(-1)?.id);
    expect(page.rows[0]).toMatchObject({ truncated: true, code: expect.stringMatching(/^r{2000}…/) });
  });

  it('is left alone when it fits', () => {
    const page = rowsThatFit({ rows: [row(2, 'b'), row(1, 'a')], next: 1 });
    expect(page).toMatchObject({ rows: [{ id: 2, code: 'b' }, { id: 1 }], next: 1 });
    expect(page.rows[0]).not.toHaveProperty('truncated');
  });
});
