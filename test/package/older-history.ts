/** A history as an older version left it: of the schema of that time, with what that could hold of what is there. */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { MIGRATIONS } from '../../electron/history/database';

/**
 * @param electron whose Node reads and writes it
 * @param version the `user_version` of that time
 */
export function asOlder(electron: string, data: string, version: number): void {
  const steps = MIGRATIONS.filter((step) => step.version <= version).map(({ sql }) => sql);
  execFileSync(electron, [path.join(import.meta.dirname, 'older-history-writer.ts')], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    input: JSON.stringify({ file: path.join(data, 'history.db'), version, steps }),
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  // What lists and searches are answered from has come later.
  for (const name of readdirSync(data).filter((each) => each.startsWith('history-index')))
    rmSync(path.join(data, name), { recursive: true });
}
