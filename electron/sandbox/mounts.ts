/**
 * What bubblewrap mounts of a confinement, and over what: a folder before what lies below it, so that nothing hides
 * what was allowed, and nothing that was allowed shows what stays hidden. Pure.
 */
import path from 'node:path';
import type { Confinement } from './confinement';
import { heldFolders } from './held-folders';

/** From weak to strong: where one path is asked for twice the stronger mount wins. */
const STRENGTH = ['hide-file', 'hide-folder', '--ro-bind-try', '--ro-bind', '--bind'] as const;
type Mount = (typeof STRENGTH)[number];

/** @param needs what the program must read to run
 * @param system folders that are mounted already */
export function mounts(
  needs: readonly string[],
  { readable, writable, kept = [], hidden = [] }: Confinement,
  system: readonly string[],
): string[] {
  const found = new Map<string, Mount>();
  const add = (mount: Mount, entry: string) => {
    const at = path.posix.resolve('/', entry);
    if (mount.startsWith('--ro') && isBelow(at, '/usr')) return;
    const present = found.get(at);
    if (!present || STRENGTH.indexOf(mount) > STRENGTH.indexOf(present)) found.set(at, mount);
  };
  for (const each of [...readable, ...kept]) add('--ro-bind-try', each);
  for (const each of needs) add('--ro-bind', each);
  for (const each of writable) add('--bind', each);
  const shown = [...found.keys(), ...system];
  for (const { path: at, isFolder } of hidden)
    if (shown.some((each) => isBelow(at, each))) add(isFolder ? 'hide-folder' : 'hide-file', at);
  const closed = [...found].flatMap(([at, mount]) => (mount === '--bind' ? [] : [at]));
  // A folder that is mounted on itself is used as before, and cannot be renamed.
  for (const each of heldFolders(closed, writable)) add('--bind', each);
  return inOrder(found);
}

function inOrder(found: ReadonlyMap<string, Mount>): string[] {
  const sorted = [...found].sort(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1));
  const folders = sorted.filter(([, mount]) => mount === 'hide-folder');
  return [
    ...sorted.flatMap(([at, mount]) => mounted(at, mount)),
    // Only now: what was named inside of a hidden folder has its place there.
    ...folders.flatMap(([at]) => ['--remount-ro', at]),
  ];
}

/** An empty folder of one page, and for a file a device that no mount of bubblewrap's opens. */
function mounted(at: string, mount: Mount): string[] {
  if (mount === 'hide-folder') return ['--perms', '0700', '--size', '4096', '--tmpfs', at];
  if (mount === 'hide-file') return ['--ro-bind', '/dev/null', at];
  return [mount, at, at];
}

function depth(at: string): number {
  return at.split('/').length;
}

function isBelow(at: string, folder: string): boolean {
  return at === folder || at.startsWith(`${folder}/`);
}
