/**
 * Makes system calls that nothing in a sandbox needs, with arguments that the kernel rejects after its
 * permission checks.
 */
import { type Attack, attacks, type Capability, type Row } from '../attack';
import { got, opens, syscall } from '../scripts';

/** Locked-down kernels refuse these to everyone. */
const LOCKDOWN = 'grep -qs "\\[[ic]" /sys/kernel/security/lockdown && echo LACKING';
const NO_RINGS = 'grep -qs "[12]" /proc/sys/kernel/io_uring_disabled && echo LACKING';

type CallRow = readonly [
  name: string,
  x64: number,
  arm64: number | null,
  args: string,
  more?: { takes?: Capability; before?: string },
];

const CALLS: readonly CallRow[] = [
  ['make a user namespace', 272, 97, '0x10000000', { takes: 'CAP_SYS_ADMIN' }],
  ['make a namespace of mounts', 272, 97, '0x20000', { takes: 'CAP_SYS_ADMIN' }],
  ['make a namespace of control groups', 272, 97, '0x2000000', { takes: 'CAP_SYS_ADMIN' }],
  ['make a process in a new namespace', 56, 220, '0x10000011, 0, 0, 0, 0', { takes: 'CAP_SYS_ADMIN' }],
  [
    'make a process in a namespace by a number of more bits',
    56,
    220,
    '(1 << 32) + 0x10000011, 0, 0, 0, 0',
    { takes: 'CAP_SYS_ADMIN' },
  ],
  ['make a process by a call whose flags lie in memory', 435, 435, '0, 0'],
  ['enter a namespace', 308, 268, '0, 0'],
  ['unmount', 166, 39, '".", 0', { takes: 'CAP_SYS_ADMIN' }],
  ['change the root for another', 155, 41, '"nowhere", "nowhere"', { takes: 'CAP_SYS_ADMIN' }],
  ['change the root', 161, 51, '"/"', { takes: 'CAP_SYS_CHROOT' }],
  ['take a tree of mounts', 428, 428, '-100, ".", 0'],
  ['take a copy of a tree of mounts', 428, 428, '-100, ".", 1', { takes: 'CAP_SYS_ADMIN' }],
  ['take a tree of mounts with attributes', 467, 467, '-100, ".", 0, 0, 0'],
  ['move a mount', 429, 429, '-1, "", -1, "", 0', { takes: 'CAP_SYS_ADMIN' }],
  ['open a file system', 430, 430, '"tmpfs", 0', { takes: 'CAP_SYS_ADMIN' }],
  ['configure a file system', 431, 431, '-1, 0, 0, 0, 0'],
  ['mount a file system', 432, 432, '-1, 0, 0', { takes: 'CAP_SYS_ADMIN' }],
  ['pick a file system', 433, 433, '-100, ".", 0', { takes: 'CAP_SYS_ADMIN' }],
  ['set attributes of a mount', 442, 442, '-1, "", 0, 0, 0'],
  ['name a file by a handle', 303, 264, '-100, ".", 0, 0, 0'],
  ['open a file by its handle', 304, 265, '-100, 0, 0', { takes: 'CAP_DAC_READ_SEARCH' }],
  ['watch whole file systems', 300, 262, '-1, -1', { takes: 'CAP_SYS_ADMIN' }],
  ['load a program into the kernel', 321, 280, '0, 0, 0', { takes: 'CAP_SYS_ADMIN' }],
  ['watch what the processor does', 298, 241, '1, 0, -1, -1, 0'],
  ['answer for the kernel when memory is missing', 323, 282, '0', { takes: 'CAP_SYS_PTRACE' }],
  ['answer for missing memory of its own', 323, 282, '1'],
  ['use io_uring, which no filter sees', 425, 425, '1, 0', { before: NO_RINGS }],
  ['enter an io_uring', 426, 426, '-1, 0, 0, 0, 0, 0', { before: NO_RINGS }],
  ['register with an io_uring', 427, 427, '-1, 0, 0, 0', { before: NO_RINGS }],
  ['use the kernel’s keys', 250, 219, '0, -3, 0'],
  ['add a key to the kernel’s', 248, 217, '0, 0, 0, 0, 0'],
  ['ask for a key of the kernel’s', 249, 218, '0, 0, 0, 0'],
  ['load another kernel', 246, 104, '0, 0, 0, 0xffff', { takes: 'CAP_SYS_BOOT', before: LOCKDOWN }],
  [
    'load another kernel from a file',
    320,
    294,
    '-1, -1, 0, 0, 0xffff',
    { takes: 'CAP_SYS_BOOT', before: LOCKDOWN },
  ],
  ['load a module', 175, 105, '0, 0, 0', { takes: 'CAP_SYS_MODULE', before: LOCKDOWN }],
  ['load a module from a file', 313, 273, '-1, 0, 0', { takes: 'CAP_SYS_MODULE', before: LOCKDOWN }],
  ['unload a module', 176, 106, '0, 0', { takes: 'CAP_SYS_MODULE', before: LOCKDOWN }],
  ['restart the computer', 169, 142, '0, 0, 0, 0', { takes: 'CAP_SYS_BOOT' }],
  ['swap to a file', 167, 224, '"", 0', { takes: 'CAP_SYS_ADMIN' }],
  ['stop swapping', 168, 225, '""', { takes: 'CAP_SYS_ADMIN' }],
  ['write down who uses what', 163, 89, '""', { takes: 'CAP_SYS_PACCT' }],
  ['read the kernel’s messages', 103, 116, '10, 0, 0', { takes: 'CAP_SYSLOG' }],
  ['set quotas', 179, 60, '0xff, 0, 0, 0'],
  ['set the time', 164, 170, '1, 0'],
  ['set a clock', 227, 112, '0, 1'],
  ['tune the clock', 159, 171, '1'],
  ['name the computer', 170, 161, '"", -1', { takes: 'CAP_SYS_ADMIN' }],
  ['name the computer’s domain', 171, 162, '"", -1', { takes: 'CAP_SYS_ADMIN' }],
  ['use ports of the processor', 172, null, '4', { before: LOCKDOWN }],
  ['use some ports of the processor', 173, null, '0xffff, 2, 1', { before: LOCKDOWN }],
  ['set segments of the processor', 154, null, '0, 0, 0'],
  ['type into the terminal', 16, 29, '0, 0x5412, 0'],
  ['type into the terminal by a number of more bits', 16, 29, '0, (1 << 32) + 0x5412, 0'],
  ['copy what the terminal shows', 16, 29, '0, 0x541c, 0'],
  ['call the kernel as programs of another kind do', 0x40000000 + 272, null, '0x10000000'],
];

