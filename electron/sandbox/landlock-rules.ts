/**
 * Computes the Landlock rules of a confinement, by the version in the kernel (landlock(7), linux/landlock.h),
 * and encodes them for resources/sandbox/landlock.lisp. Landlock rules only add rights, and each applies to
 * everything below its path. So a folder that contains a closed path, such as a project with its `.git`, is
 * allowed by one rule for each other entry, and nothing new can be created in the folder itself. Pure: the
 * file system is an argument.
 */

import type { ConfinedProgram, HostLayout } from './bubblewrap-arguments';
import { type Confinement, SHARED_NETWORK_GAP, systemFiles } from './confinement';
import { isWithin } from './paths';
import { RUNS_OUTSIDE_GAP } from './protection';

/** `device`: read and write only. */
type GrantPower = 'read' | 'device' | 'write';

interface FoundFile {
  path: string;
  isFolder: boolean;
}

export interface Grant extends FoundFile {
  power: GrantPower;
}

export interface FileSystem {
  /** Resolves links; null if the path does not exist. */
  real(path: string): FoundFile | null;
  /**
   * Returns the entries of a folder without links; link targets are allowed by their own rules or not at all.
   */
  children(folder: string): FoundFile[];
}

/** From weak to strong: if a path is requested twice, the stronger grant wins. */
const STRENGTH: readonly GrantPower[] = ['read', 'device', 'write'];

/** Devices without content. */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];

/** Facts about the machine; of processes, a program can read only its own. */
const MACHINE = ['/proc/cpuinfo', '/proc/meminfo', '/proc/stat'];

/**
 * Not resolved here, where it would be the app's own process: the process that becomes the program looks it
 * up.
 */
const OWN_PROCESS: Grant = { path: '/proc/self/.', isFolder: true, power: 'read' };

/** @param needs paths the program must read to run */
export function landlockGrants(
  needs: readonly string[],
  { readable: named, writable, protectedPaths = [], hidden = [], network }: Confinement,
  host: HostLayout,
  files: FileSystem,
): Grant[] {
  // Rules cannot name a path that does not exist; see landlockGaps.
  const readable = [...named, ...protectedPaths.filter((at) => files.real(at) !== null)];
  const found = new Map<string, Grant>();
  const add = (power: GrantPower) => (requested: string) => {
    const real = files.real(requested);
    if (!real) return;
    const present = found.get(real.path);
    if (!present || isStronger(power, present.power)) found.set(real.path, { ...real, power });
  };
  ['/usr', ...host.folders, ...systemFiles(network), ...MACHINE].forEach(add('read'));
  DEVICES.forEach(add('device'));
  [...needs, ...readable].forEach(add('read'));
  writable.forEach(add('write'));
  const without = (grant: Grant, places: readonly string[]) => {
    // Also by name: a link that exists now may be gone when the rules are made.
    const closed = places.flatMap((each) => [each, files.real(each)?.path ?? each]);
    return around(
      grant,
      closed.filter((at) => isStronger(grant.power, found.get(at)?.power)),
      files,
    );
  };
  const hiding = hidden.map(({ path }) => path);
  return [
    OWN_PROCESS,
    ...[...found.values()].flatMap((grant) => {
      if (grant.power !== 'write') return without(grant, hiding);
      const written = without(grant, [...hiding, ...readable]);
      const places = new Set(written.map(({ path }) => path));
      // A folder that is not writable as a whole can still be read and listed, except for hidden paths.
      const shown = without({ ...grant, power: 'read' }, hiding).filter(({ path }) => !places.has(path));
      return [...shown, ...written];
    }),
  ];
}

/** Returns the grant itself, or grants for the entries next to the closed paths in it. */
function around(grant: Grant, closed: readonly string[], files: FileSystem): Grant[] {
  const inside = closed.filter((at) => at !== grant.path && isWithin(at, grant.path, 'linux'));
  if (inside.length === 0) return [grant];
  return files
    .children(grant.path)
    .filter(({ path }) => !inside.includes(path))
    .flatMap((child) => around({ ...child, power: grant.power }, inside, files));
}

function isStronger(power: GrantPower, than: GrantPower | undefined): boolean {
  return than === undefined || STRENGTH.indexOf(power) > STRENGTH.indexOf(than);
}

/** Landlock versions that added a feature, and the kernel release of each. */
const SINCE = { truncate: 3, tcp: 4, scopes: 6 } as const;
const KERNELS = { truncate: '6.2', tcp: '6.7', scopes: '6.12' } as const;

