/** Rows that cannot be written: read from memory as they would be from the database, and then written in order. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Tokens } from '../../electron/access/tokens';
import { HarborError } from '../../electron/contract/errors';
import { noteTexts } from '../../electron/contract/note';
import { Calls } from '../../electron/history/calls';
import { openDatabase } from '../../electron/history/database';
import { Evaluations } from '../../electron/history/evaluations';
import { History } from '../../electron/history/history';
import { OpenRowCache } from '../../electron/history/open-row-cache';
import { ReplacedFiles } from '../../electron/history/replaced-files';
import { CheckpointRows, Replays, SessionRows } from '../../electron/history/session-rows';

import { MOST_WAITING, Writer } from '../../electron/history/writer';
import { fillDisk, temporaryFolder } from './history-folder';
import { closed, opened } from './history-rows';

function newHistory() {
  const file = path.join(temporaryFolder(), 'history.db');
  const { database } = openDatabase(file);
  onTestFinished(() => void database.close());
  const [writer, rows] = [new Writer(database), new OpenRowCache()];
  const evaluations = new Evaluations(writer, rows);
  const stored = (sql: string) => database.prepare(sql).pluck().all();
  const done = (code: string, changes: Parameters<typeof closed>[0] = {}) => {
    const id = evaluations.open(opened({ code }));
    return evaluations.close(id, closed({ forms: [{ code, values: [code] }], ...changes })).id;
  };
  const found = (query: Partial<Parameters<Evaluations['page']>[0]>) =>
    evaluations.page({ limit: 50, ...query }).rows.map(({ id }) => id);
  return { database, writer, evaluations, stored, done, found, replays: new Replays(writer, rows) };
}

const NOTE = /cannot be written now: the disk is full \(SQLITE_FULL\)\. This row is queued/;

describe('rows that wait', () => {
  it('are in pages, in searches, in exports and in replays as they will be', () => {
    const { writer, evaluations, done, found, stored, replays } = newHistory();
    const before = done('(defun before ())');
    const running = evaluations.open(opened({ code: '(running)' }));
    const room = fillDisk(writer);
    const ended = evaluations.close(running, closed({ outcome: 'error', forms: [] }));
    expect(noteTexts(ended.notes).join()).toMatch(NOTE);
    const later = done('(defun later ())');
    const other = evaluations.open(opened({ code: '(other)', client: 'cursor', session: 'nbb-1' }));
    replays.began(other, 'GEOMETRY');
    const look = () => ({
      all: found({}),
      pages: [found({ limit: 1 }), found({ limit: 1, before: other }), found({ limit: 1, before: running })],
      open: found({ outcome: 'running' }),
      failed: found({ outcome: 'error' }),
      clients: found({ client: 'cursor' }),
      seen: found({ seenBy: { client: 'cursor', project: '/nowhere' } }),
      text: [found({ query: 'DEFUN' }), found({ query: '(o' }), found({ query: 'nothing' })],
      codes: evaluations.formsOf('sbcl-1').map(({ id, code }) => [id, code]),
      replayed: replays.entries({ session: 'sbcl-1', after: 0, until: null }),
      // A row that waits says so in its notes.
      rows: evaluations.page({ limit: 9 }).rows.map(({ notes, ...row }) => row),
      next: evaluations.page({ limit: 3 }).next,
    });
    const waiting = look();
    expect(waiting).toMatchObject({
      all: [other, later, running, before],
      pages: [[other], [later], [before]],
      open: [other],
      failed: [running],
      text: [[later, before], [other], []],
      replayed: [{ id: before }, { id: later, package: 'CL-USER', forms: [{ start: 0 }] }],
      next: running,
    });
    expect(stored('select id from evaluations')).toEqual([before, running]);
    room();
    expect(look()).toEqual(waiting);
    expect(stored('select outcome from evaluations order by rowid')).toEqual([
      'ok',
      'error',
      'ok',
      'running',
    ]);
    expect(stored(`select package_before from evaluations where id = ${other}`)).toEqual(['GEOMETRY']);
    expect(evaluations.find(later)?.notes).toEqual([]);
  });

  it('are written when another try finds room, without anybody doing anything', async () => {
    const { writer, database, done, stored } = newHistory();
    fillDisk(writer);
    const id = done('(waits)');
    const resumed = new Promise<void>((resolve) => writer.once('resumed', resolve));
    database.pragma('max_page_count = 1000000');
    await resumed;
    expect(stored('select id from evaluations')).toEqual([id]);
  });

  it('are written when the harbor ends, if that can be done then', async () => {
    const file = path.join(temporaryFolder(), 'history.db');
    const history = new History(file, pathToFileURL('unused.js'));
    const other = new Sqlite(file);
    other.exec('begin immediate');
    const id = history.evaluations.open(opened());
    history.evaluations.appendOutput(id, 'stdout', 'printed');
    history.evaluations.close(id, closed());
    expect(history.notice).toMatch(/another program has locked it.*2 writes are queued/);
    other.exec('rollback');
    await history.close();
    await expect(history.query('facets', null)).rejects.toThrow('closed');
    expect(history.notice).toBeNull();
    expect(other.prepare('select text from output').pluck().all()).toEqual(['printed']);
    expect(other.prepare('select outcome from evaluations where id = ?').pluck().get(id)).toBe('ok');
    other.close();
  });

  it('say in which state a debugger level held them', () => {
    const { writer, evaluations, stored } = newHistory();
    const room = fillDisk(writer);
    const id = evaluations.open(opened());
    const condition = { type: 'ERROR', message: 'held', level: 1, restarts: [], frames: [] };
    evaluations.suspend(id, { package: 'P', forms: [], warnings: [], condition });
    expect(evaluations.find(id)).toMatchObject({ outcome: 'debugger', package: 'P', condition });
    evaluations.resume(id);
    expect(evaluations.find(id)).toMatchObject({ outcome: 'running', package: 'P', condition: null });
    evaluations.suspend(id, { package: 'P', forms: [], warnings: [], condition });
    room();
    expect(stored('select outcome from evaluations')).toEqual(['debugger']);
  });

  it('are bounded: beyond, answers go on, are counted and told, and no row stays open', () => {
    const { writer, evaluations, done, stored } = newHistory();
    const before = evaluations.open(opened({ code: '(before)' }));
    const room = fillDisk(writer);
    const big = 'v'.repeat(1024 * 1024);
    const kept: number[] = [];
    while (writer.lost === 0) kept.push(done(big));
    const lost = kept.pop() ?? 0;
    expect(kept.length * 4 * big.length).toBeLessThan(MOST_WAITING);
    evaluations.appendOutput(lost, 'stdout', 'late');
    const id = evaluations.open(opened());
    evaluations.appendOutput(id, 'stdout', 'printed');
    const answer = evaluations.close(id, closed({ forms: [{ code: '1', values: [big] }] }));
    expect(answer).toMatchObject({ stdout: 'printed', forms: [{ values: [big] }] });
    expect(noteTexts(answer.notes).join()).toMatch(
      /2 evaluations of this session are missing from the history/,
    );
    const cut = evaluations.close(before, closed({ forms: [{ code: '1', values: [big] }] }));
    expect(cut.forms).toHaveLength(1);
    expect(evaluations.find(before)).toMatchObject({ outcome: 'ok', forms: [] });
    expect(writer.lost).toBe(3);
    room();
    expect(stored('select id from evaluations order by id')).toEqual([before, ...kept]);
    expect(stored(`select distinct outcome from evaluations`)).toEqual(['ok']);
    expect(stored('select count(*) from output')).toEqual([0]);
  });

  it('do not wait for one that the database itself refuses', () => {
    const { writer, database, done, stored } = newHistory();
    const room = fillDisk(writer);
    const first = done('(first)');
    writer.write({
      size: 0,
      run: () => void database.exec(`insert into output values (999, 0, 'stdout', 1, 'x')`),
    });
    const last = done('(last)');
    room();
    expect(stored('select id from evaluations')).toEqual([first, last]);
    expect(writer.lost).toBe(1);
  });

  it('are also sessions, of which only the newest state is kept', () => {
    const { writer } = newHistory();
    const sessions = new SessionRows(writer);
    const session = {
      id: 'sbcl-1',
      engine: 'sbcl' as const,
      name: 'one',
      client: 'you',
      project: '/p',
      openedAt: 1,
    };
    const room = fillDisk(writer);
    sessions.open(session, 'first');
    const writes = writer.waiting?.writes ?? 0;
    for (let count = 0; count < 5; count += 1) sessions.save(session.id, `state ${count}`);
    expect(writer.waiting?.writes).toBe(writes + 1);
    room();
    expect(sessions.unfinished()).toMatchObject([{ ...session, kept: 'state 4' }]);
  });

  it('are also calls, checkpoints, and what files held', () => {
    const { writer, stored } = newHistory();
    const [calls, checkpoints, files] = [
      new Calls(writer),
      new CheckpointRows(writer),
      new ReplacedFiles(writer),
    ];
    const file = { client: 'you', project: '/p', path: '/p/a', bytes: Buffer.from('text'), replacedAt: 1 };
    const checkpoint = {
      ...{
        name: 'one',
        session: 'sbcl-1',
        engine: 'sbcl' as const,
        client: 'you',
        project: '/p',
        package: 'P',
      },
      ...{ file: '/f', bytes: 1, missing: ['this'], savedAt: 1, savedAfter: 0 },
    };
    const dropped = checkpoints.add({ ...checkpoint, name: 'dropped' });
    const room = fillDisk(writer);
    const asked = { endpoint: 'http', client: 'you', tool: 'eval', arguments: '{}', startedAt: 1 };
    const call = calls.open({ ...asked, session: null });
    calls.close(call, { outcome: 'ok', errorCode: null, durationMs: 1, evaluation: 4711, answer: null });
    const added = checkpoints.add(checkpoint);
    checkpoints.remove(dropped);
    expect(checkpoints.all()).toEqual([{ ...checkpoint, id: added }]);
    const id = files.add(file);
    files.remove(files.add(file));
    expect(files.find(id)).toMatchObject({ path: '/p/a' });
    room();
    expect(stored('select outcome from calls')).toEqual(['ok']);
    expect(new CheckpointRows(writer).all()).toEqual(checkpoints.all());
    expect(stored('select id from replaced_files')).toEqual([id]);
    expect(files.find(id)?.bytes).toEqual(file.bytes);
  });

  it('refuse the file that is to be written over when there is no room for what it holds', () => {
    const { writer } = newHistory();
    const files = new ReplacedFiles(writer);
    fillDisk(writer);
    const bytes = Buffer.alloc(MOST_WAITING);
    const add = () => files.add({ client: 'you', project: '/p', path: '/p/a', bytes, replacedAt: 1 });
    expect(add).toThrow(expect.objectContaining({ code: 'data_folder_unusable' }));
  });

  it('let clients in, but a token is not revoked in memory alone', () => {
    const { writer, database, stored } = newHistory();
    const tokens = new Tokens(writer);
    const { token, view } = tokens.issue('codex', ['read']);
    const other = new Sqlite(database.name);
    other.exec('begin immediate');
    expect(tokens.verify(token)?.key).toBe('codex');
    const serve = tokens.issueForServe();
    expect(tokens.verify(serve.token)?.key).toBe('serve');
    expect(() => tokens.issue('cursor', ['read'])).toThrow(HarborError);
    expect(() => tokens.revoke(view.id)).toThrow(/cannot be written/);
    expect(tokens.verify(token)).toBeNull();
    other.close();
    writer.catchUp();
    expect(new Tokens(writer).verify(serve.token)?.key).toBe('serve');
    expect(stored('select name from tokens where revoked_at is null order by id')).toEqual([
      'codex',
      'serve',
    ]);
  });
});