const row = ([name, x64, arm64, args, { takes, before } = {}]: CallRow): Row => [
  `has the kernel ${name}`,
  () => (before === undefined ? '' : `${before}; `) + syscall([x64, arm64], args),
  { mayLack: true, ...(takes ? { takes } : {}) },
];

export const KERNEL: readonly Attack[] = [
  ...attacks('the kernel lets it further in', CALLS.map(row)),
  ...attacks('the kernel lets it further in', [
    ['hangs up the terminal', () => syscall([153, 58]), { unreachable: 'somebody works at that terminal' }],
    ['makes a user namespace by a program', () => got('unshare --user true'), { takes: 'CAP_SYS_ADMIN' }],
    ['makes a network of its own by a program', () => got('unshare --net true'), { takes: 'CAP_SYS_ADMIN' }],
    [
      'enters the namespaces of a process outside',
      ({ victim }) => got(`nsenter --target ${victim.pid} --mount true`),
      { takes: 'CAP_SYS_ADMIN' },
    ],
    [
      'mounts something',
      () => got('mkdir own && mount -t tmpfs none own && umount own'),
      { takes: 'CAP_SYS_ADMIN' },
    ],
    [
      'mounts a folder outside at its own',
      ({ outside }) => got(`mkdir own && mount --bind ${outside} own && umount own`),
      { takes: 'CAP_SYS_ADMIN' },
    ],
    [
      'mounts the processes of the host',
      () => got('mkdir own && mount -t proc none own && umount own'),
      { takes: 'CAP_SYS_ADMIN' },
    ],
    [
      'mounts by a program of root',
      () => got('fusermount3 -V >/dev/null && mkdir own && fusermount3 own'),
      { unreachable: 'not every computer has it' },
    ],
    [
      'mounts the root for writing',
      () => got('mount -o remount,rw /'),
      { unreachable: 'it would change the host' },
    ],
    ['takes away what covers /proc', () => got('umount /proc'), { unreachable: 'it would change the host' }],
    ['makes a device of a disk', () => got('mknod disk b 8 0'), { takes: 'CAP_MKNOD' }],
    ['makes a device of memory', () => got('mknod memory c 1 1'), { takes: 'CAP_MKNOD' }],
  ]),
];

