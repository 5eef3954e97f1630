/** What the filter of system calls answers, carried out as the kernel does: on both machines, without one. */
import { describe, expect, it } from 'vitest';
import { seccompFilter } from '../../electron/sandbox/seccomp-filter';

const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;
const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const KILL = 0x80000000;

interface Call {
  audit: number;
  number: number;
  args?: [number, number];
}

/** Carries out the filter's instructions on one call (struct seccomp_data). */
function verdict(filter: Uint8Array, { audit, number, args = [0, 0] }: Call): number {
  const program = Buffer.from(filter);
  const data = new Map([
    [0, number],
    [4, audit],
    [16, args[0]],
    [24, args[1]],
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
  const of = (number: number, args?: [number, number]) =>
    verdict(filter, { audit, number, ...(args ? { args } : {}) });

  it('lets through what programs need', () => {
    expect(of(read)).toBe(ALLOW);
    expect(of(ioctl, [0, 0x5401])).toBe(ALLOW);
  });

  it('refuses what reaches into other processes and namespaces', () => {
    for (const number of [ptrace, unshare, 425, 428]) expect(of(number), String(number)).toBe(EPERM);
  });

  it('lets threads and processes be made, but no namespaces', () => {
    expect(of(clone, [0x3d0f00, 0])).toBe(ALLOW);
    expect(of(clone, [17, 0])).toBe(ALLOW);
    for (const flag of [0x00020000, 0x10000000, 0x20000000, 0x40000000])
      expect(of(clone, [flag + 17, 0])).toBe(EPERM);
    expect(of(435)).toBe(ENOSYS);
  });

  it('lets nobody type into a terminal', () => {
    expect(of(ioctl, [0, 0x5412])).toBe(EPERM);
    expect(of(ioctl, [0, 0x541c])).toBe(EPERM);
  });

  it('ends programs of another machine', () => {
    expect(verdict(filter, { audit: 0x40000003, number: read })).toBe(KILL);
  });
});

describe('seccompFilter', () => {
  it('takes x32 numbers for what they are: other names of the same calls', () => {
    expect(verdict(filterOf('x64'), { audit: X64, number: 0x40000000 + 521 })).toBe(EPERM);
  });

  it('has none for machines that it does not know', () => {
    expect(seccompFilter('riscv64')).toBeNull();
  });
});
