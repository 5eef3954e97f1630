/**
 * One harbor per data folder. The lock is a file naming its holder; it is taken before the database is opened
 * and outlives neither the process nor, thanks to the start time, a pid that was given to another process.
 */
import { linkSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { HarborError } from '../contract/errors';
import type { DataFolder } from './data-folder';
import { type Holder, holderIn, isAlive, isCode, readHolder, readText, startTimeOf } from './lock-holder';

export interface Lock {
  release(): void;
}

/** Takes the lock of the data folder; one whose holder is dead is taken over.
 * @throws HarborError `data_folder_in_use` naming the holder */
export function holdDataFolder(folder: DataFolder, kind: Holder['kind']): Lock {
  const held = tryToHold(folder.lock, { socket: folder.socket, kind });
  if ('release' in held) return held;
  throw inUse(folder, held);
}

/** Takes the lock at that path, where nobody alive has it; answers who has it else. */
export function tryToHold(file: string, { socket, kind }: Pick<Holder, 'socket' | 'kind'>): Lock | Holder {
  const mine: Holder = { pid: process.pid, startTime: startTimeOf(process.pid), socket, kind };
  for (;;) {
    if (create(file, mine)) return { release: () => release(file, mine) };
    const text = readText(file);
    // Given back meanwhile: whatever is there from now on is somebody else's.
    if (text === null) continue;
    const holder = holderIn(text);
    if (holder && isAlive(holder)) return holder;
    removeStale(file, text);
  }
}

function inUse({ root }: DataFolder, { kind, pid }: Holder): HarborError {
  const who = kind === 'command' ? 'a command' : `a harbor (${kind})`;
  return new HarborError(
    'data_folder_in_use',
    `The data folder ${root} is held by ${who}, process ${pid}. Stop it, or choose another folder with --data DIR.`,
  );
}

/** Appears whole or not at all: the text is written beside and linked into place, which fails if the place is taken. */
function create(file: string, holder: Holder): boolean {
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
 * Two starters may find the same dead holder. Only the one that creates the guard removes the lock, and only
 * after reading it again, so that nobody removes a lock that has just been taken.
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

function release(file: string, mine: Holder): void {
  if (JSON.stringify(readHolder(file)) === JSON.stringify(mine)) rmSync(file, { force: true });
}

function ageOf(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
