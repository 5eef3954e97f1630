/**
 * Opens the history's SQLite file: creates and migrates it, refuses one of a newer app, and moves a damaged one
 * aside. Nothing that was once written is ever deleted here.
 */
import { closeSync, existsSync, openSync, readSync, renameSync } from 'node:fs';
import path from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { makePrivateFolder } from '../host/private-folder';
import { opened as markOpened, standingOf } from './clean-end';
import { asHarborError, isDamage } from './database-errors';
import { migrate, refuseNewer } from './migrate';

/** How every SQLite database begins (https://www.sqlite.org/fileformat.html, section 1.3). */
const HEADER = 'SQLite format 3\0';

export interface OpenedDatabase {
  database: Database;
  /** Sentences for people: what was found damaged, and where it is now. */
  notices: string[];
  /** Whether it was not read through, though the harbor before was killed: `wholeness` tells of that when there is time. */
  unchecked: boolean;
}

/**
 * The folder is made when it is missing, private to its owner. The caller holds the data folder's lock.
 * @throws HarborError `data_folder_unusable`, `data_folder_in_use`
 */
export function openDatabase(file: string): OpenedDatabase {
  try {
    return openOrReplace(file);
  } catch (error) {
    throw asHarborError(error, file);
  }
}

function openOrReplace(file: string): OpenedDatabase {
  try {
    return { ...openWhole(file), notices: [] };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const kept = moveAside(file);
    const notice =
      `The history in ${file} is damaged and could not be read. It is kept as ${kept}; a new one was begun. ` +
      'Earlier evaluations and calls are not in it, and clients with a token need a new one.';
    return { ...openWhole(file), notices: [notice] };
  }
}

/** @throws SqliteError with a code of damage when the file is not a whole database */
function openWhole(file: string): Omit<OpenedDatabase, 'notices'> {
  makePrivateFolder(path.dirname(file));
  checkHeader(file);
  const standing = standingOf(file);
  // SQLite would make the file readable to all; its -wal and -shm take this one's permissions.
  closeSync(openSync(file, 'a', 0o600));
  const database = new Sqlite(file, { timeout: 2000 });
  try {
    refuseNewer(database);
    if (standing === 'unknown') checkWhole(database);
    markOpened(file);
    database.pragma('journal_mode = wal');
    database.pragma('synchronous = normal');
    database.pragma('foreign_keys = on');
    migrate(database);
    return { database, unchecked: standing === 'cut off' };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Before SQLite sees the file: it deletes the write-ahead log of one that it cannot read. */
function checkHeader(file: string): void {
  if (!existsSync(file)) return;
  const descriptor = openSync(file, 'r');
  try {
    const header = Buffer.alloc(HEADER.length);
    const length = readSync(descriptor, header);
    if (length === 0 || header.toString('latin1') === HEADER) return;
  } finally {
    closeSync(descriptor);
  }
  throw new Sqlite.SqliteError('file is not a database', 'SQLITE_NOTADB');
}

function checkWhole(database: Database): void {
  const verdict = wholeness(database);
  if (verdict !== null) throw new Sqlite.SqliteError(verdict, 'SQLITE_CORRUPT');
}

/** Reads all of it, table by table. @returns what is wrong, in SQLite's words; null: nothing is */
export function wholeness(database: Database): string | null {
  const tables = database.prepare<[], string>(
    `select name from sqlite_schema where type = 'table' and rootpage > 0`,
  );
  for (const table of tables.pluck().all()) {
    const verdict = String(
      database.pragma(`quick_check('${table.replaceAll("'", "''")}')`, { simple: true }),
    );
    if (verdict !== 'ok') return verdict;
  }
  return null;
}

/** Renames the file with its -wal and -shm, which belong to it alone; answers its new path. */
function moveAside(file: string): string {
  const kept = freeName(file);
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix);
  }
  return kept;
}

function freeName(file: string): string {
  const { dir, name, ext } = path.parse(file);
  const date = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  for (let count = 1; ; count += 1) {
    const kept = path.join(dir, `${name}-damaged-${date}${count === 1 ? '' : `-${count}`}${ext}`);
    if (!existsSync(kept)) return kept;
  }
}
