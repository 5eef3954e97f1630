/** Lists and searches as the built thread answers them that has the index. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HistoryQuery } from '../../electron/contract/model';
import { History } from '../../electron/history/history';
import { indexFile } from '../../electron/history/index/index-reader';
import { PATIENT } from '../started-harbor';
import { temporaryFolder } from '../unit/history-folder';
import { closed, opened } from '../unit/history-rows';

const workerUrl = pathToFileURL(path.resolve(import.meta.dirname, '../../out/electron/search-worker.js'));

function newHistory(worker = workerUrl): History {
  const history = new History(path.join(temporaryFolder(), 'history.db'), worker);
  onTestFinished(() => history.close());
  return history;
}

interface Texts {
  code?: string;
  values?: string[];
  output?: string;
  message?: string;
}

function add(
  { evaluations }: History,
  { code = 'nil', values = [], output = '', message = '' }: Texts,
): number {
  const id = evaluations.open(opened({ code }));
  evaluations.appendOutput(id, 'stdout', output);
  const condition = { type: 'SIMPLE-ERROR', message, level: 1, restarts: [], frames: [] };
  evaluations.close(id, closed({ forms: [{ code, values }], condition: message === '' ? null : condition }));
  return id;
}

async function found(history: History, query: string, rest: Partial<HistoryQuery> = {}): Promise<number[]> {
  return (await history.page({ query, limit: 50, ...rest })).rows.map(({ id }) => id);
}

/** The evaluations in the index, by its file. */
function indexed({ writer: { database } }: History): unknown[] {
  const index = new Sqlite(indexFile(database.name), { readonly: true });
  try {
    return index.prepare('select evaluation from entries order by id').pluck().all();
  } finally {
    index.close();
  }
}

