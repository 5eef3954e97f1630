/** How long a list is told to be, and where its pages begin: also while its index is still being made. */
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { HistoryOutline } from '../../electron/contract/history';
import { openDatabase } from '../../electron/history/database';
import { Evaluations } from '../../electron/history/evaluations';
import { IndexReader } from '../../electron/history/index/index-reader';
import { timeOfKey } from '../../electron/history/index/keys';
import { Writer } from '../../electron/history/writer';
import { temporaryFolder } from './history-folder';
import { closed, opened } from './history-rows';

/** More than are indexed before a question is answered. */
const ROWS = 12_000;

/** A reader of a history with so many rows, of which each third is Clojure's. */
function readerOf(rows: number): IndexReader {
  const file = path.join(temporaryFolder(), 'history.db');
  const { database } = openDatabase(file);
  const writer = new Writer(database);
  const evaluations = new Evaluations(writer);
  for (let row = 1; row <= rows; row += 1) {
    const engine = row % 3 === 0 ? 'clojure' : 'sbcl';
    evaluations.close(evaluations.open(opened({ engine, startedAt: 1_000 * row })), closed());
  }
  writer.flush();
  database.close();
  const reader = new IndexReader({ file, callsBefore: 0 });
  onTestFinished(() => reader.close());
  return reader;
}

it('never tells of a list that is whole what was counted before it was', async () => {
  const reader = readerOf(ROWS);
  const asked: Promise<HistoryOutline | null> = reader.answer('outline', {}, []);
  // Meanwhile the index is made to its end.
  while (reader.catchUpBackwards());
  const first = await asked;
  expect(first?.total).toBeLessThan(ROWS);
  expect(first?.unindexed).toBeGreaterThan(0);
  expect(await reader.answer('outline', {}, [])).toMatchObject({ total: ROWS, unindexed: 0 });
});

it.each([
  [0, []],
  [1, [1]],
  [200, [200]],
  [201, [201, 1]],
  [601, [601, 401, 201, 1]],
])('tells of %i entries where each page begins', async (rows, begins) => {
  const reader = readerOf(rows);
  while (reader.catchUpBackwards());
  for (const filter of [{}, { query: '(+ 1' }]) {
    const outline: HistoryOutline | null = await reader.answer('outline', filter, []);
    expect(outline).toMatchObject({ total: rows, unindexed: 0 });
    expect(outline?.keys.map((key) => timeOfKey(key) / 1_000)).toEqual(begins);
  }
});

it('counts what a filter lets through, to the last', async () => {
  const reader = readerOf(1_000);
  while (reader.catchUpBackwards());
  const outline: HistoryOutline | null = await reader.answer(
    'outline',
    { engine: 'clojure', until: 901_000 },
    [],
  );
  expect(outline).toMatchObject({ total: 300 });
  expect(outline?.keys.map((key) => timeOfKey(key) / 1_000)).toEqual([900, 300]);
});
