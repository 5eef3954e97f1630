/**
 * Builds the argument list of bubblewrap (bwrap(1), 0.8 and later) for one program and its mounts. Pure:
 * `launchers/bubblewrap.ts` starts it.
 */

import path from 'node:path';
import { type Confinement, pinnedAncestors, RESOLVER_FILE, systemFiles } from './confinement';

/** The layout of the host's program folders: `/lib` may be a link into `/usr` or a real folder. */
export interface HostLayout {
  links: readonly { path: string; target: string }[];
  folders: readonly string[];
}

/**
 * The parts of a program that affect confinement: its command, its whole environment, and the paths it must
 * read to run.
 */
export interface ConfinedProgram {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  needs: readonly string[];
}

/** Size limit of the image's /tmp, which is in memory. */
const TMP_BYTES = 256 * 1024 * 1024;

/**
 * Kernel settings, mounted read-only. File permissions alone would let root change them even from a sandbox
 * without capabilities, and one of them names a program that the kernel runs as root on the host. bubblewrap
 * does not cover them when it runs as root.
 */
const KERNEL = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs', '/proc/mtrr'];

const NAMESPACES = ['--unshare-all', '--unshare-user', '--disable-userns'];
const ISOLATION = ['--die-with-parent', '--new-session', '--cap-drop', 'ALL'];

interface BubblewrapDescriptors {
  /** Descriptor on which bubblewrap reports the pid of its child; absent if nobody reads it. */
  info?: number;
  /** Descriptor of the resolv.conf of a network of its own; absent if it sees that of the host. */
  resolver?: number;
  /** Descriptor from which it reads the seccomp filter; absent if there is none. */
  seccomp?: number;
}

/** Returns the mounts for the program, without the system's own. */
export function mountsFor({ needs }: ConfinedProgram, confinement: Confinement): Mount[] {
  return mounts(needs, confinement, ['/usr', ...systemFiles(confinement.network)]);
}

/**
 * Returns all arguments after `bwrap`. Order matters: later mounts cover earlier ones, and no mount point can
 * be created once `/` is read-only.
 */
export function bubblewrapArguments(
  program: ConfinedProgram,
  { network, mounts }: { network: boolean; mounts: readonly Mount[] },
  host: HostLayout,
  { info, resolver, seccomp }: BubblewrapDescriptors,
): string[] {
  return [
    ...NAMESPACES,
    ...(network ? ['--share-net'] : []),
    ...ISOLATION,
    '--clearenv',
    ...Object.entries(program.env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...system(host, network, resolver),
    ...['--dev', '/dev', '--proc', '/proc', ...KERNEL.flatMap((at) => ['--ro-bind-try', at, at])],
    ...['--size', String(TMP_BYTES), '--tmpfs', '/tmp'],
    ...mountArguments(mounts),
    ...['--chdir', program.cwd, '--remount-ro', '/dev', '--remount-ro', '/'],
    ...(seccomp === undefined ? [] : ['--seccomp', String(seccomp)]),
    ...(info === undefined ? [] : ['--info-fd', String(info)]),
    ...['--', program.command, ...program.args],
  ];
}

function system(host: HostLayout, network: boolean, resolver: number | undefined): string[] {
  const files = systemFiles(network).filter((file) => resolver === undefined || file !== RESOLVER_FILE);
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...host.links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...host.folders.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...files.flatMap((file) => ['--ro-bind-try', file, file]),
    ...(resolver === undefined ? [] : ['--ro-bind-data', String(resolver), RESOLVER_FILE]),
  ];
}

/** From weak to strong: if a path is requested twice, the stronger mount wins. */
const STRENGTH = ['hide-file', 'hide-folder', 'read-if-there', 'read', 'write'] as const;
type MountKind = (typeof STRENGTH)[number];

/** A host path that is visible at the same path in the sandbox, or hidden there. */
export interface Mount {
  at: string;
  kind: MountKind;
  /** Its path on the host if that is another one. It need not exist there. */
  from?: string;
}

/**
 * Computes the mounts in the order in which they are made: a folder before its contents, so that nothing
 * hides an allowed path and no allowed folder exposes a hidden one.
 * @param needs paths the program must read to run
 * @param system folders that are already mounted
 */
export function mounts(
  needs: readonly string[],
  { readable, writable, protectedPaths = [], hidden = [] }: Confinement,
  system: readonly string[],
): Mount[] {
  const found = new Map<string, MountKind>();
  const add = (kind: MountKind, entry: string) => {
    const at = path.posix.resolve('/', entry);
    if (kind.startsWith('read') && isBelow(at, '/usr')) return;
    const present = found.get(at);
    if (!present || STRENGTH.indexOf(kind) > STRENGTH.indexOf(present)) found.set(at, kind);
  };
  for (const each of [...readable, ...protectedPaths]) add('read-if-there', each);
  for (const each of needs) add('read', each);
  for (const each of writable) add('write', each);
  const shown = [...found.keys(), ...system];
  for (const { path: at, isFolder } of hidden)
    if (shown.some((each) => isBelow(at, each))) add(isFolder ? 'hide-folder' : 'hide-file', at);
  const closed = [...found].flatMap(([at, kind]) => (kind === 'write' ? [] : [at]));
  // A folder bind-mounted on itself works as before but cannot be renamed.
  for (const each of pinnedAncestors(closed, writable)) add('write', each);
  const sorted = [...found].sort(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1));
  return sorted.map(([at, kind]) => ({ at, kind }));
}

/** Returns bubblewrap's options for the mounts. */
export function mountArguments(mounts: readonly Mount[]): string[] {
  const folders = mounts.filter(({ kind }) => kind === 'hide-folder');
  return [
    ...mounts.flatMap(mounted),
    // Last, because paths inside a hidden folder need a mount point there.
    ...folders.flatMap(({ at }) => ['--remount-ro', at]),
  ];
}

const BINDS_IF_THERE = {
  'read-if-there': '--ro-bind-try',
  read: '--ro-bind-try',
  write: '--bind-try',
} as const;

const BINDS = { 'read-if-there': '--ro-bind-try', read: '--ro-bind', write: '--bind' } as const;

/**
 * A hidden folder becomes an empty tmpfs of one page; a hidden file becomes /dev/null, which cannot be opened
 * as a device there.
 */
function mounted({ at, kind, from }: Mount): string[] {
  if (kind === 'hide-folder') return ['--perms', '0700', '--size', '4096', '--tmpfs', at];
  if (kind === 'hide-file') return ['--ro-bind', '/dev/null', at];
  return from === undefined ? [BINDS[kind], at, at] : [BINDS_IF_THERE[kind], from, at];
}

function depth(at: string): number {
  return at.split('/').length;
}

function isBelow(at: string, folder: string): boolean {
  return at === folder || at.startsWith(`${folder}/`);
}
