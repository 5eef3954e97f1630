/** Who holds a data folder, as its lock tells. Read by every command, so it loads nothing but Node. */
import { readFileSync } from 'node:fs';

export interface Holder {
  pid: number;
  /** Start time of the process in clock ticks since boot; null where the system does not tell. */
  startTime: string | null;
  socket: string;
  kind: 'app' | 'headless' | 'command';
}

/** Who holds the lock, or null when nobody alive does. */
export function lockHolder(file: string): Holder | null {
  const holder = readHolder(file);
  return holder && isAlive(holder) ? holder : null;
}

export function readHolder(file: string): Holder | null {
  const text = readText(file);
  return text === null ? null : holderIn(text);
}

/** null where nobody is named. */
export function holderIn(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text);
    return isHolder(value) ? value : null;
  } catch {
    return null;
  }
}

function isHolder(value: unknown): value is Holder {
  const { pid, startTime, socket, kind } = Object(value) as Record<keyof Holder, unknown>;
  return (
    Number.isInteger(pid) &&
    Number(pid) > 0 &&
    (startTime === null || typeof startTime === 'string') &&
    typeof socket === 'string' &&
    (kind === 'app' || kind === 'headless' || kind === 'command')
  );
}

/** null when there is no such file; one that cannot be read counts as empty. */
export function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return isCode(error, 'ENOENT') ? null : '';
  }
}

export function isAlive({ pid, startTime }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return isCode(error, 'EPERM');
  }
  return startTime === startTimeOf(pid);
}

/** Field 22 of /proc/<pid>/stat (proc(5)); a zombie counts as dead. Null outside Linux. */
export function startTimeOf(pid: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may hold spaces and parentheses; the fields after it do not.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? 'zombie' : (fields[18] ?? null);
  } catch {
    return 'gone';
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
