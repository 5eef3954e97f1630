/** Merging of live evaluations with pages of the history. */
import { describe, expect, it } from 'vitest';
import type { HistoryRow } from '../../electron/contract/model';
import { historyRow as row } from '../test-rows';
import { mergeRows, type RowFilter } from './evaluation-list';

const ALL: RowFilter = { query: '', engine: null, outcome: null, session: null };

describe('merging live rows with pages', () => {
  const live = (...rows: HistoryRow[]) => rows;
  const ids = (rows: readonly HistoryRow[]) => rows.map(({ id }) => id);

  it('is newest first, and prefers live rows', () => {
    const merged = mergeRows([row(5, { outcome: 'running' }), row(4)], live(row(6), row(5)), ALL, false);
    expect(ids(merged)).toEqual([6, 5, 4]);
    expect(merged[1]?.outcome).toBe('ok');
  });

  it('shows only live rows that match', () => {
    const rows = live(row(9, { engine: 'nbb' }), row(8, { values: ['Forty-Two'] }), row(7));
    expect(ids(mergeRows([], rows, { ...ALL, engine: 'nbb' }, false))).toEqual([9]);
    expect(ids(mergeRows([], rows, { ...ALL, query: 'forty' }, false))).toEqual([8]);
    expect(ids(mergeRows([], rows, { ...ALL, session: 'other' }, false))).toEqual([]);
  });

  it('drops a row whose outcome no longer matches', () => {
    const filter: RowFilter = { ...ALL, outcome: 'running' };
    expect(mergeRows([row(5, { outcome: 'running' })], live(row(5)), filter, false)).toEqual([]);
  });

  it('counts suspended evaluations as running', () => {
    const filter: RowFilter = { ...ALL, outcome: 'running' };
    const rows = live(row(7, { outcome: 'debugger' }), row(6, { outcome: 'running' }), row(5));
    expect(ids(mergeRows([row(4, { outcome: 'debugger' })], rows, filter, false))).toEqual([7, 6, 4]);
  });

  it('leaves rows older than the last page to the next one', () => {
    expect(ids(mergeRows([row(5), row(4)], live(row(2)), ALL, true))).toEqual([5, 4]);
  });
});
