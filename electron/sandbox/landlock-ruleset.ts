/**
 * What Landlock holds, by its version in the kernel (landlock(7), linux/landlock.h): the rights that a ruleset takes
 * away, those that a grant gives back, and what it leaves open. Pure.
 */

import type { Grant, GrantPower } from './landlock-grants';
import { RUNS_OUTSIDE_GAP } from './runs-outside';

/** Versions of Landlock that brought something, each with the kernel in which it came. */
const SINCE = { truncate: 3, tcp: 4, scopes: 6 } as const;
const KERNELS = { truncate: '6.2', tcp: '6.7', scopes: '6.12' } as const;

const EXECUTE = 1 << 0;
const WRITE_FILE = 1 << 1;
const READ_FILE = 1 << 2;
const READ_DIR = 1 << 3;
const MAKE_CHAR = 1 << 6;
const MAKE_BLOCK = 1 << 11;
const TRUNCATE = 1 << 14;
const IOCTL_DEV = 1 << 15;

/** The rights that a file can have; the kernel refuses others for it. */
const OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE;

/** How many rights on files there are, from the lowest bit on, by version. */
const RIGHTS = [0, 13, 14, 15, 15, 16] as const;

const BIND_AND_CONNECT = 3;
const ABSTRACT_SOCKETS_AND_SIGNALS = 3;

/** `struct landlock_ruleset_attr`, of which older kernels know the first `bytes` only. */
export interface Ruleset {
  bytes: number;
  files: number;
  network: number;
  scopes: number;
}

/** What is taken away. Only rights on files can be given back. */
export function landlockRuleset(version: number, network: boolean): Ruleset {
  const [tcp, scopes] = [version >= SINCE.tcp, version >= SINCE.scopes];
  return {
    bytes: scopes ? 24 : tcp ? 16 : 8,
    files: allRights(version),
    network: tcp && !network ? BIND_AND_CONNECT : 0,
    scopes: scopes ? ABSTRACT_SOCKETS_AND_SIGNALS : 0,
  };
}

/** `allowed_access` of a rule for the grant. */
export function landlockRights({ power, isFolder }: Grant, version: number): number {
  return OF_POWER[power] & allRights(version) & (isFolder ? -1 : OF_FILES);
}

const OF_POWER: Record<GrantPower, number> = {
  read: EXECUTE | READ_FILE | READ_DIR,
  device: READ_FILE | WRITE_FILE,
  write: ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV),
};

function allRights(version: number): number {
  return (1 << (RIGHTS[version] ?? 16)) - 1;
}

/** What an image can do all the same, for people. @param machine the one for which system calls are not filtered; null: they are */
export function landlockGaps(version: number, machine: string | null): string[] {
  const lacking = (what: keyof typeof SINCE, gap: string) =>
    version < SINCE[what] ? [`${gap}: that takes Linux ${KERNELS[what]}`] : [];
  return [
    'which files and processes there are can be seen, though not what is in them',
    'permissions, owners and dates of all files of this user can be changed',
    'processes of this user can be slowed down',
    RUNS_OUTSIDE_GAP,
    ...lacking('truncate', 'files that may only be read can be emptied'),
    ...lacking('scopes', 'processes of this user can be signalled, and so ended'),
    ...(machine === null ? [] : unfiltered(version, machine)),
  ];
}

function unfiltered(version: number, machine: string): string[] {
  const network = version >= SINCE.tcp ? 'the network but for TCP' : 'the network';
  return [
    `system calls are not filtered on ${machine}: sockets of other programs, and ${network}, can be reached`,
  ];
}