const FILES = [
  ['where it writes cores', '/proc/sys/kernel/core_pattern'],
  ['what it runs to load modules', '/proc/sys/kernel/modprobe'],
  ['what runs programs of other kinds', '/proc/sys/fs/binfmt_misc/register'],
  ['what it runs when a device comes', '/sys/kernel/uevent_helper'],
  ['how memory is arranged', '/proc/sys/kernel/randomize_va_space'],
  ['what may be traced', '/proc/sys/kernel/perf_event_paranoid'],
  ['how it forwards packets', '/proc/sys/net/ipv4/ip_forward'],
  ['SysRq', '/proc/sysrq-trigger'],
  ['whether the computer sleeps', '/sys/power/state'],
] as const;

/** Control files of groups, in both versions (cgroups(7)). */
const GROUP_FILES = [
  ['who is in a control group', 'cgroup.procs'],
  ['which threads are in a control group', 'tasks'],
  ['what a control group has', 'cgroup.subtree_control'],
  ['how many processes a control group may have', 'pids.max'],
  ['how much memory a control group may have', 'memory*limit_in_bytes'],
  ['how much memory a group may have, in version 2', 'memory.max'],
  ['whether a control group runs', 'freezer.state'],
  ['whether a group runs, in version 2', 'cgroup.freeze'],
  ['that a control group is killed', 'cgroup.kill'],
  ['what the kernel runs when a control group is empty', 'release_agent'],
  ['which devices a control group may use', 'devices.allow'],
] as const;

/** Opens one of these files for writing, in any group. */
const opensInGroups = (name: string) =>
  `[ -n "$(find /sys/fs/cgroup -name "${name}" -print -quit 2>/dev/null)" ] || echo LACKING; ${got(`find /sys/fs/cgroup -maxdepth 4 -name "${name}" 2>/dev/null | while read -r at; do (exec 9>"$at") 2>/dev/null && echo "$at"; done | grep -q .`)}`;

/** Opened for writing and closed again, without changing kernel settings. */
export const KERNEL_FILES: readonly Attack[] = attacks('the kernel lets it further in', [
  ...FILES.map(
    ([what, file]): Row => [
      `sets ${what}`,
      () => `[ -e ${file} ] || echo LACKING; ${opens(file)}`,
      { takes: 'CAP_SYS_ADMIN', mayLack: true },
    ],
  ),
  ...GROUP_FILES.map(
    ([what, name]): Row => [
      `sets ${what}`,
      () => opensInGroups(name),
      { takes: 'CAP_SYS_ADMIN', mayLack: true },
    ],
  ),
  [
    'makes a control group',
    () =>
      `ls -d /sys/fs/cgroup/*/ >/dev/null 2>&1 || echo LACKING; ${got('for at in /sys/fs/cgroup /sys/fs/cgroup/*/; do mkdir "$at/attack-$$" 2>/dev/null && rmdir "$at/attack-$$" && echo "$at"; done | grep -q .')}`,
    { takes: 'CAP_SYS_ADMIN', mayLack: true },
  ],
  [
    'leaves its control group',
    () =>
      `ls /sys/fs/cgroup/*/cgroup.procs >/dev/null 2>&1 || echo LACKING; ${got('for at in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do (echo $BASHPID > "$at") 2>/dev/null && echo "$at"; done | grep -q .')}`,
    { takes: 'CAP_SYS_ADMIN', mayLack: true },
  ],
  [
    'mounts the control groups',
    () =>
      got(
        'mkdir groups && { mount -t cgroup2 none groups || mount -t cgroup -o pids none groups; } && umount groups',
      ),
    { takes: 'CAP_SYS_ADMIN', mayLack: true },
  ],
  [
    'sets anything of the kernel',
    () =>
      got(
        'find /proc/sys /proc/irq /proc/bus /proc/fs /proc/mtrr -type f -writable 2>/dev/null | while read -r at; do (exec 9<>"$at") 2>/dev/null && echo "$at"; done | grep -q .',
      ),
    { unreachable: 'some of those files are better left alone' },
  ],
  [
    'opens a device of any kind',
    () =>
      got(
        'for at in /dev/mem /dev/kmem /dev/port /dev/kvm /dev/fuse /dev/loop-control /dev/net/tun /dev/uinput /dev/mapper/control /dev/vhost-vsock /dev/userfaultfd; do (exec 9<>$at) 2>/dev/null && echo $at; done | grep -q .',
      ),
    { takes: 'CAP_SYS_ADMIN', mayLack: true },
  ],
  [
    'opens a disk',
    () => got('(exec 9<$(find /dev -maxdepth 1 -type b -name "[svhn]*" | head -n 1)) && [ -e /dev/disk ]'),
    { unreachable: 'not every computer has one' },
  ],
  [
    'opens the terminal of who started the harbor',
    () => opens('/dev/tty'),
    { unreachable: 'tests have none' },
  ],
]);
