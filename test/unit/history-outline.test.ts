/** How long a list is told to be while its index is still being made. */
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { HistoryOutline } from '../../electron/contract/history';
import { openDatabase } from '../../electron/history/database';
import { Evaluations } from '../../electron/history/evaluations';
import { IndexReader } from '../../electron/history/index/index-reader';
import { Writer } from '../../electron/history/writer';
import { temporaryFolder } from './history-folder';
import { closed, opened } from './history-rows';

/** More than are indexed before a question is answered. */
const ROWS = 3_000;

it('never tells of a list that is whole what was counted before it was', async () => {
  const file = path.join(temporaryFolder(), 'history.db');
  const { database } = openDatabase(file);
  const writer = new Writer(database);
  const evaluations = new Evaluations(writer);
  for (let row = 0; row < ROWS; row += 1) evaluations.close(evaluations.open(opened()), closed());
  writer.flush();
  database.close();
  const reader = new IndexReader({ file, callsBefore: 0 });
  onTestFinished(() => reader.close());
  const asked: Promise<HistoryOutline | null> = reader.answer('outline', {}, []);
  // Meanwhile the index is made to its end.
  while (reader.catchUpBackwards());
  const first = await asked;
  expect(first?.total).toBeLessThan(ROWS);
  expect(first?.unindexed).toBeGreaterThan(0);
  expect(await reader.answer('outline', {}, [])).toMatchObject({ total: ROWS, unindexed: 0 });
});
