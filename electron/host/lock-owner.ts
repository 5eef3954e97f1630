/**
 * Reads which process owns a data folder, from its lock file. Every command reads it, so this loads only Node
 * modules.
 */

import { readFileSync } from 'node:fs';
import { system } from './system';

export interface LockOwner {
  pid: number;
  /** Start time of the process in clock ticks since boot; null if the system does not provide it. */
  startTime: string | null;
  socket: string;
  kind: 'app' | 'headless' | 'command';
}

/** Returns the process that owns the lock, or null if none is alive. */
export function lockOwner(file: string): LockOwner | null {
  const holder = readOwner(file);
  return holder && isAlive(holder) ? holder : null;
}

export function readOwner(file: string): LockOwner | null {
  const text = readText(file);
  return text === null ? null : parseOwner(text);
}

/** Returns null if the text names no process. */
export function parseOwner(text: string): LockOwner | null {
  try {
    const value: unknown = JSON.parse(text);
    return isHolder(value) ? value : null;
  } catch {
    return null;
  }
}

function isHolder(value: unknown): value is LockOwner {
  const { pid, startTime, socket, kind } = Object(value) as Record<keyof LockOwner, unknown>;
  return (
    Number.isInteger(pid) &&
    Number(pid) > 0 &&
    (startTime === null || typeof startTime === 'string') &&
    typeof socket === 'string' &&
    (kind === 'app' || kind === 'headless' || kind === 'command')
  );
}

/** Returns null if the file does not exist, and an empty text if it cannot be read. */
export function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return isCode(error, 'ENOENT') ? null : '';
  }
}

export function isAlive({ pid, startTime }: LockOwner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return isCode(error, 'EPERM');
  }
  return startTime === startTimeOf(pid);
}

/** Field 22 of /proc/<pid>/stat (proc(5)). A zombie counts as dead. Null outside Linux. */
export function startTimeOf(pid: number): string | null {
  if (!system.hasProc) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may contain spaces and parentheses; the fields after it do not.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? 'zombie' : (fields[18] ?? null);
  } catch {
    return 'gone';
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
