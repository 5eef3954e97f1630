/** Processes that tests have marked in their command line. */
import { readdirSync, readFileSync } from 'node:fs';

/** Their pids. */
export function running(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLine(name).includes(mark))
    .map(Number);
}

/** Kills them; some may have ended already. */
export function endAll(mark: string): void {
  for (const pid of running(mark))
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
