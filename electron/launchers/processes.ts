/** What Linux tells of a process in /proc: its memory, its children. */
import { readFile } from 'node:fs/promises';
import type { Usage } from './launcher';

/**
 * Bytes of memory that the process takes: its share of what it shares (Pss) where the kernel says, else all
 * that is resident. null on other systems, when the process is gone, and for a zombie, which has no memory.
 */
async function memoryOf(pid: number): Promise<number | null> {
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
  return (await childrenOf(pid))[0] ?? null;
}

/**
 * The child of `pid` that is `inner` in the pid namespace of its own, which is the host's or a sandbox's (proc(5),
 * `NSpid`). No other process is found that way, whatever `inner` says.
 */
async function childKnownAs(inner: number, pid: number): Promise<number | null> {
  for (const child of await childrenOf(pid)) {
    const status = await readFile(`/proc/${child}/status`, 'utf8').catch(() => '');
    const pids = /^NSpid:\s+(.*)$/m.exec(status)?.[1]?.split('\t');
    if (pids?.at(-1) === String(inner)) return child;
  }
  return null;
}

/** The figures of an engine's process, or of its child that it knows as `fork`. */
export async function usageOf(engine: number | null, fork: number | undefined): Promise<Usage | null> {
  const pid = engine === null || fork === undefined ? engine : await childKnownAs(fork, engine);
  const memoryBytes = pid === null ? null : await memoryOf(pid);
  return pid === null || memoryBytes === null ? null : { pid, memoryBytes };
}

/** Oldest first. */
async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.trim().split(' ').filter(Boolean).map(Number);
}
