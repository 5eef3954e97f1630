/** The Landlock ruleset by version, its gaps, and the encoded order. */
import { describe, expect, it } from 'vitest';
import {
  landlockGaps,
  landlockOrder,
  landlockRights,
  landlockRuleset,
} from '../../electron/sandbox/landlock-rules';

const FOLDER = { path: '/srv', isFolder: true } as const;
const FILE = { path: '/srv/file', isFolder: false } as const;
const MAKE_DEVICES = (1 << 6) | (1 << 11);

describe('a ruleset', () => {
  it('handles all rights that the kernel supports', () => {
    expect(landlockRuleset(1, false)).toEqual({ bytes: 8, files: 0x1fff, network: 0, scopes: 0 });
    expect(landlockRuleset(3, false)).toEqual({ bytes: 8, files: 0x7fff, network: 0, scopes: 0 });
    expect(landlockRuleset(4, false)).toEqual({ bytes: 16, files: 0x7fff, network: 3, scopes: 0 });
    expect(landlockRuleset(7, false)).toEqual({ bytes: 24, files: 0xffff, network: 3, scopes: 3 });
    expect(landlockRuleset(9, false)).toEqual(landlockRuleset(7, false));
  });

  it('leaves ports alone if there is a network', () => {
    expect(landlockRuleset(7, true)).toMatchObject({ network: 0, scopes: 3 });
  });
});

describe('a right', () => {
  it('read includes executing and listing', () => {
    expect(landlockRights({ ...FOLDER, power: 'read' }, 7)).toBe(0b1101);
    expect(landlockRights({ ...FILE, power: 'read' }, 7)).toBe(0b101);
  });

  it('write creates no devices, and contains only rights that the kernel supports', () => {
    for (const version of [1, 2, 3, 5, 7]) {
      const rights = landlockRights({ ...FOLDER, power: 'write' }, version);
      expect(rights & MAKE_DEVICES).toBe(0);
      expect(rights & ~landlockRuleset(version, false).files).toBe(0);
    }
    expect(landlockRights({ ...FILE, power: 'write' }, 7)).toBe(0b111 | (1 << 14));
    expect(landlockRights({ path: '/dev/null', isFolder: false, power: 'device' }, 7)).toBe(0b110);
  });
});

describe('gaps', () => {
  it('list what an older kernel lacks', () => {
    const told = (version: number, machine: string | null = null) =>
      landlockGaps(version, machine).join('\n');
    expect(told(7)).not.toMatch(/Linux|signalled|truncated|filtered/);
    expect(told(7)).toMatch(/are visible/);
    expect(told(5)).toMatch(/signalled.*Linux 6\.12/);
    expect(told(2)).toMatch(/truncated.*Linux 6\.2/);
    expect(told(7, 'riscv64')).toMatch(/riscv64.*the network except for TCP/);
    expect(told(3, 'riscv64')).toMatch(/riscv64.*the network, can be reached/);
  });
});

describe('landlockOrder', () => {
  const program = { command: '/bin/sh', args: ['-c', 'λ "x"'], env: { A: 'one\ntwo' }, cwd: '/', needs: [] };
  const order = {
    program,
    network: false,
    version: 7,
    filter: null,
    grants: [{ ...FILE, power: 'read' }],
  } as const;

  it('is words that end with a NUL, and the filter', () => {
    const filter = Uint8Array.of(0, 1, 2, 0);
    const made = Buffer.from(landlockOrder({ ...order, filter }));
    expect(made.subarray(-4)).toEqual(Buffer.from(filter));
    expect(made.subarray(0, -4).toString().split('\0')).toEqual([
      ...['24', '65535', '3', '3'],
      ...['1', '5', '/srv/file'],
      ...['3', '/bin/sh', '-c', 'λ "x"'],
      ...['1', 'A=one\ntwo', ''],
    ]);
  });

  it('refuses words with a NUL byte', () => {
    const cut = { ...order, program: { ...program, args: ['a\0b'] } };
    expect(() => landlockOrder(cut)).toThrow('null bytes');
  });
});
