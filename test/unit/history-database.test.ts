import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import { Calls } from '../../electron/history/calls';
import { closedWell, MIGRATIONS, NEWEST, openDatabase, wholeness } from '../../electron/history/database';

import { Evaluations } from '../../electron/history/evaluations';

import { Writer } from '../../electron/history/writer';
import { temporaryFolder } from './history-folder';
import { closed, opened } from './history-rows';

function failure(work: () => unknown): HarborError {
  try {
    work();
  } catch (error) {
    if (error instanceof HarborError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** A database with 200 rows in it; answers its file. */
function writtenDatabase(): string {
  const file = path.join(temporaryFolder(), 'history.db');
  const { database } = openDatabase(file);
  const evaluations = new Evaluations(new Writer(database));
  for (let i = 0; i < 200; i += 1) {
    evaluations.close(evaluations.open(opened({ code: `(list ${i} "${'x'.repeat(500)}")` })), closed());
  }
  database.close();
  return file;
}

describe('openDatabase', () => {
  it('makes the folder and a private file, ready to write', () => {
    const file = path.join(temporaryFolder(), 'new/data/history.db');
    const { database, notices } = openDatabase(file);
    expect(notices).toEqual([]);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.pragma('foreign_keys', { simple: true })).toBe(1);
    expect(database.pragma('user_version', { simple: true })).toBe(NEWEST);
    database.close();
  });

  it('keeps what was written when opened again', () => {
    const file = writtenDatabase();
    const { database, notices } = openDatabase(file);
    expect(notices).toEqual([]);
    expect(new Evaluations(new Writer(database)).find(200)?.code).toContain('(list 199 ');
    database.close();
  });

  it('refuses a database of a newer app and leaves it as it is', () => {
    const file = writtenDatabase();
    const newer = new Sqlite(file);
    newer.pragma(`user_version = ${NEWEST + 10}`);
    newer.close();
    const before = readFileSync(file);
    const error = failure(() => openDatabase(file));
    expect(error.code).toBe('data_folder_unusable');
    expect(error.message).toMatch(/newer Lisp Harbor.*Update/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('takes over a database of the version before with all that is in it', () => {
    const file = path.join(temporaryFolder(), 'history.db');
    writeFormer(file);
    const { database, notices } = openDatabase(file);
    expect(notices).toEqual([]);
    expect(database.pragma('user_version', { simple: true })).toBe(NEWEST);
    const calls = new Calls(new Writer(database));
    const evaluations = new Evaluations(new Writer(database));
    expect(evaluations.find(1)).toMatchObject({ code: '(list 1)', outcome: 'ok', stdout: 'printed' });
    expect(calls.find(1)).toMatchObject({ tool: 'eval', evaluation: 1, outcome: 'ok' });
    expect(calls.find(2)).toMatchObject({ tool: 'find', answer: null, session: null });
    expect(evaluations.closeAbandoned('it ended')).toBe(1);
    expect(evaluations.find(2)).toMatchObject({
      code: '(loop)',
      outcome: 'crashed',
      notes: [{ text: 'it ended' }],
    });
    expect(evaluations.open(opened())).toBe(4);
    database.close();
  });

  const damages: [string, (file: string) => void][] = [
    ['no database at all', (file) => writeFileSync(file, 'this is a text file, and no database '.repeat(40))],
    ['cut off in the middle', (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ['overwritten in the middle', overwriteMiddle],
  ];
  it.each(damages)('moves a file aside that is %s, and begins a new one', (_, damage) => {
    const file = writtenDatabase();
    damage(file);
    const damaged = readFileSync(file);
    const { database, notices } = openDatabase(file);
    expect(new Evaluations(new Writer(database)).open(opened())).toBe(1);
    database.close();

    const kept = readdirSync(path.dirname(file)).filter((name) => /^history-damaged-[\dT-]+\.db$/.test(name));
    expect(kept).toHaveLength(1);
    const keptFile = path.join(path.dirname(file), kept[0] ?? '');
    expect(readFileSync(keptFile).equals(damaged)).toBe(true);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(keptFile);
  });

  it('is not read through at a start, however large, when a harbor closed it and nobody has touched it', () => {
    const file = writtenDatabase();
    closedWell(file);
    const { atimeNs, mtimeNs } = statSync(file, { bigint: true });
    overwriteMiddle(file);
    utimesSync(file, Number(atimeNs) / 1e9, Number(mtimeNs) / 1e9);
    writeFileSync(`${file}-closed`, `${statSync(file).size} ${statSync(file, { bigint: true }).mtimeNs}\n`);
    const { database, notices, unchecked } = openDatabase(file);
    expect([notices, unchecked]).toEqual([[], false]);
    expect(wholeness(database)).not.toBeNull();
    database.close();
    // What opened it took the note away, so that the next start looks.
    const next = openDatabase(file);
    expect(next.notices).toHaveLength(1);
    next.database.close();
  });

  it('is opened at once when its harbor was killed, and looked at later', () => {
    const file = writtenDatabase();
    const killed = openDatabase(file);
    new Evaluations(new Writer(killed.database)).open(opened());
    const { database, notices, unchecked } = openDatabase(file);
    expect([notices, unchecked, wholeness(database)]).toEqual([[], true, null]);
    database.close();
    killed.database.close();
  });

  it('takes the write-ahead log along with a damaged file, and never overwrites one kept before', () => {
    const file = path.join(temporaryFolder(), 'history.db');
    for (const text of ['first', 'second']) {
      writeFileSync(file, `${text} file that is no database `.repeat(40));
      writeFileSync(`${file}-wal`, 'its log');
      openDatabase(file).database.close();
    }
    const kept = readdirSync(path.dirname(file)).filter((name) => name.includes('damaged'));
    expect(kept.filter((name) => name.endsWith('.db'))).toHaveLength(2);
    expect(kept.filter((name) => name.endsWith('.db-wal'))).toHaveLength(2);
  });

  it('says what is wrong with a folder that cannot be used', () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'data'), 'a file where the folder should be');
    const error = failure(() => openDatabase(path.join(folder, 'data/history.db')));
    expect(error.code).toBe('data_folder_unusable');
    expect(error.message).toContain(path.join(folder, 'data/history.db'));
    expect(error.message).toContain('--data DIR');
  });

  it('says what is wrong with a folder that nobody can write to', () => {
    const error = failure(() => openDatabase('/proc/lisp-harbor/history.db'));
    expect(error.code).toBe('data_folder_unusable');
  });

  it('says what is wrong when a folder has the name of the file', () => {
    const file = path.join(temporaryFolder(), 'history.db');
    mkdirSync(file);
    expect(failure(() => openDatabase(file)).code).toBe('data_folder_unusable');
    expect(existsSync(file)).toBe(true);
  });

  it('says that another program holds the file', () => {
    const file = writtenDatabase();
    const other = new Sqlite(file);
    other.pragma('locking_mode = exclusive');
    other.exec('begin exclusive');
    const error = failure(() => openDatabase(file));
    other.close();
    expect(error.code).toBe('data_folder_in_use');
  });
});

/** As version 100 left it: one row that ended, one that was open, one that ended after it, two calls. */
function writeFormer(file: string): void {
  const database = new Sqlite(file);
  for (const { version, sql } of MIGRATIONS) if (version <= 100) database.exec(sql);
  database.pragma('user_version = 100');
  const add = database.prepare(
    `insert into evaluations (kind, session, engine, client, project, package, code, outcome, started_at)
     values ('eval', 'sbcl-1', 'sbcl', 'codex', '/p', 'P', ?, ?, 1000)`,
  );
  for (const [code, outcome] of [
    ['(list 1)', 'ok'],
    ['(loop)', 'running'],
    ['(list 3)', 'ok'],
  ])
    add.run(code, outcome);
  database.exec(`insert into output values (1, 0, 'stdout', 7, 'printed');
    insert into search (rowid, code, printed, output, condition) values (1, '(list 1)', '', 'printed', '');
    insert into calls (endpoint, client, tool, arguments, outcome, started_at, evaluation) values
      ('http', 'codex', 'eval', '{}', 'ok', 1000, 1), ('http', 'codex', 'find', '{}', 'ok', 1001, null)`);
  database.close();
}

function overwriteMiddle(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0x5a, 4096 * 3, 4096 * 12);
  writeFileSync(file, bytes);
}
