/** What Linux tells of a process in /proc: its memory, its children. */
import { readFile } from 'node:fs/promises';

/**
 * Bytes of memory that the process takes: its share of what it shares (Pss) where the kernel says, else all
 * that is resident. null on other systems, when the process is gone, and for a zombie, which has no memory.
 */
export async function memoryOf(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  return (await field(`/proc/${pid}/smaps_rollup`, 'Pss')) ?? (await field(`/proc/${pid}/status`, 'VmRSS'));
}

/** The value of a `Name:   123 kB` line in bytes. */
async function field(file: string, name: string): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text);
  return found ? Number(found[1]) * 1024 : null;
}

/**
 * The oldest child of a process, which is the program that a sandbox was made for: orphans that its first process
 * takes in come after it (proc(5), `/proc/pid/task/tid/children`). null when there is none.
 */
export async function firstChild(pid: number): Promise<number | null> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const first = children.trim().split(' ')[0];
  return first ? Number(first) : null;
}