const EXECUTE = 1 << 0;
const WRITE_FILE = 1 << 1;
const READ_FILE = 1 << 2;
const READ_DIR = 1 << 3;
const MAKE_CHAR = 1 << 6;
const MAKE_BLOCK = 1 << 11;
const TRUNCATE = 1 << 14;
const IOCTL_DEV = 1 << 15;

/** Rights that apply to files; the kernel rejects others for a file. */
const OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE;

/** Number of file rights by version, counted from the lowest bit. */
const RIGHTS = [0, 13, 14, 15, 15, 16] as const;

const BIND_AND_CONNECT = 3;
const ABSTRACT_SOCKETS_AND_SIGNALS = 3;

/** `struct landlock_ruleset_attr`; older kernels know only its first `bytes`. */
interface Ruleset {
  bytes: number;
  files: number;
  network: number;
  scopes: number;
}

/** Returns the rights that the ruleset handles (denies by default). Only file rights can be granted back. */
export function landlockRuleset(version: number, network: boolean): Ruleset {
  const [tcp, scopes] = [version >= SINCE.tcp, version >= SINCE.scopes];
  return {
    bytes: scopes ? 24 : tcp ? 16 : 8,
    files: allRights(version),
    network: tcp && !network ? BIND_AND_CONNECT : 0,
    scopes: scopes ? ABSTRACT_SOCKETS_AND_SIGNALS : 0,
  };
}

/** Returns `allowed_access` of the rule for the grant. */
export function landlockRights({ power, isFolder }: Grant, version: number): number {
  return OF_POWER[power] & allRights(version) & (isFolder ? -1 : OF_FILES);
}

const OF_POWER: Record<GrantPower, number> = {
  read: EXECUTE | READ_FILE | READ_DIR,
  device: READ_FILE | WRITE_FILE,
  write: ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV),
};

function allRights(version: number): number {
  return (1 << (RIGHTS[version] ?? 16)) - 1;
}

/**
 * Returns what an image can still do, as phrases for the user.
 * @param machine the architecture on which system calls are not filtered; null if they are
 */
export function landlockGaps(version: number, machine: string | null): string[] {
  const lacking = (what: keyof typeof SINCE, gap: string) =>
    version < SINCE[what] ? [`${gap} (fixed in Linux ${KERNELS[what]})`] : [];
  return [
    'names of files and processes are visible, but not their contents',
    'permissions, owners and dates of all files of this user can be changed',
    'processes of this user can be slowed down',
    RUNS_OUTSIDE_GAP,
    SHARED_NETWORK_GAP,
    ...lacking('truncate', 'read-only files can be truncated'),
    ...lacking('scopes', 'processes of this user can be signalled, and so killed'),
    ...(machine === null ? [] : unfiltered(version, machine)),
  ];
}

function unfiltered(version: number, machine: string): string[] {
  const network = version >= SINCE.tcp ? 'the network except for TCP' : 'the network';
  return [
    `system calls are not filtered on ${machine}: sockets of other programs, and ${network}, can be reached`,
  ];
}

/**
 * The input of resources/sandbox/landlock.lisp: the ruleset, its rules, the program to execute, and the
 * seccomp filter. Words end with NUL, so nothing is quoted. Pure.
 */
interface LandlockOrder {
  program: ConfinedProgram;
  grants: readonly Grant[];
  network: boolean;
  /** Version of Landlock in the kernel. */
  version: number;
  /** Seccomp filter (seccomp(2)); null if there is none. */
  filter: Uint8Array | null;
}

/** @throws Error if a word contains a null byte, which a program argument cannot contain */
export function landlockOrder({ program, grants, network, version, filter }: LandlockOrder): Uint8Array {
  const { bytes, files, network: ports, scopes } = landlockRuleset(version, network);
  const rules = grants.flatMap((grant) => [String(landlockRights(grant, version)), grant.path]);
  const environment = Object.entries(program.env).map(([name, value]) => `${name}=${value}`);
  const words = [
    ...[bytes, files, ports, scopes, grants.length].map(String),
    ...rules,
    ...counted([program.command, ...program.args]),
    ...counted(environment),
  ];
  if (words.some((word) => word.includes('\0')))
    throw new Error('Program arguments must not contain null bytes.');
  return Buffer.concat([Buffer.from(words.map((word) => `${word}\0`).join('')), filter ?? new Uint8Array()]);
}

function counted(words: readonly string[]): string[] {
  return [String(words.length), ...words];
}
