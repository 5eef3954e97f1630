/**
 * A filter of system calls: a program in the sandbox keeps all that a Lisp needs and loses what reaches into other
 * processes, mounts, namespaces or the kernel itself. Compiled here to classic BPF (seccomp(2), bpf instructions of
 * eight bytes), without a library. Pure.
 */
import {
  ARGUMENTS,
  allow,
  EPERM,
  fail,
  ifAnyBit,
  ifAtLeast,
  ifEqual,
  kill,
  load,
  MACHINE,
  NUMBER,
} from './bpf';
import { ownerRules, socketRules } from './seccomp-rules';
import { sharedHostRules } from './seccomp-shared-host';

/** Numbers of system calls: x86-64, then arm64; null where there is none. A refused one fails with EPERM. */
const REFUSED: readonly (readonly [name: string, x64: number | null, arm64: number | null])[] = [
  ['ptrace', 101, 117],
  ['process_vm_readv', 310, 270],
  ['process_vm_writev', 311, 271],
  ['kcmp', 312, 272],
  ['pidfd_getfd', 438, 438],
  ['process_madvise', 440, 440],
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['chroot', 161, 51],
  ['open_tree', 428, 428],
  ['move_mount', 429, 429],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fsmount', 432, 432],
  ['fspick', 433, 433],
  ['mount_setattr', 442, 442],
  ['open_tree_attr', 467, 467],
  ['unshare', 272, 97],
  ['setns', 308, 268],
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['io_uring_setup', 425, 425],
  ['io_uring_enter', 426, 426],
  ['io_uring_register', 427, 427],
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['reboot', 169, 142],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  ['acct', 163, 89],
  ['syslog', 103, 116],
  ['quotactl', 179, 60],
  ['settimeofday', 164, 170],
  ['clock_settime', 227, 112],
  ['adjtimex', 159, 171],
  ['sethostname', 170, 161],
  ['setdomainname', 171, 162],
  ['iopl', 172, null],
  ['ioperm', 173, null],
  ['modify_ldt', 154, null],
  ['name_to_handle_at', 303, 264],
  ['open_by_handle_at', 304, 265],
  ['fanotify_init', 300, 262],
  ['vhangup', 153, 58],
];

/** Numbers that the filter looks at more closely, and the kernel's name of each machine (AUDIT_ARCH_*). */
const MACHINES = {
  x64: { audit: 0xc000003e, clone: 56, ioctl: 16 },
  arm64: { audit: 0xc00000b7, clone: 220, ioctl: 29 },
} as const;

/** Of both machines. Its flags lie in memory, where no filter sees them; the C library falls back to clone. */
const CLONE3 = 435;

/** Programs of the x32 ABI call the same kernel by other numbers, from this one on. */
const X32 = 0x40000000;

/** Each CLONE_NEW* flag: a new namespace of any kind. */
const CLONE_NEW = 0x7e020000;

/** Put characters into a terminal as if somebody typed them. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

const ENOSYS = 38;

/** The filter, or null for a machine whose numbers are not known here.
 * @param sharedHost for a program without namespaces of its own, and whether it may reach the network; absent: it has them */
export function seccompFilter(machine: string, sharedHost?: { network: boolean }): Uint8Array | null {
  if (machine !== 'x64' && machine !== 'arm64') return null;
  const { audit, clone, ioctl } = MACHINES[machine];
  const numbers = REFUSED.flatMap(([, x64, arm64]) => (machine === 'x64' ? x64 : arm64) ?? []);
  const program = [
    load(MACHINE),
    ...[ifEqual(audit, 1, 0), kill()],
    load(NUMBER),
    ...(machine === 'x64' ? [ifAtLeast(X32, 0, 1), fail(EPERM)] : []),
    ...numbers.flatMap((number) => [ifEqual(number, 0, 1), fail(EPERM)]),
    ...[ifEqual(CLONE3, 0, 1), fail(ENOSYS)],
    ...[ifEqual(clone, 0, 3), load(ARGUMENTS[0]), ifAnyBit(CLONE_NEW, 0, 1), fail(EPERM)],
    load(NUMBER),
    ...[
      ifEqual(ioctl, 0, 4),
      load(ARGUMENTS[1]),
      ifEqual(TIOCSTI, 1, 0),
      ifEqual(TIOCLINUX, 0, 1),
      fail(EPERM),
    ],
    load(NUMBER),
    ...socketRules(machine),
    ...ownerRules(machine),
    ...(sharedHost ? sharedHostRules(machine, sharedHost.network) : []),
    allow(),
  ];
  return Buffer.concat(program);
}
