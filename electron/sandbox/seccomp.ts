/**
 * Builds the seccomp filter of sandboxes: allows the system calls a Lisp needs, and refuses those that reach
 * other processes, mounts, namespaces or the kernel itself. Compiled here to classic BPF (seccomp(2),
 * instructions of eight bytes), without a library. Pure.
 */

/**
 * System call numbers on x86-64 and arm64; null if the call does not exist there. A refused call fails with
 * EPERM.
 */
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

/**
 * Numbers of calls whose arguments are checked, and the kernel's constant for each machine (AUDIT_ARCH_*).
 */
const MACHINES = {
  x64: { audit: 0xc000003e, clone: 56, ioctl: 16 },
  arm64: { audit: 0xc00000b7, clone: 220, ioctl: 29 },
} as const;

/**
 * The same on both machines. Its flags are in memory, where the filter cannot see them; the C library falls
 * back to clone.
 */
const CLONE3 = 435;

/** Programs of the x32 ABI use other numbers for the same kernel, starting here. */
const X32 = 0x40000000;

/** The CLONE_NEW* flags, each of which creates a namespace. */
const CLONE_NEW = 0x7e020000;

/** Inserts characters into a terminal as if they were typed. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

/**
 * Returns the filter, or null for an unknown machine.
 * @param options.sharedHost for a program without its own namespaces, with whether it may use the network;
 *   absent if it has namespaces
 * @param options.alone for a program that starts no other program: it may create threads, and no process
 */
export function seccompFilter(
  machine: string,
  { sharedHost, alone = false }: { sharedHost?: { network: boolean }; alone?: boolean } = {},
): Uint8Array | null {
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
    ...(alone ? aloneRules(machine) : []),
    allow(),
  ];
  return Buffer.concat(program);
}

/** System call numbers by machine; null if the call does not exist there. */
const NUMBERS = {
  x64: {
    ...{ socket: 41, socketpair: 53, open: 2, creat: 85, openat: 257 },
    ...{ chmod: 90, fchmod: 91, fchmodat: 268, mknod: 133, mknodat: 259 },
    ...{ fork: 57, vfork: 58 },
  },
  arm64: {
    ...{ socket: 198, socketpair: 199, open: null, creat: null, openat: 56 },
    ...{ chmod: null, fchmod: 52, fchmodat: 53, mknod: null, mknodat: 33 },
    ...{ fork: null, vfork: null },
  },
} as const;

/**
 * The same on both machines. The flags of openat2 are in memory, where the filter cannot see them; callers
 * fall back to openat.
 */
const FCHMODAT2 = 452;
const OPENAT2 = 437;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
/** Used to look up this computer's addresses during name resolution. */
const AF_NETLINK = 16;

/** Socket families for a network, as far as the sandbox has one. */
const INTERNET = [AF_INET, AF_INET6, AF_NETLINK];

const SOCK_STREAM = 1;
const SOCKET_TYPE = 0xf;

const ENOSYS = 38;

/** S_ISUID and S_ISGID. */
const RUNS_AS_OWNER = 0o6000;
/** O_CREAT and O_TMPFILE; without them the mode argument is meaningless. */
const MAKES_FILE = 0o100 | 0o20000000;

type SeccompMachine = keyof typeof NUMBERS;

/**
 * Allows internet sockets only. Sockets of virtual machines and others are not covered by namespaces. A unix
 * socket is found by its file or its abstract name, of which no rule can exclude one: it would reach the
 * window system, the keyring, the ssh agent or Docker. Connected pairs stay; a pair of datagrams is refused,
 * because either end can send to any socket.
 */
function socketRules(machine: SeccompMachine): Uint8Array[] {
  const { socket, socketpair } = NUMBERS[machine];
  return [
    ...refusedUnless(socket, 0, INTERNET),
    ...refusedUnless(socketpair, 0, [AF_UNIX]),
    ...refusedUnless(socketpair, 1, [SOCK_STREAM], SOCKET_TYPE),
  ];
}

/** Prevents setuid and setgid files, however they are created. */
function ownerRules(machine: SeccompMachine): Uint8Array[] {
  const { open, creat, openat, chmod, fchmod, fchmodat, mknod, mknodat } = NUMBERS[machine];
  const modes = [
    ...([
      [creat, 1],
      [chmod, 1],
      [fchmod, 1],
      [mknod, 1],
    ] as const),
    ...([
      [fchmodat, 2],
      [mknodat, 2],
      [FCHMODAT2, 2],
    ] as const),
  ];
  return [
    ...modes.flatMap(([number, mode]) => when(number, refusedIfOwners(mode))),
    ...when(open, ifMakesFile(1, refusedIfOwners(2))),
    ...when(openat, ifMakesFile(2, refusedIfOwners(3))),
    ...[ifEqual(OPENAT2, 0, 1), fail(ENOSYS)],
  ];
}

type Argument = 0 | 1 | 2 | 3;

/** Refuses the call unless that argument, masked by the relevant bits, is one of the values. */
function refusedUnless(
  number: number,
  argument: Argument,
  values: readonly number[],
  bits?: number,
): Uint8Array[] {
  return when(number, [
    load(ARGUMENTS[argument]),
    ...(bits === undefined ? [] : [keepBits(bits)]),
    ...ifOneOf(values, 1),
    fail(EPERM),
  ]);
}

