/** A history with as many evaluations and calls as a test or a measurement wants, written by SQL in one go. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** When the newest of them began, in milliseconds since the epoch. */
export const NEWEST_AT = Date.UTC(2026, 5, 15, 12);

/** Between two of them. */
export const APART_MS = 60_000;

const HERE = import.meta.dirname;

/**
 * Makes the history in the data folder: `evaluations` rows of two engines, three sessions and three clients, and after each
 * tenth a call that evaluated nothing. The one numbered n began `APART_MS` before the one numbered n + 1.
 * @param electron as Node it writes them: SQLite is for that one
 */
export function writeManyEntries(electron: string, data: string, evaluations: number): void {
  const run = (...args: string[]) =>
    execFileSync(electron, args, { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' }, stdio: 'pipe' });
  // Whatever is asked of the data folder first makes the database.
  run(path.join(HERE, '../out/electron/serve.js'), '--data', data, '--issue-token', 'first');
  run(path.join(HERE, 'many-entries-writer.ts'), path.join(data, 'history.db'), String(evaluations));
}
