/**
 * Opens the SQLite file of the history: creates and migrates it, refuses one of a newer app, and moves a
 * damaged one aside. Nothing is ever deleted.
 */

import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import Sqlite from 'better-sqlite3';
import { HarborError } from '../contract/errors';
import { makePrivateFile, makePrivateFolder } from '../host/data-folder';
import { first } from './migrations/0010-first';
import { reports } from './migrations/0040-reports';
import { costs } from './migrations/0050-costs';
import { checkpoints } from './migrations/0070-checkpoints';
import { replacedFiles } from './migrations/0080-replaced-files';
import { clientProfiles } from './migrations/0090-client-profiles';
import { keptSessions } from './migrations/0100-kept-sessions';
import { indexBeside } from './migrations/0110-index-beside';
import { clientChoices } from './migrations/0150-client-choices';
import { fileChanges } from './migrations/0160-file-changes';
import { longValues } from './migrations/0170-long-values';
import { journalPositions } from './migrations/0180-journal';
import { parents } from './migrations/0190-parents';
import { traces } from './migrations/0200-traces';
import type { Migration } from './migrations/migration';

/** The header of every SQLite database (https://www.sqlite.org/fileformat.html, section 1.3). */
const HEADER = 'SQLite format 3\0';

interface OpenedDatabase {
  database: Database;
  /** Messages for the user about damaged files and their new location. */
  notices: string[];
  /** Whether the file was not checked although the last harbor crashed. Call `wholeness` later. */
  unchecked: boolean;
}

/**
 * Opens the file; creates a missing folder, private to its owner. The caller holds the lock of the data
 * folder.
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
    const movedTo = moveAside(file);
    const notice =
      `The history in ${file} is damaged and could not be read. It is kept as ${movedTo}; a new one was ` +
      'created. It has no earlier evaluations and calls, and clients with a token need a new one.';
    return { ...openWhole(file), notices: [notice] };
  }
}

/** @throws SqliteError with a code of damage if the file is not a complete database */
function openWhole(file: string): Omit<OpenedDatabase, 'notices'> {
  makePrivateFolder(path.dirname(file));
  checkHeader(file);
  const standing = standingOf(file);
  makePrivateFile(file);
  const database = new Sqlite(file, { timeout: 2000 });
  try {
    refuseNewer(database);
    if (standing === 'unknown') checkWhole(database);
    opened(file);
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

/**
 * Checks the header before SQLite opens the file: SQLite deletes the write-ahead log of a file that it cannot
 * read.
 */
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

/**
 * Reads all tables.
 * @returns the damage in SQLite's words; null if there is none
 */
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

/** Renames the file with its -wal and -shm. Returns the new path. */
function moveAside(file: string): string {
  const movedTo = freeName(file);
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, movedTo + suffix);
  }
  return movedTo;
}

function freeName(file: string): string {
  const { dir, name, ext } = path.parse(file);
  const date = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  for (let count = 1; ; count += 1) {
    const movedTo = path.join(dir, `${name}-damaged-${date}${count === 1 ? '' : `-${count}`}${ext}`);
    if (!existsSync(movedTo)) return movedTo;
  }
}

// A file next to the database records its size and modification time after a clean close. Then the next start
// need not check the database, which takes longer the larger it is.

/**
 * `left`: unchanged since a clean close. `cut off`: the harbor crashed; SQLite recovers, and the file can be
 * checked later. `unknown`: changed by another program.
 */
type Standing = 'new' | 'left' | 'cut off' | 'unknown';

function standingOf(file: string): Standing {
  if (sizeOf(file) === 0) return 'new';
  if (sizeOf(`${file}-wal`) > 0) return 'cut off';
  return existsSync(recordOf(file)) && readFileSync(recordOf(file), 'utf8') === seal(file)
    ? 'left'
    : 'unknown';
}

/** Removes the record of a clean close. */
function opened(file: string): void {
  rmSync(recordOf(file), { force: true });
}

