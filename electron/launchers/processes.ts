/** Reads processes from Linux's /proc: memory, processor time, children; and maps signal numbers to names. */
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { system } from '../host/system';
import type { Activity, Usage } from './launcher';

/** The unit of times in /proc, independent of the kernel's own (USER_HZ). */
const TICKS_PER_SECOND = 100;

/**
 * Returns memory in bytes: proportional share (Pss) if available, else resident size. null on other systems,
 * for a process that is gone, and for a zombie, which has no memory.
 */
async function memoryOf(pid: number): Promise<number | null> {
  if (!system.hasProc) return null;
  return (await field(`/proc/${pid}/smaps_rollup`, 'Pss')) ?? (await field(`/proc/${pid}/status`, 'VmRSS'));
}

/**
 * Returns processor time in seconds (proc(5): utime and stime, the 14th and 15th fields of `/proc/pid/stat`).
 */
async function cpuOf(pid: number): Promise<number | null> {
  const fields = await statOf(pid);
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks / TICKS_PER_SECOND : null;
}

/** Returns the fields of `/proc/pid/stat` from the third on; none if there is no such process. */
async function statOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field, the program's name, may contain spaces and parentheses.
  return text.slice(text.lastIndexOf(')')).split(' ').slice(1);
}

/**
 * Reports whether the process is certainly not confined by any instance of the app: it has our mount
 * namespace, may gain privileges (bubblewrap and Landlock set no_new_privs irrevocably), and was not started
 * by this app.
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

/**
 * Reports whether `pid` is `ancestor` or a descendant of it, as far as the processes in between still run.
 */
async function isDescendant(pid: number, ancestor: number): Promise<boolean> {
  for (let at = pid; at > 1; at = Number((await statOf(at))[1] ?? 0)) if (at === ancestor) return true;
  return false;
}

/** Returns the value of a `Name:   123 kB` line in bytes. */
async function field(file: string, name: string): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text);
  return found ? Number(found[1]) * 1024 : null;
}

/**
 * Returns the oldest child of a process: the sandboxed program, because orphans adopted by the first process
 * come later (proc(5), `/proc/pid/task/tid/children`). null if there is none.
 */
export async function firstChild(pid: number): Promise<number | null> {
  return (await childrenOf(pid))[0] ?? null;
}

/**
 * Returns the child of `pid` whose pid in its own namespace (the host's or a sandbox's) is `inner` (proc(5),
 * `NSpid`). Other processes are never found.
 */
async function childKnownAs(inner: number, pid: number): Promise<number | null> {
  for (const child of await childrenOf(pid)) {
    const status = await readFile(`/proc/${child}/status`, 'utf8').catch(() => '');
    const pids = /^NSpid:\s+(.*)$/m.exec(status)?.[1]?.split('\t');
    if (pids?.at(-1) === String(inner)) return child;
  }
  return null;
}

/** Returns the figures of an engine's process, or of its child that it knows as `fork`. */
export async function usageOf(engine: number | null, fork: number | undefined): Promise<Usage | null> {
  const pid = engine === null || fork === undefined ? engine : await childKnownAs(fork, engine);
  if (pid === null) return null;
  const [memoryBytes, cpuSeconds] = await Promise.all([memoryOf(pid), cpuOf(pid)]);
  return memoryBytes === null || cpuSeconds === null ? null : { pid, memoryBytes, cpuSeconds };
}

/** Returns the activity of an engine's process, or of its child that it knows as `fork`. */
export async function activityOf(
  engine: number | null,
  fork: number | undefined,
): Promise<Omit<Activity, 'bytesRead'> | null> {
  const pid = engine === null || fork === undefined ? engine : await childKnownAs(fork, engine);
  if (pid === null) return null;
  const [cpuSeconds, states] = await Promise.all([cpuOf(pid), threadStates(pid)]);
  return cpuSeconds === null ? null : { cpuSeconds, wantsProcessor: /[RD]/.test(states) };
}

/** Returns one state letter per thread (proc(5), the third field of `/proc/pid/stat`). */
async function threadStates(pid: number): Promise<string> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const states = threads.map(async (thread) => {
    const text = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => '');
    return text.charAt(text.lastIndexOf(')') + 2);
  });
  return (await Promise.all(states)).join('');
}

/** Returns the children that the thread started, by default the first one; oldest first. */
async function childrenOf(pid: number, thread: number | string = pid): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

/** Bytes of a block that `stat` counts, whatever the blocks of the file system have. */
export const BLOCK_BYTES = 512;

/**
 * Returns the files that a process and its descendants have open although nothing names them any more, by the
 * path that they had, with ` (deleted)` at its end.
 */
export async function deletedFiles(pid: number): Promise<{ path: string; bytes: number }[]> {
  const found = new Map<string, { path: string; bytes: number }>();
  const waiting = [pid];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    // Each thread has the children that it started.
    for (const thread of await readdir(`/proc/${at}/task`).catch(() => []))
      waiting.push(...(await childrenOf(at, thread)));
    for (const descriptor of await readdir(`/proc/${at}/fd`).catch(() => [])) {
      const opened = `/proc/${at}/fd/${descriptor}`;
      const file = await stat(opened).catch(() => null);
      if (file?.isFile() && file.nlink === 0)
        found.set(`${file.dev} ${file.ino}`, {
          path: await readlink(opened).catch(() => ''),
          bytes: file.blocks * BLOCK_BYTES,
        });
    }
  }
  return [...found.values()];
}

/** Returns the name of a signal; undefined if there is none with that number. */
export function signalNumbered(number: number): NodeJS.Signals | undefined {
  const names = Object.keys(constants.signals) as NodeJS.Signals[];
  return names.find((name) => constants.signals[name] === number);
}
