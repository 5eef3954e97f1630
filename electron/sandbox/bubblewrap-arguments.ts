/**
 * The argument list of bubblewrap (bwrap(1), 0.8 and later) for one program and what is mounted for it. Pure: what the
 * host looks like comes in, a list of strings goes out.
 */
import { type Confinement, systemFiles } from './confinement';
import { type Mount, mountArguments, mounts } from './mounts';

/** How this host arranges the folders that programs run from: `/lib` may be a link into `/usr`, or a folder of its own. */
export interface HostLayout {
  links: readonly { path: string; target: string }[];
  folders: readonly string[];
}

/** The parts of a program that confine it: its command, its whole environment, and what it must read to run. */
export interface ConfinedProgram {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  needs: readonly string[];
}

/** Memory that an image can fill through its /tmp. */
const TMP_BYTES = 256 * 1024 * 1024;

/**
 * Settings of the kernel: who runs the harbor as root may change them by the permissions of the files alone, also from a
 * sandbox without any capability, and one of them names a program that the kernel starts as root outside. bubblewrap
 * means to cover them, and does not for root.
 */
const KERNEL = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs', '/proc/mtrr'];

const NAMESPACES = ['--unshare-all', '--unshare-user', '--disable-userns'];
const ISOLATION = ['--die-with-parent', '--new-session', '--cap-drop', 'ALL'];

export interface BubblewrapDescriptors {
  /** Where it reports the pid of its child. */
  info: number;
  /** Where it reads the filter of system calls; absent for none. */
  seccomp?: number;
}

/** What is mounted for the program, beside the system. */
export function mountsFor({ needs }: ConfinedProgram, confinement: Confinement): Mount[] {
  return mounts(needs, confinement, ['/usr', ...systemFiles(confinement.network)]);
}

/**
 * Everything after the word `bwrap`. The order carries meaning: what is mounted later lies on top, and once `/` is
 * read-only no mount point can be made.
 */
export function bubblewrapArguments(
  program: ConfinedProgram,
  { network, mounts }: { network: boolean; mounts: readonly Mount[] },
  host: HostLayout,
  { info, seccomp }: BubblewrapDescriptors,
): string[] {
  return [
    ...NAMESPACES,
    ...(network ? ['--share-net'] : []),
    ...ISOLATION,
    '--clearenv',
    ...Object.entries(program.env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...system(host, network),
    ...['--dev', '/dev', '--proc', '/proc', ...KERNEL.flatMap((at) => ['--ro-bind-try', at, at])],
    ...['--size', String(TMP_BYTES), '--tmpfs', '/tmp'],
    ...mountArguments(mounts),
    ...['--chdir', program.cwd, '--remount-ro', '/dev', '--remount-ro', '/'],
    ...(seccomp === undefined ? [] : ['--seccomp', String(seccomp)]),
    ...['--info-fd', String(info), '--', program.command, ...program.args],
  ];
}

function system(host: HostLayout, network: boolean): string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...host.links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...host.folders.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...systemFiles(network).flatMap((file) => ['--ro-bind-try', file, file]),
  ];
}