function refusedIfOwners(mode: Argument): Uint8Array[] {
  return [load(ARGUMENTS[mode]), ifAnyBit(RUNS_AS_OWNER, 0, 1), fail(EPERM)];
}

function ifMakesFile(flags: Argument, check: readonly Uint8Array[]): Uint8Array[] {
  return [load(ARGUMENTS[flags]), ifAnyBit(MAKES_FILE, 0, check.length), ...check];
}

/** Instructions for that call only; afterwards the call number is loaded again. */
function when(number: number | null, check: readonly Uint8Array[]): Uint8Array[] {
  if (number === null) return [];
  return [ifEqual(number, 0, check.length + 1), ...check, load(NUMBER)];
}

/** System call numbers by machine. */
const SHARED_HOST_NUMBERS = {
  x64: {
    prlimit64: 302,
    // shmget, shmat, shmctl; semget, semop, semctl, semtimedop; msgget, msgsnd, msgrcv, msgctl; mq_open, mq_unlink
    ipc: [29, 30, 31, 64, 65, 66, 220, 68, 69, 70, 71, 240, 241],
    // inotify_init, inotify_add_watch, inotify_init1
    inotify: [253, 254, 294],
    // setxattr, lsetxattr, fsetxattr; getxattr, lgetxattr; listxattr, llistxattr; removexattr, lremovexattr, fremovexattr
    attributes: [188, 189, 190, 191, 192, 194, 195, 197, 198, 199],
  },
  arm64: {
    prlimit64: 261,
    ipc: [194, 196, 195, 190, 193, 191, 192, 186, 189, 188, 187, 180, 181],
    inotify: [null, 27, 26],
    attributes: [5, 6, 7, 8, 9, 11, 12, 14, 15, 16],
  },
} as const;

/** The same on both machines: setxattrat, getxattrat, listxattrat, removexattrat; file_setattr. */
const ATTRIBUTES_AT = [463, 464, 465, 466, 469];

/** The error of a file system without attributes, which programs that copy files tolerate. */
const EOPNOTSUPP = 95;

/**
 * Rules for a program without its own namespaces: refuses calls that reach other programs of this computer.
 * Landlock covers files and TCP only. The call number is loaded before and after.
 */
function sharedHostRules(machine: SeccompMachine, network: boolean): Uint8Array[] {
  const { prlimit64, ipc, inotify, attributes } = SHARED_HOST_NUMBERS[machine];
  return [
    // Landlock does not restrict watching files that cannot be read.
    ...[...ipc, ...inotify].flatMap((number) => when(number, [fail(EPERM)])),
    // Landlock does not restrict changes of file attributes.
    ...[...attributes, ...ATTRIBUTES_AT].flatMap((number) => [ifEqual(number, 0, 1), fail(EOPNOTSUPP)]),
    ...(network ? [] : when(NUMBERS[machine].socket, [fail(EPERM)])),
    // Otherwise it could set limits of other processes of this user.
    ...refusedUnless(prlimit64, 0, [0]),
  ];
}

/** Creates a thread of the same program. */
const CLONE_THREAD = 0x10000;

/**
 * Refuses new processes, so that no other program can start beside this one. The program itself is executed
 * after the filter is installed, and some engines execute themselves again.
 */
function aloneRules(machine: SeccompMachine): Uint8Array[] {
  const { fork, vfork } = NUMBERS[machine];
  const refused = [fork, vfork].flatMap((number) => when(number, [fail(EPERM)]));
  const isThread = [load(ARGUMENTS[0]), ifAnyBit(CLONE_THREAD, 1, 0), fail(EPERM)];
  return [...refused, ...when(MACHINES[machine].clone, isThread)];
}

/**
 * Offsets in struct seccomp_data; for 64-bit arguments the lower half, which comes first on both machines.
 */
const NUMBER = 0;
const MACHINE = 4;
const ARGUMENTS = [16, 24, 32, 40] as const;

const EPERM = 1;

/** `struct sock_filter`: code, number of instructions to skip if true and if false, and a value. */
function instruction(code: number, whenTrue: number, whenFalse: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(whenTrue, 2);
  bytes.writeUInt8(whenFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}

const load = (offset: number) => instruction(0x20, 0, 0, offset);
const keepBits = (value: number) => instruction(0x54, 0, 0, value);
const ifEqual = (value: number, yes: number, no: number) => instruction(0x15, yes, no, value);
const ifAtLeast = (value: number, yes: number, no: number) => instruction(0x35, yes, no, value);
const ifAnyBit = (value: number, yes: number, no: number) => instruction(0x45, yes, no, value);
const ifOneOf = ([value, ...more]: readonly number[], yes: number): Uint8Array[] =>
  value === undefined ? [] : [ifEqual(value, more.length + yes, 0), ...ifOneOf(more, yes)];
const allow = () => instruction(0x06, 0, 0, 0x7fff0000);
const kill = () => instruction(0x06, 0, 0, 0x80000000);
const fail = (errno: number) => instruction(0x06, 0, 0, 0x00050000 + errno);
