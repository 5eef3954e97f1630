/** How long a list is told to be, and where its pages begin: also while its index is still being made. */
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { HistoryOutline } from '../../electron/contract/history';
import { openDatabase } from '../../electron/history/database';
import { Evaluations } from '../../electron/history/evaluations';
import { IndexReader, openIndex } from '../../electron/history/index/index-reader';
import { Outlines } from '../../electron/history/index/outlines';
import { timeOfKey } from '../../electron/history/index/queries';
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

/** More than are counted before other queries have their turn. */
const MANY = 20_001;

it('keeps no old snapshot of the index when a count is cancelled', async () => {
  const { index, database } = indexOf(MANY);
  const outlines = new Outlines(index, () => ({ keys: [], since: null }));
  const cancelled = outlines.of({ query: 'name' });
  expect(await outlines.of({})).toMatchObject({ total: MANY });
  expect(await cancelled).toBeNull();
  database.exec('insert into entries (id, kind, client, outcome) values (999999, 1, 1, 1)');
  expect(index.prepare('select count(*) from entries').pluck().get()).toBe(MANY + 1);
  expect(database.pragma('wal_checkpoint(truncate)')).toMatchObject([{ busy: 0 }]);
});

it('lets the index be closed while it counts', async () => {
  const { index } = indexOf(MANY);
  const outlines = new Outlines(index, () => ({ keys: [], since: null }));
  const counting = outlines.of({ query: 'name' });
  outlines.stop();
  index.close();
  expect(await counting).toBeNull();
});

/** An index in which all entries have the same text, and a connection that only reads it. */
function indexOf(entries: number) {
  const file = path.join(temporaryFolder(), 'history-index.db');
  const database = openIndex(file);
  database.exec(`
    with recursive numbers (id) as (select 1 union all select id + 1 from numbers where id < ${entries})
    insert into entries (id, kind, client, outcome) select id, 1, 1, 1 from numbers;
    insert into texts (rowid, asked) select id, 'a name' from entries;`);
  const index = new Sqlite(file, { readonly: true });
  onTestFinished(() => {
    index.close();
    database.close();
  });
  return { index, database };
}
