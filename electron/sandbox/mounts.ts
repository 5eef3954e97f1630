/**
 * What bubblewrap mounts of a confinement, and over what: a folder before what lies below it, so that nothing hides
 * what was allowed, and nothing that was allowed shows what stays hidden. Pure.
 */
import path from 'node:path';
import type { Confinement } from './confinement';
import { heldFolders } from './held-folders';

/** From weak to strong: where one path is asked for twice the stronger mount wins. */
const STRENGTH = ['hide-file', 'hide-folder', 'read-if-there', 'read', 'write'] as const;
type MountKind = (typeof STRENGTH)[number];

/** What of the host is seen at the same path of the sandbox, or hidden there. */
export interface Mount {
  at: string;
  kind: MountKind;
}

/** In the order in which they are made. @param needs what the program must read to run
 * @param system folders that are mounted already */
export function mounts(
  needs: readonly string[],
  { readable, writable, kept = [], hidden = [] }: Confinement,
  system: readonly string[],
): Mount[] {
  const found = new Map<string, MountKind>();
  const add = (kind: MountKind, entry: string) => {
    const at = path.posix.resolve('/', entry);
    if (kind.startsWith('read') && isBelow(at, '/usr')) return;
    const present = found.get(at);
    if (!present || STRENGTH.indexOf(kind) > STRENGTH.indexOf(present)) found.set(at, kind);
  };
  for (const each of [...readable, ...kept]) add('read-if-there', each);
  for (const each of needs) add('read', each);
  for (const each of writable) add('write', each);
  const shown = [...found.keys(), ...system];
  for (const { path: at, isFolder } of hidden)
    if (shown.some((each) => isBelow(at, each))) add(isFolder ? 'hide-folder' : 'hide-file', at);
  const closed = [...found].flatMap(([at, kind]) => (kind === 'write' ? [] : [at]));
  // A folder that is mounted on itself is used as before, and cannot be renamed.
  for (const each of heldFolders(closed, writable)) add('write', each);
  const sorted = [...found].sort(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1));
  return sorted.map(([at, kind]) => ({ at, kind }));
}

/** bubblewrap's options for them. */
export function mountArguments(mounts: readonly Mount[]): string[] {
  const folders = mounts.filter(({ kind }) => kind === 'hide-folder');
  return [
    ...mounts.flatMap(mounted),
    // Only now: what was named inside of a hidden folder has its place there.
    ...folders.flatMap(({ at }) => ['--remount-ro', at]),
  ];
}

const BINDS = { 'read-if-there': '--ro-bind-try', read: '--ro-bind', write: '--bind' } as const;

/** What is hidden is an empty folder of one page, and for a file a device that no mount of bubblewrap's opens. */
function mounted({ at, kind }: Mount): string[] {
  if (kind === 'hide-folder') return ['--perms', '0700', '--size', '4096', '--tmpfs', at];
  if (kind === 'hide-file') return ['--ro-bind', '/dev/null', at];
  return [BINDS[kind], at, at];
}

function depth(at: string): number {
  return at.split('/').length;
}

function isBelow(at: string, folder: string): boolean {
  return at === folder || at.startsWith(`${folder}/`);
}
