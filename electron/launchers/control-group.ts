/**
 * One control group: a folder of the kernel's whose files limit the processes in it (cgroups(7); in the kernel's
 * documentation cgroup-v1 and cgroup-v2).
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Controller } from './control-group-places';
import type { MostOfAnImage } from './process-limits';

/** A group below which those of images are made. */
export interface GroupParent {
  version: 1 | 2;
  controllers: readonly Controller[];
  folder: string;
}

/** Milliseconds between two attempts to remove a group whose processes are dying, and how many there are. */
const PAUSE_MS = 20;
const ATTEMPTS = 100;

/** What is written into which file, in this order; the kernel does not have an optional one where it has no swap. */
export function groupSettings(
  { version, controllers }: Pick<GroupParent, 'version' | 'controllers'>,
  { tasks, memoryBytes }: MostOfAnImage,
): { file: string; value: string; optional: boolean }[] {
  const [memory, swap] =
    version === 1
      ? // Here the second is memory and swap together.
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

  /** Makes it. @throws the system's error */
  constructor(parent: GroupParent, name: string, most: MostOfAnImage) {
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

  /** Whether the kernel has ended a process of it for the memory that they took together. */
  ranOutOfMemory(): boolean {
    if (!this.#parent.controllers.includes('memory')) return false;
    const file = this.#parent.version === 1 ? 'memory.oom_control' : 'memory.events';
    try {
      const counted = /^oom_kill (\d+)$/m.exec(readFileSync(path.join(this.folder, file), 'utf8'));
      return Number(counted?.[1] ?? 0) > 0;
    } catch {
      return false; // Somebody has removed it.
    }
  }

  /** Ends what is left in it. Never rejects. */
  remove(): Promise<void> {
    return endGroup(this.folder);
  }
}

/** Ends what is in a group, and removes it. Never rejects. */
export function endGroup(folder: string): Promise<void> {
  return removeGroup(folder, () => endAll(folder));
}

function endAll(folder: string): void {
  try {
    const pids = readFileSync(path.join(folder, 'cgroup.procs'), 'utf8').split('\n').map(Number);
    // 0 stands for a process of another pid namespace, and for kill(2) means this one's own group.
    for (const pid of pids.filter((each) => each > 0)) process.kill(pid, 'SIGKILL');
  } catch {
    // They have ended meanwhile; those that are left are read at the next attempt.
  }
}

/** Removes an empty group, and waits a little for one whose processes are dying. Never rejects.
 * @param beforeWaiting has them die */
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
