/** Ends what a test started, whatever state it is in, and never takes long. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ElectronApplication } from '@playwright/test';
import { quit } from './desktop';

/** Milliseconds for an app that was asked to end; one that takes longer hangs, and would hold up every test after it. */
export const END_LIMIT_MS = 15_000;

/**
 * Ends an app that may have ended already. Playwright's `close` waits for pages and helpers too: where the screen
 * does not draw it waits for ever although the app would quit. Then the app is asked by a signal.
 * @throws when the app itself does not end
 */
export async function endApp(app: ElectronApplication, child: ChildProcess): Promise<void> {
  const closed = quit(app).catch(() => undefined);
  // It may also have failed, because the app was about to end.
  if ((await within(END_LIMIT_MS, closed)) && hasEnded(child)) return;
  const ended = hasEnded(child) || within(END_LIMIT_MS, once(child, 'exit'));
  child.kill('SIGTERM');
  const endedByItself = await ended;
  const held = endedByItself ? '' : heldBy(child);
  killWithHelpers(child);
  await closed;
  if (!endedByItself) throw new Error(`The app did not end when it was asked to.\n${held}`);
}

/** Where the kernel has the threads of a process that hangs, as Linux tells it; else nothing. */
function heldBy({ pid }: ChildProcess): string {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return '';
  return readdirSync(threads)
    .map((id) => ['comm', 'wchan', 'syscall'].map((file) => lineOf(`${threads}/${id}/${file}`)).join(' '))
    .join('\n');
}

function lineOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '-';
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Whether something happens within a time. */
async function within(limitMs: number, happening: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const late = delay(limitMs, false, { signal: over.signal }).catch(() => false);
  const inTime = await Promise.race([happening.then(() => true), late]);
  over.abort();
  return inTime;
}

/** Playwright starts an app as the leader of a process group of its own; a helper left over would keep `close` waiting. */
function killWithHelpers({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // None is left.
  }
}
