/**
 * Ensures one harbor per data folder. The lock is a file that names its owner. It is acquired before the
 * database is opened. A lock of a dead process is stale; the start time tells a reused pid apart.
 */
import { linkSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { HarborError } from '../contract/errors';
import { asUnusable, type DataFolder } from './data-folder';
import { isAlive, isCode, type LockOwner, parseOwner, readOwner, readText, startTimeOf } from './lock-owner';

export interface Lock {
  release(): void;
}

/**
 * Acquires the lock of the data folder. A stale lock is replaced.
 * @throws HarborError `data_folder_in_use` naming the owner; `data_folder_unusable`
 */
export function acquireDataFolderLock(folder: DataFolder, kind: LockOwner['kind']): Lock {
  const acquired = acquireIn(folder, kind);
  if ('release' in acquired) return acquired;
  throw inUse(folder, acquired);
}

function acquireIn(folder: DataFolder, kind: LockOwner['kind']): Lock | LockOwner {
  try {
    return tryAcquireLock(folder.lock, { socket: folder.socket, kind });
  } catch (error) {
    throw asUnusable(folder, error);
  }
}

/** Acquires the lock at `file`, or returns the process that owns it. */
export function tryAcquireLock(
  file: string,
  { socket, kind }: Pick<LockOwner, 'socket' | 'kind'>,
): Lock | LockOwner {
  const mine: LockOwner = { pid: process.pid, startTime: startTimeOf(process.pid), socket, kind };
  for (;;) {
    if (create(file, mine)) return { release: () => release(file, mine) };
    const text = readText(file);
    // Released meanwhile. Another process may acquire it now, so try again.
    if (text === null) continue;
    const holder = parseOwner(text);
    if (holder && isAlive(holder)) return holder;
    removeStale(file, text);
  }
}

function inUse({ root }: DataFolder, { kind, pid }: LockOwner): HarborError {
  const owner = kind === 'command' ? 'a command' : `a harbor (${kind})`;
  return new HarborError(
    'data_folder_in_use',
    `The data folder ${root} is in use by ${owner}, process ${pid}. Stop it, or choose another folder with --data DIR.`,
  );
}

/**
 * Creates the lock atomically: the text is written to a draft and linked to the path, which fails if the path
 * exists.
 */
function create(file: string, holder: LockOwner): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

/**
 * Two processes may find the same stale lock. Only the one that creates the guard removes it, after reading
 * it again, so that a lock that was just acquired is not removed.
 */
function removeStale(file: string, dead: string): void {
  const guard = `${file}.stale`;
  try {
    writeFileSync(guard, '', { flag: 'wx' });
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
    if (ageOf(guard) > 5_000) rmSync(guard, { force: true });
    return;
  }
  try {
    if (readText(file) === dead) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

function release(file: string, mine: LockOwner): void {
  if (JSON.stringify(readOwner(file)) === JSON.stringify(mine)) rmSync(file, { force: true });
}

function ageOf(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
