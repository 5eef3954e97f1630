/**
 * How much memory programs can still get: that of this machine, or of the control group of this process if it has less. Linux tells in /proc/meminfo (proc(5)) and in the files of control groups (version 1: memory.limit_in_bytes
 * and its like, version 2: memory.max); other systems tell through Node.
 */
import { readFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import path from 'node:path';

/** Bytes. `swapBytes` is what can still be swapped out. */
export interface MachineMemory {
  totalBytes: number;
  availableBytes: number;
  swapBytes: number;
}

/** Where version 2 and version 1 say what a group may use, what it uses, and what of that is only a cache of files. */
const GROUPS = [
  { line: /^0::(.*)$/m, mount: 'sys/fs/cgroup', limit: 'memory.max', used: 'memory.current' },
  {
    line: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m,
    mount: 'sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    used: 'memory.usage_in_bytes',
  },
] as const;

/** Read at once: the kernel answers out of its memory, in less time than a thread would take to be told.
 * @param root where the file system of Linux begins */
export function machineMemory(root = '/'): MachineMemory {
  const machine = meminfo(root) ?? {
    totalBytes: totalmem(),
    availableBytes: freemem(),
    swapBytes: 0,
  };
  for (const group of limitedGroups(root)) {
    machine.totalBytes = Math.min(machine.totalBytes, group.limit);
    machine.availableBytes = Math.min(machine.availableBytes, Math.max(0, group.limit - group.used));
  }
  return machine;
}

function meminfo(root: string): MachineMemory | null {
  const text = readText(path.join(root, 'proc/meminfo'));
  const bytes = (name: string) => {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text);
    return found ? Number(found[1]) * 1024 : null;
  };
  const [totalBytes, availableBytes] = [bytes('MemTotal'), bytes('MemAvailable')];
  if (totalBytes === null || availableBytes === null) return null;
  return { totalBytes, availableBytes, swapBytes: bytes('SwapFree') ?? 0 };
}

/** The groups that this process is in, up to the outermost: the limit of each holds. */
function limitedGroups(root: string): { limit: number; used: number }[] {
  const membership = readText(path.join(root, 'proc/self/cgroup'));
  const folders = GROUPS.flatMap((version) => {
    const own = version.line.exec(membership)?.[1];
    return own === undefined ? [] : upwards(own).map((group) => ({ version, group }));
  });
  return folders.flatMap(({ version, group }) => {
    const folder = path.join(root, version.mount, group);
    const limit = readNumber(path.join(folder, version.limit));
    // Of most groups nothing else is asked.
    const used = limit === null ? null : readNumber(path.join(folder, version.used));
    if (limit === null || used === null) return [];
    const stat = readText(path.join(folder, 'memory.stat'));
    const cache = Number(/^(?:total_)?inactive_file (\d+)$/m.exec(stat)?.[1] ?? 0);
    return [{ limit, used: used - cache }];
  });
}

/** `/a/b`, `/a`, `/`. */
function upwards(group: string): string[] {
  return group === '/' ? ['/'] : [group, ...upwards(path.posix.dirname(group))];
}

/** null for no limit (`max`), and where there is no such file. */
function readNumber(file: string): number | null {
  const text = readText(file).trim();
  return /^\d+$/.test(text) ? Number(text) : null;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
