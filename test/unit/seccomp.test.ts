/** The seccomp filter, interpreted as the kernel does, for both machines. */
import { describe, expect, it } from 'vitest';
import { seccompFilter } from '../../electron/sandbox/seccomp';

const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;
const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const EOPNOTSUPP = 0x0005005f;
const ENOSYS = 0x00050026;
const KILL = 0x80000000;

const SOCKETS = { x64: { socket: 41, socketpair: 53 }, arm64: { socket: 198, socketpair: 199 } };
const FILES = {
  x64: { fchmod: 91, fchmodat: 268, mknodat: 259, openat: 257 },
  arm64: { fchmod: 52, fchmodat: 53, mknodat: 33, openat: 56 },
};

interface Call {
  audit: number;
  number: number;
  args?: readonly number[];
}

/** Runs the filter on one call (struct seccomp_data). */
function verdict(filter: Uint8Array, { audit, number, args = [] }: Call): number {
  const program = Buffer.from(filter);
  const data = new Map([
    [0, number],
    [4, audit],
    ...[0, 1, 2, 3].map((index) => [16 + 8 * index, args[index] ?? 0] as const),
  ]);
  let held = 0;
  for (let at = 0; at * 8 < program.length; at += 1) {
    const code = program.readUInt16LE(at * 8);
    const [yes, no] = [program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3)];
    const value = program.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return value;
    if (code === 0x20) held = data.get(value) ?? Number.NaN;
    else if (code === 0x15) at += held === value ? yes : no;
    else if (code === 0x35) at += held >= value ? yes : no;
    else if (code === 0x54) held &= value;
    else if (code === 0x45) at += (held & value) === 0 ? no : yes;
    else throw new Error(`no such instruction: ${code}`);
  }
  throw new Error('the filter has no end');
}

function filterOf(machine: string): Uint8Array {
  const filter = seccompFilter(machine);
  if (!filter) throw new Error(`no filter for ${machine}`);
  return filter;
}

describe.each([
  { machine: 'x64', audit: X64, read: 0, ptrace: 101, unshare: 272, clone: 56, ioctl: 16 },
  { machine: 'arm64', audit: ARM64, read: 63, ptrace: 117, unshare: 97, clone: 220, ioctl: 29 },
])('the filter of $machine', ({ machine, audit, read, ptrace, unshare, clone, ioctl }) => {
  const filter = filterOf(machine);
  const of = (number: number, args?: readonly number[]) =>
    verdict(filter, { audit, number, ...(args ? { args } : {}) });

  it('allows what programs need', () => {
    expect(of(read)).toBe(ALLOW);
    expect(of(ioctl, [0, 0x5401])).toBe(ALLOW);
  });

  it('refuses what reaches into other processes and namespaces', () => {
    for (const number of [ptrace, unshare, 425, 428]) expect(of(number), String(number)).toBe(EPERM);
  });

  it('allows threads and processes, but no namespaces', () => {
    expect(of(clone, [0x3d0f00, 0])).toBe(ALLOW);
    expect(of(clone, [17, 0])).toBe(ALLOW);
    for (const flag of [0x00020000, 0x10000000, 0x20000000, 0x40000000])
      expect(of(clone, [flag + 17, 0])).toBe(EPERM);
    expect(of(435)).toBe(ENOSYS);
  });

  it('allows a program that stays alone threads only', () => {
    const alone = seccompFilter(machine, { alone: true }) ?? new Uint8Array();
    const call = (number: number, args: readonly number[]) => verdict(alone, { audit, number, args });
    expect(call(clone, [0x3d0f00, 0])).toBe(ALLOW);
    // fork(3), and posix_spawn, system and popen of the C library.
    for (const flags of [17, 0x01200011, 0x4111]) expect(call(clone, [flags, 0])).toBe(EPERM);
    if (machine === 'x64') for (const number of [57, 58]) expect(call(number, [])).toBe(EPERM);
    expect(call(435, [])).toBe(ENOSYS);
    expect(call(read, [])).toBe(ALLOW);
  });

  it('allows the listed socket families only', () => {
    const { socket, socketpair } = SOCKETS[machine as keyof typeof SOCKETS];
    for (const family of [2, 10, 16]) expect(of(socket, [family, 1, 0]), String(family)).toBe(ALLOW);
    for (const type of [1, 2, 5, 0x80001]) expect(of(socket, [1, type, 0]), String(type)).toBe(EPERM);
    expect(of(socketpair, [1, 1, 0])).toBe(ALLOW);
    for (const type of [2, 5, 0x80002]) expect(of(socketpair, [1, type, 0]), String(type)).toBe(EPERM);
    // AX.25, packets, CAN, Bluetooth, kernel crypto, virtual machines, XDP.
    for (const family of [0, 3, 17, 29, 31, 38, 40, 44])
      for (const call of [socket, socketpair]) expect(of(call, [family, 1, 0]), String(family)).toBe(EPERM);
  });

  it('refuses to create setuid and setgid files', () => {
    const { fchmod, fchmodat, mknodat, openat } = FILES[machine as keyof typeof FILES];
    for (const mode of [0o4755, 0o2755, 0o6777]) {
      expect(of(fchmod, [3, mode])).toBe(EPERM);
      for (const call of [fchmodat, mknodat, 452]) expect(of(call, [3, 0, mode])).toBe(EPERM);
      expect(of(openat, [3, 0, 0o101, mode])).toBe(EPERM);
      // Creates nothing, so the mode argument is arbitrary.
      expect(of(openat, [3, 0, 0, mode])).toBe(ALLOW);
    }
    expect(of(fchmod, [3, 0o755])).toBe(ALLOW);
    expect(of(openat, [3, 0, 0o101, 0o644])).toBe(ALLOW);
    expect(of(437)).toBe(ENOSYS);
  });

  it('refuses typing into a terminal', () => {
    expect(of(ioctl, [0, 0x5412])).toBe(EPERM);
    expect(of(ioctl, [0, 0x541c])).toBe(EPERM);
  });

  it('kills programs of another machine', () => {
    expect(verdict(filter, { audit: 0x40000003, number: read })).toBe(KILL);
  });
});

