/**
 * Limits images by control groups that the app creates, one per image, where its own group is in a hierarchy
 * that it may change: as root, or in a delegated subtree.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { readdir, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { runAlone } from '../host/child-process';
import {
  CONTROLLERS,
  ControlGroup,
  type Controller,
  endGroup,
  type GroupLocation,
  type GroupParent,
  groupParents,
  ownGroups,
} from './control-group';

import { type ImageLimit, type ImageMaximum, limitByCommand } from './process-limits';

/** Followed by the app's pid, by which groups of a dead process are recognized. */
const PREFIX = 'lisp-harbor-';
const LEFTOVER = new RegExp(`^${PREFIX}(\\d+)-(?:(\\d+)-)?`);
const NAMESPACE = pidNamespace();

/** A process whose pid is written to this file enters the group. */
const PROCESSES = 'cgroup.procs';

export class ControlGroups {
  readonly #parents: readonly GroupParent[];
  readonly #most: ImageMaximum;
  /** The groups of this process. */
  readonly #locations: readonly GroupLocation[];
  /** Groups created in advance for images that are about to start. */
  readonly #expected: ControlGroup[][] = [];

  private constructor(
    parents: readonly GroupParent[],
    most: ImageMaximum,
    locations: readonly GroupLocation[],
  ) {
    this.#parents = parents;
    this.#most = most;
    this.#locations = locations;
  }

  /** Finds where groups can be created. Whether they can be entered is found out when an image starts. */
  static made(most: ImageMaximum): ControlGroups {
    const locations = ownLocations();
    const parents = locations.map(firstToMakeIn).filter((parent) => parent !== null);
    void removeAllLeftovers(parents);
    return new ControlGroups(parents, most, locations);
  }

  /**
   * Finds where groups can be created and entered, by trying it. Removes groups left over from crashed
   * instances.
   */
  static async find(most: ImageMaximum): Promise<ControlGroups> {
    const locations = ownLocations();
    const found = await Promise.all(locations.map(firstToEnterIn));
    const parents = found.filter((parent) => parent !== null);
    await removeAllLeftovers(parents);
    return new ControlGroups(parents, most, locations);
  }

