/**
 * Reads how much memory programs can still get: the machine's, or less if a control group of this process has
 * a lower limit. On Linux from /proc/meminfo (proc(5)) and control group files (version 1:
 * memory.limit_in_bytes, version 2: memory.max); elsewhere from Node.
 */
import { readFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import path from 'node:path';

/** Figures in bytes. `swapBytes` is the free swap space. */
export interface MachineMemory {
  totalBytes: number;
  availableBytes: number;
  swapBytes: number;
}

/** Files with a group's limit, its usage, and the part of it that is file cache, for versions 2 and 1. */
const GROUPS = [
  { line: /^0::(.*)$/m, mount: 'sys/fs/cgroup', limit: 'memory.max', used: 'memory.current' },
  {
    line: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m,
    mount: 'sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    used: 'memory.usage_in_bytes',
  },
] as const;

/**
 * Reads synchronously: the kernel answers from memory, faster than a thread switch.
 * @param root root of the file system
 */
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

/** The groups of this process and their ancestors; each limit applies. */
function limitedGroups(root: string): { limit: number; used: number }[] {
  const membership = readText(path.join(root, 'proc/self/cgroup'));
  const folders = GROUPS.flatMap((version) => {
    const own = version.line.exec(membership)?.[1];
    return own === undefined ? [] : upwards(own).map((group) => ({ version, group }));
  });
  return folders.flatMap(({ version, group }) => {
    const folder = path.join(root, version.mount, group);
    const limit = readNumber(path.join(folder, version.limit));
    // Most groups have no limit, so nothing else is read.
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

/** Returns null for no limit (`max`) or a missing file. */
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