describe.each([
  {
    ...{
      machine: 'x64',
      audit: X64,
      socket: 41,
      socketpair: 53,
      prlimit: 302,
      shmat: 30,
      msgget: 68,
      read: 0,
    },
    ...{ setxattr: 188, fsetxattr: 190, fgetxattr: 193, inotify: [253, 254, 294] },
  },
  {
    machine: 'arm64',
    audit: ARM64,
    socket: 198,
    socketpair: 199,
    prlimit: 261,
    shmat: 196,
    msgget: 186,
    read: 63,
    ...{ setxattr: 5, fsetxattr: 7, fgetxattr: 10, inotify: [26, 27] },
  },
])('the filter of $machine without namespaces', (machine) => {
  const of = (network: boolean) => {
    const filter = seccompFilter(machine.machine, { sharedHost: { network } });
    if (!filter) throw new Error(`no filter for ${machine.machine}`);
    return (number: number, args: [number, number] = [0, 0]) =>
      verdict(filter, { audit: machine.audit, number, args });
  };

  it('refuses sockets to other programs, and internet sockets unless there is a network', () => {
    const [unix, inet, inet6, netlink] = [1, 2, 10, 16];
    for (const family of [unix, inet, inet6, netlink])
      expect(of(false)(machine.socket, [family, 1]), `${family}`).toBe(EPERM);
    for (const family of [inet, inet6, netlink]) expect(of(true)(machine.socket, [family, 1])).toBe(ALLOW);
    expect(of(true)(machine.socket, [unix, 1])).toBe(EPERM);
  });

  it('allows connected processes', () => {
    const [stream, closeOnExec, datagram] = [1, 0x80001, 2];
    for (const type of [stream, closeOnExec]) expect(of(false)(machine.socketpair, [1, type])).toBe(ALLOW);
    expect(of(false)(machine.socketpair, [1, datagram])).toBe(EPERM);
  });

  it('allows a process to limit itself only', () => {
    expect(of(false)(machine.prlimit, [0, 7])).toBe(ALLOW);
    expect(of(false)(machine.prlimit, [4711, 7])).toBe(EPERM);
  });

  it('reports that files have no attributes, except when reading through an open file', () => {
    for (const number of [machine.setxattr, machine.fsetxattr, 463, 469])
      expect(of(false)(number)).toBe(EOPNOTSUPP);
    expect(of(false)(machine.fgetxattr)).toBe(ALLOW);
  });

  it('refuses shared memory and queues with a key, and watching files', () => {
    for (const number of [machine.shmat, machine.msgget, ...machine.inotify])
      expect(of(false)(number)).toBe(EPERM);
    expect(of(false)(machine.read)).toBe(ALLOW);
  });
});

describe('seccompFilter', () => {
  it('handles x32 numbers as the same calls', () => {
    expect(verdict(filterOf('x64'), { audit: X64, number: 0x40000000 + 521 })).toBe(EPERM);
  });

  it('is missing for unknown machines', () => {
    expect(seccompFilter('riscv64')).toBeNull();
  });
});
