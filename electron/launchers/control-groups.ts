/**
 * Limits by control groups that the harbor makes itself, one for each image: where its own group lies in a hierarchy
 * that it may change, as root may, or as one who was handed a part of it.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { readdir, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import { runAlone } from '../host/child-process';
import { ControlGroup, endGroup, type GroupParent } from './control-group';
import {
  CONTROLLERS,
  type Controller,
  type GroupPlace,
  groupParents,
  groupPlaces,
} from './control-group-places';
import { byWords, type ImageLimit, type MostOfAnImage } from './process-limits';

/** After it the pid of the harbor: a group whose harbor is gone is recognized by that. */
const PREFIX = 'lisp-harbor-';
const LEFT = new RegExp(`^${PREFIX}(\\d+)-(?:(\\d+)-)?`);
const NAMESPACE = pidNamespace();

/** Whose pid is written here enters the group. */
const PROCESSES = 'cgroup.procs';

export class ControlGroups {
  readonly #parents: readonly GroupParent[];
  readonly #most: MostOfAnImage;
  /** Of this process. */
  readonly #places: readonly GroupPlace[];
  /** Of images that are about to be started. */
  readonly #expected: ControlGroup[][] = [];

  private constructor(parents: readonly GroupParent[], most: MostOfAnImage, places: readonly GroupPlace[]) {
    this.#parents = parents;
    this.#most = most;
    this.#places = places;
  }

  /** Where groups can be made. Whether they can be entered as well shows when an image is started. */
  static made(most: MostOfAnImage): ControlGroups {
    const places = ownPlaces();
    const parents = places.map(firstToMakeIn).filter((parent) => parent !== null);
    void removeAllLeftOvers(parents);
    return new ControlGroups(parents, most, places);
  }

  /** Where they can be entered, which is tried. What harbors that were killed have left there is removed. */
  static async find(most: MostOfAnImage): Promise<ControlGroups> {
    const places = ownPlaces();
    const found = await Promise.all(places.map(firstToEnterIn));
    const parents = found.filter((parent) => parent !== null);
    await removeAllLeftOvers(parents);
    return new ControlGroups(parents, most, places);
  }

  /** What they do not limit here. */
  get missing(): Controller[] {
    return CONTROLLERS.filter((each) => !this.#parents.some(({ controllers }) => controllers.includes(each)));
  }

  /**
   * Makes the groups of the next image, and has the kernel begin with what takes long: before a process enters a group it waits
   * until no processor can be in the middle of a fork, some ten milliseconds, but not where somebody has just waited
   * (cgroup_attach_lock in kernel/cgroup/cgroup.c). So this process enters the group in which it is. No group can be made
   * meanwhile.
   */
  expectOne(): void {
    const [place] = this.#parents.length > 0 ? this.#places : [];
    if (!place) return;
    try {
      this.#expected.push(this.#makeAll());
    } catch {
      return; // Whoever then asks for them is told.
    }
    void writeFile(path.join(place.own, PROCESSES), String(process.pid)).catch(() => undefined);
  }

  /** A group in each hierarchy. @throws HarborError `engine_failed` */
  make(): ImageLimit {
    const groups = this.#expected.shift() ?? this.#makeAll();
    return {
      ...byWords({ outside: [], env: {}, inside: [] }),
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
      for (const parent of this.#parents) groups.push(madeIn(parent, this.#most));
      return groups;
    } catch (error) {
      for (const group of groups) void group.remove();
      const reason = error instanceof Error ? error.message : String(error);
      throw new HarborError(
        'engine_failed',
        `The control group that limits an image cannot be made any more (${reason}). Start Lisp Harbor again: it looks anew for what limits images here.`,
      );
    }
  }
}

function ownPlaces(): GroupPlace[] {
  return groupPlaces(readText('/proc/self/cgroup'), readText('/proc/self/mountinfo'));
}

/** The groups of the hierarchy below which one might be made that limits something, best first. Another one is asked for
 * controllers only where those before it will not do. */
function* parentsIn(place: GroupPlace): Generator<GroupParent, undefined> {
  const { version } = place;
  for (const folder of groupParents(place)) {
    const controllers = version === 1 ? place.controllers : handedDown(folder, place.controllers);
    if (controllers.length > 0) yield { version, controllers, folder };
  }
}

function firstToMakeIn(place: GroupPlace): GroupParent | null {
  for (const parent of parentsIn(place)) if (canBeMade(parent)) return parent;
  return null;
}

async function firstToEnterIn(place: GroupPlace): Promise<GroupParent | null> {
  for (const parent of parentsIn(place)) if (await canBeEntered(parent)) return parent;
  return null;
}

/** Which of the controllers groups below this one of version 2 have, or have now that they were asked for. */
function handedDown(folder: string, wanted: readonly Controller[]): Controller[] {
  const read = (file: string) => readText(path.join(folder, file)).trim().split(' ');
  const [enabled, available] = [read('cgroup.subtree_control'), read('cgroup.controllers')];
  const possible = wanted.filter((each) => enabled.includes(each) || available.includes(each));
  const asked = possible.filter((each) => !enabled.includes(each)).map((each) => `+${each}`);
  if (asked.length === 0) return possible;
  try {
    writeFileSync(path.join(folder, 'cgroup.subtree_control'), asked.join(' '));
    return possible;
  } catch {
    return possible.filter((each) => enabled.includes(each));
  }
}

/** Only the rights are tried. */
const LITTLE: MostOfAnImage = { tasks: 8, memoryBytes: 64 * 1024 ** 2 };

function canBeMade(parent: GroupParent): boolean {
  try {
    void madeIn(parent, LITTLE).remove();
    return true;
  } catch {
    return false;
  }
}

/** `true` fits into every limit. */
async function canBeEntered(parent: GroupParent): Promise<boolean> {
  try {
    const group = madeIn(parent, LITTLE);
    const entered = runAlone('true', [], { groups: [group.folder] }).then(
      () => true,
      () => false,
    );
    return await entered.finally(() => group.remove());
  } catch {
    return false;
  }
}

function madeIn(parent: GroupParent, most: MostOfAnImage): ControlGroup {
  return new ControlGroup(
    parent,
    `${PREFIX}${process.pid}-${NAMESPACE}-${randomBytes(6).toString('hex')}`,
    most,
  );
}

async function removeAllLeftOvers(parents: readonly GroupParent[]): Promise<void> {
  await Promise.all(parents.map(({ folder }) => removeLeftOvers(folder)));
}

/** What a harbor that was killed left running is ended: a sandbox that was just being made hears nothing of that end. A
 * group of another pid namespace may be in use, which keeps the kernel from removing it. */
async function removeLeftOvers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const left = names.flatMap((name) => {
    const [, pid, namespace] = LEFT.exec(name) ?? [];
    return pid === undefined || isAlive(Number(pid)) ? [] : [{ at: path.join(folder, name), namespace }];
  });
  const ours = left.filter(({ namespace }) => namespace === NAMESPACE);
  await Promise.all(left.map(({ at }) => rmdir(at).catch(() => undefined)));
  await Promise.all(ours.map(({ at }) => endGroup(at)));
}

/** The pid namespace of this process (pid_namespaces(7)), in which its pid means what it does. */
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

/** Read at once, as `machineMemory` does; empty for what is not there. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
