/**
 * What the filter of system calls looks at the arguments of, in every sandbox: kinds of sockets, and files that run as
 * their owner. Each begins and, unless it refuses, ends with the call's number at hand. Pure.
 */
import { ARGUMENTS, EPERM, fail, ifAnyBit, ifEqual, ifOneOf, keepBits, load, NUMBER } from './bpf';

/** Numbers of system calls by machine; null where it has none. */
const NUMBERS = {
  x64: {
    ...{ socket: 41, socketpair: 53, open: 2, creat: 85, openat: 257 },
    ...{ chmod: 90, fchmod: 91, fchmodat: 268, mknod: 133, mknodat: 259 },
  },
  arm64: {
    ...{ socket: 198, socketpair: 199, open: null, creat: null, openat: 56 },
    ...{ chmod: null, fchmod: 52, fchmodat: 53, mknod: null, mknodat: 33 },
  },
} as const;

/** Of both machines. The flags of openat2 lie in memory, where no filter sees them; who calls it falls back to openat. */
const FCHMODAT2 = 452;
const OPENAT2 = 437;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
/** Asked for this computer's own addresses whenever a name is looked up. */
const AF_NETLINK = 16;

/** The kinds of sockets that lead into a network, as far as the sandbox has one. */
export const INTERNET = [AF_INET, AF_INET6, AF_NETLINK];

const ENOSYS = 38;

/** S_ISUID and S_ISGID. */
const RUNS_AS_OWNER = 0o6000;
/** O_CREAT and O_TMPFILE, without which the mode means nothing and may be anything. */
const MAKES_FILE = 0o100 | 0o20000000;

export type SeccompMachine = keyof typeof NUMBERS;

/** Sockets of this computer and of the internet; no others, such as those of virtual machines, of which no namespace keeps
 * a program away. */
export function socketRules(machine: SeccompMachine): Uint8Array[] {
  const { socket, socketpair } = NUMBERS[machine];
  return [socket, socketpair].flatMap((number) => refusedUnless(number, 0, [AF_UNIX, ...INTERNET]));
}

/** No file that runs as its owner for whoever starts it, however it is made. */
export function ownerRules(machine: SeccompMachine): Uint8Array[] {
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

/** Refuses the call unless that argument, or the bits of it that count, is one of the values. */
export function refusedUnless(
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

/** Instructions for that call alone, after which its number is at hand again. */
function when(number: number | null, check: readonly Uint8Array[]): Uint8Array[] {
  if (number === null) return [];
  return [ifEqual(number, 0, check.length + 1), ...check, load(NUMBER)];
}
