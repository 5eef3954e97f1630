/** What a row of a list has of an outcome: the same whether told as it happens or read back. */
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HistoryRow } from '../../electron/contract/model';
import { openDatabase } from '../../electron/history/database';
import { Evaluations } from '../../electron/history/evaluations';
import { historyRow } from '../../electron/history/list-row';
import type { ClosedEvaluation } from '../../electron/history/row-state';
import { Writer } from '../../electron/history/writer';
import { temporaryFolder } from './history-folder';
import { closed, opened } from './history-rows';

/** Closes a row so and answers it as a page has it, having seen that an event tells the same. */
function rowOf(changes: Partial<ClosedEvaluation>): HistoryRow {
  const { database } = openDatabase(path.join(temporaryFolder(), 'history.db'));
  onTestFinished(() => void database.close());
  const evaluations = new Evaluations(new Writer(database));
  const evaluation = evaluations.close(evaluations.open(opened()), closed(changes));
  const row = HistoryRow.parse(evaluations.page({ limit: 1 }).rows[0]);
  expect(historyRow(evaluation)).toEqual(row);
  return row;
}

describe('the notes of a row', () => {
  it('are those of its outcome', () => {
    expect(rowOf({ notes: ['This session has a new image (generation 2).'] }).notes).toEqual([
      'This session has a new image (generation 2).',
    ]);
  });

  it('leave out what the view of a session says anyway', () => {
    expect(rowOf({ notes: ['not sandboxed: no sandbox on this system'] })).not.toHaveProperty('notes');
    expect(rowOf({})).not.toHaveProperty('notes');
  });

  it('are cut where they are long, which is said', () => {
    const { notes, cut } = rowOf({ notes: ['n'.repeat(2_001)] });
    expect(notes).toEqual([`${'n'.repeat(1_999)}…`]);
    expect(cut).toEqual(['notes']);
  });
});
