/** What a row of a list has of an outcome: the same whether told as it happens or read back. */
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HistoryRow } from '../../electron/contract/model';
import { note, sandboxNote } from '../../electron/contract/note';
import { openDatabase } from '../../electron/history/database';
import { Evaluations } from '../../electron/history/evaluations';
import type { ClosedEvaluation } from '../../electron/history/open-row-cache';
import { historyRow } from '../../electron/history/pages';
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

describe('the values of a row', () => {
  const forms = (...values: string[][]) => values.map((each) => ({ code: '(f)', values: each }));

  it('are those of every form', () => {
    const { values, earlier } = rowOf({ forms: forms(['2'], [], ['3', '4']) });
    expect(earlier).toEqual({ forms: 2, values: [['2'], []] });
    expect(values).toEqual(['3', '4']);
    expect(rowOf({ forms: forms(['2']) })).not.toHaveProperty('earlier');
  });

  it('are of the last forms where there are many, which is said', () => {
    const many = Array.from({ length: 30 }, (_, form) => [String(form)]);
    const { earlier, cut } = rowOf({ forms: forms(...many) });
    expect(earlier).toEqual({ forms: 29, values: many.slice(9, 29) });
    expect(cut).toEqual(['values']);
  });

  it('are cut where they are long, of each form', () => {
    const { earlier, cut } = rowOf({ forms: forms(['v'.repeat(2_001)], ['1']) });
    expect(earlier?.values).toEqual([[`${'v'.repeat(1_999)}…`]]);
    expect(cut).toEqual(['values']);
  });
});

const FRESH = note('recorded', 'This session has a new image (generation 2).');

describe('the notes of a row', () => {
  it('are those of its outcome', () => {
    expect(rowOf({ notes: [FRESH] }).notes).toEqual([FRESH]);
  });

  it('leave out what the view of a session says anyway', () => {
    expect(rowOf({ notes: [sandboxNote('no sandbox on this system')] })).not.toHaveProperty('notes');
    expect(rowOf({})).not.toHaveProperty('notes');
  });

  it('are cut where they are long, which is said', () => {
    const { notes, cut } = rowOf({ notes: [note('recorded', 'n'.repeat(2_001))] });
    expect(notes).toEqual([note('recorded', `${'n'.repeat(1_999)}…`)]);
    expect(cut).toEqual(['notes']);
  });
});

describe('the tests of a row', () => {
  const run = (counts: { passed: number; failed: number; errors: number; skipped: number } | null) => ({
    ...{ framework: 'fiveam', tests: ['a'], failures: [] },
    counts,
  });
  const report = (...runs: ReturnType<typeof run>[]) => ({ report: { loaded: [], failures: [], runs } });

  it('are the checks of all runs', () => {
    const counted = run({ passed: 2, failed: 1, errors: 3, skipped: 9 });
    expect(rowOf(report(counted, counted, run(null))).tests).toEqual({ passed: 4, failed: 2, errors: 6 });
  });

  it('are none passed where nothing was counted, and absent without a run', () => {
    expect(rowOf(report(run(null))).tests).toEqual({ passed: 0, failed: 0, errors: 0 });
    expect(rowOf(report())).not.toHaveProperty('tests');
    expect(rowOf({})).not.toHaveProperty('tests');
  });
});
