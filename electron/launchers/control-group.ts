/**
 * One Linux control group: a kernel folder whose files limit the processes in it (cgroups(7); kernel
 * documentation cgroup-v1 and cgroup-v2), and the place of this process in the hierarchies.
 */

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ImageMaximum } from './process-limits';

/** A group below which groups for images are created. */
export interface GroupParent {
  version: 1 | 2;
  controllers: readonly Controller[];
  folder: string;
}

/** Milliseconds between attempts to remove a group whose processes are dying, and the number of attempts. */
const PAUSE_MS = 20;
const ATTEMPTS = 100;

/**
 * Returns the files to write and their values, in order. Optional files do not exist on kernels without swap.
 */
export function groupSettings(
  { version, controllers }: Pick<GroupParent, 'version' | 'controllers'>,
  { tasks, memoryBytes }: ImageMaximum,
): { file: string; value: string; optional: boolean }[] {
  const [memory, swap] =
    version === 1
      ? // In version 1 the second file limits memory plus swap.
        ([
          { file: 'memory.limit_in_bytes' },
          { file: 'memory.memsw.limit_in_bytes', value: memoryBytes },
        ] as const)
      : ([{ file: 'memory.max' }, { file: 'memory.swap.max', value: 0 }] as const);
  const ofMemory = [
    { file: memory.file, value: String(memoryBytes), optional: false },
    { file: swap.file, value: String(swap.value), optional: true },
  ];
  return [
    ...(controllers.includes('memory') ? ofMemory : []),
    ...(controllers.includes('pids') ? [{ file: 'pids.max', value: String(tasks), optional: false }] : []),
  ];
}

export class ControlGroup {
  readonly folder: string;
  readonly #parent: GroupParent;

  /** Creates the group. @throws the system's error */
  constructor(parent: GroupParent, name: string, most: ImageMaximum) {
    this.#parent = parent;
    this.folder = path.join(parent.folder, name);
    mkdirSync(this.folder);
    try {
      for (const { file, value, optional } of groupSettings(parent, most)) {
        const at = path.join(this.folder, file);
        if (!optional || existsSync(at)) writeFileSync(at, value);
      }
    } catch (error) {
      rmdirSync(this.folder);
      throw error;
    }
  }

  /** Reports whether the kernel killed a process of the group for exceeding the memory limit. */
  ranOutOfMemory(): boolean {
    if (!this.#parent.controllers.includes('memory')) return false;
    const file = this.#parent.version === 1 ? 'memory.oom_control' : 'memory.events';
    try {
      const counted = /^oom_kill (\d+)$/m.exec(readFileSync(path.join(this.folder, file), 'utf8'));
      return Number(counted?.[1] ?? 0) > 0;
    } catch {
      return false; // The group was removed.
    }
  }

  /** Kills the remaining processes and removes the group. Never rejects. */
  remove(): Promise<void> {
    return endGroup(this.folder);
  }
}

/** Kills the processes of a group and removes it. Never rejects. */
export function endGroup(folder: string): Promise<void> {
  return removeGroup(folder, () => endAll(folder));
}

function endAll(folder: string): void {
  try {
    const pids = readFileSync(path.join(folder, 'cgroup.procs'), 'utf8').split('\n').map(Number);
    // 0 means a process of another pid namespace; kill(2) would take it as our own group.
    for (const pid of pids.filter((each) => each > 0)) process.kill(pid, 'SIGKILL');
  } catch {
    // They have ended meanwhile; the next attempt reads the rest.
  }
}

/**
 * Removes an empty group; retries while its processes are dying. Never rejects.
 * @param beforeWaiting kills them
 */
async function removeGroup(folder: string, beforeWaiting: () => void = () => undefined): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const failure = await rmdir(folder).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (failure !== 'EBUSY') return;
    beforeWaiting();
    await delay(PAUSE_MS);
  }
}

/** The resources that the kernel can limit. */
export type Controller = (typeof CONTROLLERS)[number];
export const CONTROLLERS = ['memory', 'pids'] as const;

/** A hierarchy of groups, and this process's place in it. */
export interface GroupLocation {
  version: 1 | 2;
  /** Version 1: the hierarchy's controllers. Version 2: those that no hierarchy of version 1 has. */
  controllers: readonly Controller[];
  /** The folder of this process's group. */
  own: string;
  /** The mount point of the hierarchy; nothing above it is reachable. */
  mount: string;
}

interface Membership {
  controllers: readonly string[];
  /** Path of the group from the root of its hierarchy. */
  group: string;
}

interface Mount {
  /** The group that is visible as the root of the mount. */
  root: string;
  folder: string;
  type: string;
  options: readonly string[];
}

/**
 * Returns the groups of this process, parsed from /proc/self/cgroup (cgroups(7)) and /proc/self/mountinfo
 * (proc(5)). Pure.
 * @param cgroup text of /proc/self/cgroup
 * @param mountinfo text of /proc/self/mountinfo
 */
export function ownGroups(cgroup: string, mountinfo: string): GroupLocation[] {
  const memberships = lines(cgroup).map(membership);
  const mounts = lines(mountinfo).map(mountOf);
  const taken = memberships.flatMap(({ controllers }) => controllers);
  return memberships.flatMap(({ controllers: served, group }): GroupLocation[] => {
    const version = served.length > 0 ? 1 : 2;
    const controllers = CONTROLLERS.filter((each) =>
      version === 1 ? served.includes(each) : !taken.includes(each),
    );
    const location = shown(
      group,
      mounts.filter((mount) => serves(mount, version, controllers)),
    );
    return controllers.length > 0 && location ? [{ version, controllers, ...location }] : [];
  });
}

function serves({ type, options }: Mount, version: 1 | 2, controllers: readonly Controller[]): boolean {
  if (version === 2) return type === 'cgroup2';
  return type === 'cgroup' && controllers.every((each) => options.includes(each));
}

/**
 * Returns candidate parents for new groups, best first. In version 2 a group with processes cannot delegate
 * to subgroups, so a sibling is the next candidate.
 */
export function groupParents({ version, own, mount }: GroupLocation): string[] {
  return version === 1 || own === mount ? [own] : [own, path.posix.dirname(own)];
}

/** `4:memory:/x`, `6:cpu,cpuacct:/`, `9:name=systemd:/`, and for version 2 `0::/x`. */
function membership(line: string): Membership {
  const [, list = '', ...group] = line.split(':');
  return { controllers: list.split(',').filter(Boolean), group: group.join(':') };
}

/** `35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory`. */
function mountOf(line: string): Mount {
  const [left = '', right = ''] = line.split(' - ');
  const [, , , root = '', folder = ''] = left.split(' ');
  const [type = '', , options = ''] = right.split(' ');
  return { root: unescaped(root), folder: unescaped(folder), type, options: options.split(',') };
}

/** Returns the group's folder below the first mount that contains it. */
function shown(group: string, mounts: readonly Mount[]): { own: string; mount: string } | null {
  for (const { root, folder } of mounts) {
    const way = path.posix.relative(root, group);
    if (!way.startsWith('..')) return { own: path.posix.join(folder, way), mount: folder };
  }
  return null;
}

/** Decodes spaces and the like, which are written as `\040`. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
}

function lines(text: string): string[] {
  return text.split('\n').filter(Boolean);
}
