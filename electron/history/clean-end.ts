/**
 * Whether a database is as a harbor left it that ended well: its size and time of change stand beside it. Then it need not be
 * read through at the next start, which would take longer the more there is.
 */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** `left`: untouched since a harbor closed it. `cut off`: its harbor was killed, and SQLite mends that; whether the file is
 * whole all the same can be seen later. `unknown`: nobody can tell what was done to it. */
export type Standing = 'new' | 'left' | 'cut off' | 'unknown';

export function standingOf(file: string): Standing {
  if (sizeOf(file) === 0) return 'new';
  if (sizeOf(`${file}-wal`) > 0) return 'cut off';
  return existsSync(recordOf(file)) && readFileSync(recordOf(file), 'utf8') === seal(file)
    ? 'left'
    : 'unknown';
}

/** From now on it is not as it was left. */
export function opened(file: string): void {
  rmSync(recordOf(file), { force: true });
}

/** It was closed, and nothing was found wrong with it. What cannot be noted is looked at again. */
export function closedWell(file: string): void {
  if (sizeOf(`${file}-wal`) > 0) return;
  try {
    writeFileSync(recordOf(file), seal(file), { mode: 0o600 });
  } catch {
    // A full disk, or one that is gone.
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