  /** Controllers that are not available here. */
  get missing(): Controller[] {
    return CONTROLLERS.filter((each) => !this.#parents.some(({ controllers }) => controllers.includes(each)));
  }

  /**
   * Creates the groups of the next image in advance, and triggers the slow part: before a process enters a
   * group, the kernel waits about ten milliseconds until no processor is in a fork, unless another process
   * just waited (cgroup_attach_lock in kernel/cgroup/cgroup.c). So this process re-enters its own group. No
   * other group can be created meanwhile.
   */
  prepareNext(): void {
    const [location] = this.#parents.length > 0 ? this.#locations : [];
    if (!location) return;
    try {
      this.#expected.push(this.#makeAll());
    } catch {
      return; // `make` will report the error.
    }
    void writeFile(path.join(location.own, PROCESSES), String(process.pid)).catch(() => undefined);
  }

  /** Returns a limit with one group in each hierarchy. @throws HarborError `engine_failed` */
  make(): ImageLimit {
    const groups = this.#expected.shift() ?? this.#makeAll();
    return {
      ...limitByCommand({ outside: [], env: {}, inside: [] }),
      groups: groups.map(({ folder }) => folder),
      release: async () => {
        const exceeded = groups.some((group) => group.ranOutOfMemory());
        await Promise.all(groups.map((group) => group.remove()));
        return exceeded ? this.#most.memoryBytes : null;
      },
    };
  }

  /** @throws HarborError `engine_failed` */
  #makeAll(): ControlGroup[] {
    const groups: ControlGroup[] = [];
    try {
      for (const parent of this.#parents) groups.push(createIn(parent, this.#most));
      return groups;
    } catch (error) {
      for (const group of groups) void group.remove();
      const reason = error instanceof Error ? error.message : String(error);
      throw new HarborError(
        'engine_failed',
        `The control group that limits an image cannot be created any more (${reason}). Restart Lisp Harbor to detect the available limits again.`,
      );
    }
  }
}

function ownLocations(): GroupLocation[] {
  return ownGroups(readText('/proc/self/cgroup'), readText('/proc/self/mountinfo'));
}

/**
 * Yields the groups below which a limiting group might be created, best first. The next one is examined only
 * if the ones before it do not work.
 */
function* parentsIn(location: GroupLocation): Generator<GroupParent, undefined> {
  const { version } = location;
  for (const folder of groupParents(location)) {
    const controllers = version === 1 ? location.controllers : handedDown(folder, location.controllers);
    if (controllers.length > 0) yield { version, controllers, folder };
  }
}

function firstToMakeIn(location: GroupLocation): GroupParent | null {
  for (const parent of parentsIn(location)) if (canBeMade(parent)) return parent;
  return null;
}

async function firstToEnterIn(location: GroupLocation): Promise<GroupParent | null> {
  for (const parent of parentsIn(location)) if (await canBeEntered(parent)) return parent;
  return null;
}

/**
 * Returns the wanted controllers that subgroups of this version 2 group have, after enabling missing ones if
 * possible.
 */
function handedDown(folder: string, wanted: readonly Controller[]): Controller[] {
  const read = (file: string) => readText(path.join(folder, file)).trim().split(' ');
  const [enabled, available] = [read('cgroup.subtree_control'), read('cgroup.controllers')];
  const possible = wanted.filter((each) => enabled.includes(each) || available.includes(each));
  const requests = possible.filter((each) => !enabled.includes(each)).map((each) => `+${each}`);
  if (requests.length === 0) return possible;
  try {
    writeFileSync(path.join(folder, 'cgroup.subtree_control'), requests.join(' '));
    return possible;
  } catch {
    return possible.filter((each) => enabled.includes(each));
  }
}

/** Only permissions are tested. */
const TINY_LIMITS: ImageMaximum = { tasks: 8, memoryBytes: 64 * 1024 ** 2 };

function canBeMade(parent: GroupParent): boolean {
  try {
    void createIn(parent, TINY_LIMITS).remove();
    return true;
  } catch {
    return false;
  }
}

/** Runs `true` in a new group; it fits into any limit. */
async function canBeEntered(parent: GroupParent): Promise<boolean> {
  try {
    const group = createIn(parent, TINY_LIMITS);
    const entered = runAlone('true', [], { groups: [group.folder] }).then(
      () => true,
      () => false,
    );
    return await entered.finally(() => group.remove());
  } catch {
    return false;
  }
}

function createIn(parent: GroupParent, most: ImageMaximum): ControlGroup {
  return new ControlGroup(
    parent,
    `${PREFIX}${process.pid}-${NAMESPACE}-${randomBytes(6).toString('hex')}`,
    most,
  );
}

async function removeAllLeftovers(parents: readonly GroupParent[]): Promise<void> {
  await Promise.all(parents.map(({ folder }) => removeLeftovers(folder)));
}

/**
 * Kills processes left over from a crashed instance, and removes their groups; a sandbox that was just being
 * created would not end by itself. A group of another pid namespace may be in use, which keeps the kernel
 * from removing it.
 */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const leftovers = names.flatMap((name) => {
    const [, pid, namespace] = LEFTOVER.exec(name) ?? [];
    return pid === undefined || isAlive(Number(pid)) ? [] : [{ at: path.join(folder, name), namespace }];
  });
  const ours = leftovers.filter(({ namespace }) => namespace === NAMESPACE);
  await Promise.all(leftovers.map(({ at }) => rmdir(at).catch(() => undefined)));
  await Promise.all(ours.map(({ at }) => endGroup(at)));
}

/** The pid namespace of this process (pid_namespaces(7)), in which its pid is valid. */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Reads synchronously, like `machineMemory`; empty if the file does not exist. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
