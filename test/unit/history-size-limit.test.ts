/** A history that holds too much gives up the output and the long values of its oldest evaluations, and nothing else. */
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../electron/history/database';
import { Evaluations } from '../../electron/history/evaluations';
import { ROW_VALUE } from '../../electron/history/long-text';
import { SizeLimit } from '../../electron/history/retention';
import { Writer } from '../../electron/history/writer';
import { temporaryFolder } from './history-folder';
import { closed, opened } from './history-rows';

const MEBI = 1024 * 1024;
const LONG = 'v'.repeat(2 * ROW_VALUE);

it('takes out the oldest first, counts what is gone, and leaves what runs', () => {
  const { database } = openDatabase(path.join(temporaryFolder(), 'history.db'));
  onTestFinished(() => void database.close());
  const writer = new Writer(database);
  const evaluations = new Evaluations(writer);
  const runs = evaluations.open(opened({ code: '(loop)' }));
  evaluations.appendOutput(runs, 'stdout', 'still here');
  const ids = Array.from({ length: 12 }, (_, index) => {
    const id = evaluations.open(opened({ code: `(f ${index})` }));
    evaluations.appendOutput(id, 'stdout', 'x'.repeat(MEBI));
    evaluations.close(id, closed({ forms: [{ code: `(f ${index})`, values: [LONG] }] }));
    return id;
  });
  evaluations.flush();

  const limit = new SizeLimit(writer);
  const before = limit.size;
  expect(before).toBeGreaterThan(12 * MEBI);
  expect(limit.shrinkTo(before)).toBe(false);
  while (limit.shrinkTo(before / 2));
  expect(limit.size).toBeLessThanOrEqual(before / 2);

  const [oldest, newest] = [ids[0] ?? 0, ids.at(-1) ?? 0];
  const values = (id: number) =>
    evaluations.whole(id)?.forms.flatMap((form) => form.values.map((each) => each.length));
  expect(evaluations.output(oldest, 0, 100)).toMatchObject({ text: '' });
  expect(evaluations.whole(oldest)).toMatchObject({ code: '(f 0)', outputDropped: MEBI });
  expect(values(oldest)).toEqual([ROW_VALUE]);
  expect(evaluations.output(newest, 0, 3).text).toBe('xxx');
  expect(values(newest)).toEqual([LONG.length]);
  expect(evaluations.output(runs, 0, 100).text).toBe('still here');

  while (limit.shrinkTo(0));
  expect(evaluations.output(newest, 0, 3).text).toBe('');
  expect(evaluations.output(runs, 0, 100).text).toBe('still here');
});
