/** The folder for temporary files of a run. What killed runs left is removed at the next start. */
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dataFolder } from '../electron/host/data-folder';
import { RunningHarbor } from '../electron/host/running-harbor';

/** Short, because paths of Unix sockets are limited. */
const OF_RUN = /^lht-(\d+)$/;

let made: string | undefined;

/** Called by Vitest, once for all files. Workers inherit the environment. */
export async function setup(): Promise<void> {
  const lasting = tmpdir();
  for (const name of readdirSync(lasting)) {
    const owner = OF_RUN.exec(name)?.[1];
    const left = path.join(lasting, name);
    if (owner !== undefined && !isAlive(Number(owner)) && isOwn(left)) await clear(left);
  }
  const folder = path.join(lasting, `lht-${process.pid}`);
  // Other users run programs in it.
  mkdirSync(folder, { mode: 0o755 });
  made = folder;
  process.env.LISP_HARBOR_TEST_LASTING = lasting;
  // The last two on Windows.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
}

/** Called by Vitest after all files. */
export async function teardown(): Promise<void> {
  if (made !== undefined) await clear(made);
}

/** Ends the harbors that still run, such as those that workers shared. */
async function clear(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) await RunningHarbor.of(dataFolder(path.join(folder, name)))?.stop();
  // An image that is ending may still write for a moment.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

function isOwn(folder: string): boolean {
  const { uid } = lstatSync(folder);
  return uid === (process.getuid?.() ?? uid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
