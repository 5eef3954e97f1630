/** Waits until this machine has nothing to do. */
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** How long the machine is looked at. Linux counts in hundredths of a second. */
const LOOK_MS = 60;
/** Of that time, what all its processors together may have been busy: one count. */
const BUSY_MS = 10;
/** Others may have the machine for as long as they like; what is measured then says so by its load. */
const PATIENCE_MS = 3_000;

/** Where /proc/stat is not, nothing is waited for. */
export async function machineIsQuiet(): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  let before = busyMs();
  do {
    await delay(LOOK_MS);
    const now = busyMs();
    if (now - before <= BUSY_MS) return;
    before = now;
  } while (performance.now() < until);
}

/** What all processors have worked since the machine started. */
function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}
