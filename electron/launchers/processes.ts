/** Processes: what Linux tells of them in /proc, their memory and children, and signals by number. */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Activity, Usage } from './launcher';

/** Linux tells times in these to every program, whatever the kernel counts in (USER_HZ). */
const TICKS_PER_SECOND = 100;

/**
 * Bytes of memory that the process takes: its share of what it shares (Pss) where the kernel says, else all
 * that is resident. null on other systems, when the process is gone, and for a zombie, which has no memory.
 */
async function memoryOf(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  return (await field(`/proc/${pid}/smaps_rollup`, 'Pss')) ?? (await field(`/proc/${pid}/status`, 'VmRSS'));
}

/** Seconds of processor time (proc(5): utime and stime, the 14th and 15th fields of `/proc/pid/stat`). */
async function cpuOf(pid: number): Promise<number | null> {
  const fields = await statOf(pid);
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks / TICKS_PER_SECOND : null;
}

/** The fields of `/proc/pid/stat` from the third on; none where there is no such process. */
async function statOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field, the program's name, may hold blanks and parentheses.
  return text.slice(text.lastIndexOf(')')).split(' ').slice(1);
}

/**
 * Whether it is certainly nothing that a harbor confines: it sees the files that we see, may still gain privileges, which
 * neither bubblewrap nor Landlock leaves to what they start and no process gets back, and this harbor has not started it.
 */
export async function isFree(pid: number): Promise<boolean> {
  const [status, theirs, ours] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
    readlink(`/proc/${pid}/ns/mnt`).catch(() => null),
    readlink('/proc/self/ns/mnt').catch(() => null),
  ]);
  if (!/^NoNewPrivs:\t0$/m.test(status) || theirs === null || theirs !== ours) return false;
  return !(await isDescendant(pid, process.pid));
}

/** Whether `pid` is `ancestor`, or was started by it or one of its children, as far as those still run. */
async function isDescendant(pid: number, ancestor: number): Promise<boolean> {
  for (let at = pid; at > 1; at = Number((await statOf(at))[1] ?? 0)) if (at === ancestor) return true;
  return false;
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
  if (pid === null) return null;
  const [memoryBytes, cpuSeconds] = await Promise.all([memoryOf(pid), cpuOf(pid)]);
  return memoryBytes === null || cpuSeconds === null ? null : { pid, memoryBytes, cpuSeconds };
}

/** What an engine's process, or its child that it knows as `fork`, is about. */
export async function activityOf(
  engine: number | null,
  fork: number | undefined,
): Promise<Omit<Activity, 'heard'> | null> {
  const pid = engine === null || fork === undefined ? engine : await childKnownAs(fork, engine);
  if (pid === null) return null;
  const [cpuSeconds, states] = await Promise.all([cpuOf(pid), threadStates(pid)]);
  return cpuSeconds === null ? null : { cpuSeconds, wantsProcessor: /[RD]/.test(states) };
}

/** A letter for each thread (proc(5), `/proc/pid/stat`, the third of its fields). */
async function threadStates(pid: number): Promise<string> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const states = threads.map(async (thread) => {
    const text = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => '');
    return text.charAt(text.lastIndexOf(')') + 2);
  });
  return (await Promise.all(states)).join('');
}

/** Oldest first. */
async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

/** The name of a signal; undefined for a number that is none. */
export function signalNumbered(number: number): NodeJS.Signals | undefined {
  const names = Object.keys(constants.signals) as NodeJS.Signals[];
  return names.find((name) => constants.signals[name] === number);
}