/** Records a clean close. If that fails, the next start checks the file. */
export function closedWell(file: string): void {
  if (sizeOf(`${file}-wal`) > 0) return;
  try {
    writeFileSync(recordOf(file), seal(file), { mode: 0o600 });
  } catch {
    // The disk is full or was removed.
  }
}

function recordOf(file: string): string {
  return `${file}-closed`;
}

function seal(file: string): string {
  const { size, mtimeNs } = statSync(file, { bigint: true });
  return `${size} ${mtimeNs}\n`;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

// Errors of the database file: damaged, not writable, locked by another process.

/** Reports whether SQLite's result code means that the file is not a complete database. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT');
}

/** Reports whether another connection was writing. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

/** Converts an error about the file into a HarborError; returns other errors unchanged. */
function asHarborError(error: unknown, file: string): unknown {
  if (error instanceof HarborError) return error;
  if (isBusy(error)) {
    return new HarborError(
      'data_folder_in_use',
      `${file} is locked by another program. End it, or choose another data folder with --data DIR.`,
    );
  }
  const because = whyUnwritable(error);
  if (because === null) return error;
  return new HarborError(
    'data_folder_unusable',
    `The history cannot be written to ${file}: ${because}. Fix this, or choose another data folder with --data DIR.`,
  );
}

/** Returns what is wrong with the file or its disk, with SQLite's code; null for other errors. */
export function whyUnwritable(error: unknown): string | null {
  const code = codeOf(error);
  const cause = UNUSABLE.find(([prefix]) => code.startsWith(prefix));
  return cause === undefined ? null : `${cause[1]} (${code})`;
}

/** Runs `work` and converts errors about the file into a HarborError. */
export function reportingFileErrors<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asHarborError(error, file);
  }
}

const UNUSABLE: readonly (readonly [prefix: string, reason: string])[] = [
  ['SQLITE_BUSY', 'another program has locked it'],
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_READONLY', 'it is read-only'],
  ['SQLITE_CANTOPEN', 'it cannot be opened'],
  ['SQLITE_PERM', 'access is denied'],
  ['SQLITE_CORRUPT', 'it is damaged; the next start moves it aside'],
  ['SQLITE_NOTADB', 'it is damaged; the next start moves it aside'],
  ['SQLITE_IOERR', 'the disk reports an error'],
  ['EACCES', 'access is denied'],
  ['EPERM', 'access is denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['ENOTDIR', 'part of its path is a file, not a folder'],
  ['EEXIST', 'part of its path is a file, not a folder'],
  ['ENOENT', 'its folder does not exist and cannot be made'],
  ['EISDIR', 'it is a folder'],
];

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** In ascending order. */
export const MIGRATIONS: readonly Migration[] = [
  ...[first, reports, costs, checkpoints, replacedFiles, clientProfiles],
  ...[keptSessions, indexBeside, clientChoices, fileChanges, longValues, journalPositions, parents],
  traces,
];

/** The `user_version` of a database of this version. */
export const NEWEST = MIGRATIONS.at(-1)?.version ?? 0;

/**
 * Refuses a database of a newer version. Writes nothing.
 * @throws HarborError `data_folder_unusable`
 */
function refuseNewer(database: Database): void {
  const version = versionOf(database);
  if (version <= NEWEST) return;
  throw new HarborError(
    'data_folder_unusable',
    `${database.name} was written by a newer Lisp Harbor (schema ${version}; this version supports up ` +
      `to ${NEWEST}). Update Lisp Harbor, or choose another data folder with --data DIR.`,
  );
}

/** Migrates to the newest schema. Each step is a transaction, so an interrupted start can continue. */
function migrate(database: Database): void {
  const from = versionOf(database);
  for (const { version, sql } of MIGRATIONS) {
    if (version <= from) continue;
    database.transaction(() => {
      database.exec(sql);
      database.pragma(`user_version = ${version}`);
    })();
  }
}

function versionOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}
