/**
 * Instructions of classic BPF as seccomp(2) takes them: they look at one number at a time of what the kernel tells of a
 * system call (struct seccomp_data), and skip a few that follow. Pure.
 */

/** Offsets in struct seccomp_data; of 64-bit arguments the lower half, which comes first on both machines. */
export const NUMBER = 0;
export const MACHINE = 4;
export const ARGUMENTS = [16, 24, 32, 40] as const;

export const EPERM = 1;

/** `struct sock_filter`: code, how many instructions to skip when true and when false, and a value. */
function instruction(code: number, whenTrue: number, whenFalse: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(whenTrue, 2);
  bytes.writeUInt8(whenFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}

export const load = (offset: number) => instruction(0x20, 0, 0, offset);
export const keepBits = (value: number) => instruction(0x54, 0, 0, value);
export const ifEqual = (value: number, yes: number, no: number) => instruction(0x15, yes, no, value);
export const ifAtLeast = (value: number, yes: number, no: number) => instruction(0x35, yes, no, value);
export const ifAnyBit = (value: number, yes: number, no: number) => instruction(0x45, yes, no, value);
export const ifOneOf = ([value, ...more]: readonly number[], yes: number): Uint8Array[] =>
  value === undefined ? [] : [ifEqual(value, more.length + yes, 0), ...ifOneOf(more, yes)];
export const allow = () => instruction(0x06, 0, 0, 0x7fff0000);
export const kill = () => instruction(0x06, 0, 0, 0x80000000);
export const fail = (errno: number) => instruction(0x06, 0, 0, 0x00050000 + errno);