describe('searching the history', () => {
  it('finds exact substrings in code, values, output and condition, newest first', async () => {
    const history = newHistory();
    const inCode = add(history, { code: '(defun area (r) (* pi (+ 1 r)))' });
    const inValue = add(history, { values: ['7', '#<QUEUE (+ 1 {100}>'] });
    const inOutput = add(history, { output: 'now (+ 1 2) is three' });
    const inMessage = add(history, { message: 'cannot read (+ 1' });
    add(history, { code: '(+  1 2) (1 +)' });
    expect(await found(history, '(+ 1')).toEqual([inMessage, inOutput, inValue, inCode]);
    expect(await found(history, '(+ 1 r)))')).toEqual([inCode]);
  });

  it('takes every character of a query literally', async () => {
    const history = newHistory();
    const quoted = add(history, { code: '(print "hello world")' });
    add(history, { code: '(print (quote hello))' });
    const percent = add(history, { code: '(format t "~a%")' });
    expect(await found(history, '"hello world"')).toEqual([quoted]);
    expect(await found(history, 'hello*')).toEqual([]);
    expect(await found(history, 'NOT hello')).toEqual([]);
    expect(await found(history, 'a%')).toEqual([percent]);
    expect(await found(history, '_"')).toEqual([]);
  });

  it('finds texts of one or two characters too', async () => {
    const history = newHistory();
    const inCode = add(history, { code: '(λ x)' });
    const inValue = add(history, { values: ['λ'] });
    const inOutput = add(history, { output: 'a λ b' });
    const inMessage = add(history, { message: 'λ!' });
    add(history, { code: 'values', values: ['code'] });
    expect(await found(history, 'λ')).toEqual([inMessage, inOutput, inValue, inCode]);
    expect(await found(history, '":')).toEqual([]);
  });

  it('takes letters of either case for the same, and does not mind spaces around', async () => {
    const history = newHistory();
    const id = add(history, { values: ['COMMON-LISP-USER'] });
    expect(await found(history, ' common-lisp ')).toEqual([id]);
  });

  it('searches both ends of long output', async () => {
    const history = newHistory();
    const id = add(history, { output: `begins-here ${'x'.repeat(300_000)} ends-there` });
    expect(await found(history, 'begins-here')).toEqual([id]);
    expect(await found(history, 'ends-there')).toEqual([id]);
  });

  it('filters and pages as the plain list does', async () => {
    const history = newHistory();
    const ids = Array.from({ length: 25 }, (_, i) => add(history, { code: `(needle ${i})` })).reverse();
    const other = history.evaluations.open(opened({ engine: 'nbb', code: '(needle)' }));
    history.evaluations.close(other, closed());
    const first = await history.page({ query: 'needle', engine: 'sbcl', limit: 10 });
    expect(first.rows.map(({ id }) => id)).toEqual(ids.slice(0, 10));
    expect(first.next).toBe(ids[9]);
    add(history, { code: '(needle, later)' });
    expect(await found(history, 'needle', { engine: 'sbcl', before: ids[9], limit: 50 })).toEqual(
      ids.slice(10),
    );
    expect(await found(history, 'needle', { engine: 'nbb' })).toEqual([other]);
  });

  it('finds what still runs, waits or is held, as it is by then', async () => {
    const history = newHistory();
    const { evaluations } = history;
    const waits = evaluations.open(opened({ code: '(needle-waits)' }));
    const runs = evaluations.open(opened({ code: '(runs)' }));
    expect(await found(history, 'needle')).toEqual([waits]);
    evaluations.appendOutput(runs, 'stdout', 'Needle in the output');
    const held = evaluations.open(opened({ code: '(error "held")' }));
    const condition = { type: 'ERROR', message: 'a needle holds', level: 1, restarts: [], frames: [] };
    evaluations.suspend(held, { package: 'P', forms: [], warnings: [], condition });
    expect(await found(history, 'needle')).toEqual([held, runs, waits]);
    expect(await found(history, 'needle', { outcome: 'running' })).toEqual([held, runs, waits]);
    expect(await found(history, 'needle', { outcome: 'debugger' })).toEqual([held]);
    evaluations.resume(held);
    expect(await found(history, 'needle holds')).toEqual([]);
    evaluations.close(runs, closed());
    evaluations.close(waits, closed());
    expect(await found(history, 'needle')).toEqual([runs, waits]);
  });

  it('finds what a killed harbor printed after somebody had searched', async () => {
    const file = path.join(temporaryFolder(), 'history.db');
    const killed = new History(file, workerUrl);
    onTestFinished(() => killed.close());
    const id = killed.evaluations.open(opened({ code: '(loop)' }));
    expect(await found(killed, '(loop)')).toEqual([id]);
    killed.evaluations.appendOutput(id, 'stdout', 'last needle');
    killed.evaluations.output(id, 0, 10);
    const next = new History(file, workerUrl);
    onTestFinished(() => next.close());
    expect(await found(next, 'last needle')).toEqual([id]);
  });

  it('forgets the earlier texts of a row that is closed again', async () => {
    const history = newHistory();
    const id = history.evaluations.open(opened({ code: '(invoke)' }));
    history.evaluations.close(id, closed({ forms: [{ code: '(invoke)', values: ['first-value'] }] }));
    history.evaluations.close(id, closed({ forms: [{ code: '(invoke)', values: ['second-value'] }] }));
    expect(await found(history, 'first-value')).toEqual([]);
    expect(await found(history, 'second-value')).toEqual([id]);
  });

  it('indexes in quiet moments what nobody searches for', async () => {
    const history = newHistory();
    const ids = Array.from({ length: 50 }, (_, i) => add(history, { code: `(needle ${i})` }));
    await expect.poll(() => existsSync(indexFile(history.writer.database.name)), PATIENT).toBe(true);
    await expect.poll(() => indexed(history), PATIENT).toEqual(ids);
  });

  it('finds what the harbor before closed at its end', async () => {
    const file = path.join(temporaryFolder(), 'history.db');
    const history = new History(file, workerUrl);
    expect(await found(history, 'needle')).toEqual([]);
    const id = add(history, { code: '(needle)' });
    await history.close();
    const again = new History(file, workerUrl);
    onTestFinished(() => again.close());
    expect(await found(again, 'needle')).toEqual([id]);
  });

  it('is made anew where the index is gone, damaged, or of another layout', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'history.db');
    const history = new History(file, workerUrl);
    const ids = Array.from({ length: 120 }, (_, i) => add(history, { code: `(needle ${i})` })).reverse();
    await history.close();
    const losses = [
      (index: string) => rmSync(index, { force: true }),
      (index: string) => writeFileSync(index, 'no database at all '.repeat(1_000)),
      (index: string) => {
        const other = new Sqlite(index);
        other.pragma('user_version = 999');
        other.close();
      },
    ];
    for (const lose of losses) {
      lose(indexFile(file));
      const again = new History(file, workerUrl);
      await expect.poll(() => found(again, 'needle', { limit: 200 }), PATIENT).toEqual(ids);
      await again.close();
    }
  });

  it('answers searches that are asked at the same time', async () => {
    const history = newHistory();
    const ids = ['alpha', 'beta', 'gamma'].map((code) => add(history, { code }));
    const answers = await Promise.all(['alpha', 'beta', 'gamma'].map((query) => found(history, query)));
    expect(answers).toEqual(ids.map((id) => [id]));
  });

  it('says so when its thread dies, and starts a new one for the next search', async () => {
    const folder = temporaryFolder();
    const died = path.join(folder, 'died');
    const worker = path.join(folder, 'worker.mjs');
    writeFileSync(
      worker,
      `
      import { existsSync, rmSync, writeFileSync } from 'node:fs';
      import { parentPort } from 'node:worker_threads';
      const died = ${JSON.stringify(died)};
      if (existsSync(died)) await import(${JSON.stringify(workerUrl.href)});
      else parentPort.once('message', () => { writeFileSync(died, ''); process.exit(3); });
    `,
    );
    const history = newHistory(pathToFileURL(worker));
    const id = add(history, { code: '(needle)' });
    const searches = await Promise.allSettled([found(history, 'needle'), found(history, 'needle')]);
    expect(existsSync(died)).toBe(true);
    for (const search of searches) {
      expect(search).toMatchObject({
        status: 'rejected',
        reason: { code: 'internal', message: expect.stringMatching(/exit code 3.*Search again/) },
      });
    }
    expect(await found(history, 'needle')).toEqual([id]);
  });

  it('fails what is still asked when the history is closed', async () => {
    const history = newHistory();
    const search = expect(found(history, 'needle')).rejects.toThrow(/Search again/);
    await history.close();
    await search;
  });
});
