/** What is said of a process that has ended: by what it was killed, and what it printed last. Pure. */
import type { LaunchEnd } from '../launchers/launcher';

const MIB = 1024 ** 2;

/** Of a process that was killed because its wire was given up for `reason`. */
export function describeGivenUp(title: string, reason: string): string {
  return `${title} was ended because code in it wrote to its wire to the harbor: ${reason}`;
}

/** "SBCL was killed by SIGKILL", or for which memory; null for a process that was not killed. */
export function describeKilled(title: string, { signal, exceededBytes }: LaunchEnd): string | null {
  if (signal === null) return null;
  if (exceededBytes === undefined) return `${title} was killed by ${signal}`;
  const most = Math.floor(exceededBytes / MIB);
  return `${title} was killed because it took more than ${most} MiB of memory, with the programs that it had started: the most that an image may have here`;
}

/** Whole lines, `most` characters of them at most; of a last line that is longer, its end. */
export function lastLines(text: string, most: number): string {
  const said = text.trim();
  if (said.length <= most) return said;
  const end = said.slice(-most);
  return end.slice(end.indexOf('\n') + 1);
}
