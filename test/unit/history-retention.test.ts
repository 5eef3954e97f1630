/** What is older than a person wants it kept is gone for good; what an open session rests on stays. */
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Calls } from '../../electron/history/calls';
import { openDatabase } from '../../electron/history/database';
import { Evaluations } from '../../electron/history/evaluations';
import { type RemovedRows, Retention } from '../../electron/history/retention';
import { SessionRows } from '../../electron/history/session-rows';
import { Writer } from '../../electron/history/writer';
import { temporaryFolder } from './history-folder';
import { closed, opened } from './history-rows';

it('takes out old rows with their output and calls, some at a time, and tells of them', () => {
  const { database } = openDatabase(path.join(temporaryFolder(), 'history.db'));
  onTestFinished(() => void database.close());
  const writer = new Writer(database);
  const [evaluations, calls, sessions] = [
    new Evaluations(writer),
    new Calls(writer),
    new SessionRows(writer),
  ];
  const session = { engine: 'sbcl' as const, name: 's', client: 'codex', project: '/p', openedAt: 1 };
  for (const id of ['ended', 'open']) sessions.open({ id, ...session }, 'kept');
  sessions.end('ended', 2);
  const add = (startedAt: number, of: string) => {
    const id = evaluations.open(opened({ startedAt, session: of }));
    evaluations.appendOutput(id, 'stdout', 'printed');
    evaluations.close(id, closed());
    return id;
  };
  const call = (startedAt: number) => {
    const asked = { endpoint: 'http', client: 'codex', tool: 'find', arguments: '{}', session: null };
    const id = calls.open({ ...asked, startedAt });
    calls.close(id, { outcome: 'ok', errorCode: null, durationMs: 1, evaluation: null, answer: 'none' });
    return id;
  };
  const old = Array.from({ length: 150 }, () => add(1_000, 'ended'));
  const [needed, recent] = [add(1_000, 'open'), add(9_000, 'ended')];
  const runs = evaluations.open(opened({ startedAt: 1_000, session: 'ended' }));
  const [oldCall, recentCall] = [call(1_000), call(9_000)];
  evaluations.flush();

  const taken: RemovedRows[] = [];
  const retention = new Retention(writer, (each) => taken.push(each));
  while (retention.removeBefore(5_000));
  expect(taken.length).toBeGreaterThan(1);
  expect(taken.flatMap((each) => each.evaluations)).toEqual(old);
  expect(taken.flatMap((each) => each.calls)).toEqual([oldCall]);
  const left = database.prepare('select id from evaluations order by id').pluck().all();
  expect(left).toEqual([needed, recent, runs]);
  expect(database.prepare('select distinct evaluation from output').pluck().all()).toEqual([needed, recent]);
  expect(database.prepare('select id from calls').pluck().all()).toEqual([recentCall]);
  expect(evaluations.open(opened())).toBeGreaterThan(runs);
});
