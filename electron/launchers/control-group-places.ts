/**
 * Where the control groups of this process lie, by what Linux tells of them in /proc/self/cgroup (cgroups(7)) and in
 * /proc/self/mountinfo (proc(5)). Pure.
 */
import path from 'node:path';

/** What the kernel can count and limit. */
export type Controller = (typeof CONTROLLERS)[number];
export const CONTROLLERS = ['memory', 'pids'] as const;

/** A hierarchy of groups and this process's place in it. */
export interface GroupPlace {
  version: 1 | 2;
  /** Version 1: those that the hierarchy is for. Version 2: those that no hierarchy of version 1 has taken. */
  controllers: readonly Controller[];
  /** The folder of this process's group. */
  own: string;
  /** Where the hierarchy is mounted: nothing above it can be reached. */
  mount: string;
}

interface Membership {
  controllers: readonly string[];
  /** Of the group, from the root of its hierarchy. */
  group: string;
}

interface Mount {
  /** The group that it shows as its root. */
  root: string;
  folder: string;
  type: string;
  options: readonly string[];
}

/** @param cgroup text of /proc/self/cgroup
 * @param mountinfo text of /proc/self/mountinfo */
export function groupPlaces(cgroup: string, mountinfo: string): GroupPlace[] {
  const memberships = lines(cgroup).map(membership);
  const mounts = lines(mountinfo).map(mountOf);
  const taken = memberships.flatMap(({ controllers }) => controllers);
  return memberships.flatMap(({ controllers: served, group }): GroupPlace[] => {
    const version = served.length > 0 ? 1 : 2;
    const controllers = CONTROLLERS.filter((each) =>
      version === 1 ? served.includes(each) : !taken.includes(each),
    );
    const place = shown(
      group,
      mounts.filter((mount) => serves(mount, version, controllers)),
    );
    return controllers.length > 0 && place ? [{ version, controllers, ...place }] : [];
  });
}

function serves({ type, options }: Mount, version: 1 | 2, controllers: readonly Controller[]): boolean {
  if (version === 2) return type === 'cgroup2';
  return type === 'cgroup' && controllers.every((each) => options.includes(each));
}

/**
 * The groups below which others can be made, best first. In version 2 a group that has processes of its own can hand
 * nothing to groups below it, so there a neighbour of this process's group is the next best.
 */
export function groupParents({ version, own, mount }: GroupPlace): string[] {
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

/** The folder of a group below the first mount that shows it. */
function shown(group: string, mounts: readonly Mount[]): { own: string; mount: string } | null {
  for (const { root, folder } of mounts) {
    const way = path.posix.relative(root, group);
    if (!way.startsWith('..')) return { own: path.posix.join(folder, way), mount: folder };
  }
  return null;
}

/** Blanks and the like are written as `\040`. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
}

function lines(text: string): string[] {
  return text.split('\n').filter(Boolean);
}
