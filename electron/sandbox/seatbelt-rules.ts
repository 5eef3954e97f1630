/**
 * The profile of macOS's sandbox-exec(1) for one program and its confinement. Pure. The last rule that fits a path
 * decides, so a folder comes before what lies below it, as with mounts.
 */
import path from 'node:path';
import type { Confinement } from './confinement';
import { heldFolders } from './held-folders';

/** What every program needs to begin: its libraries, the dynamic linker's cache, devices that hold nothing. */
const SYSTEM = [
  ...[
    '/usr',
    '/bin',
    '/sbin',
    '/System',
    '/Library/Java',
    '/Library/Frameworks',
    '/opt/homebrew',
    '/opt/local',
  ],
  ...['/private/etc/localtime', '/private/var/db/timezone', '/private/var/db/dyld', '/dev/null', '/dev/zero'],
  ...['/dev/random', '/dev/urandom', '/dev/fd'],
];

/** Names and certificates, of use with a network only. */
const SYSTEM_NETWORK = [
  '/private/etc/hosts',
  '/private/etc/resolv.conf',
  '/private/etc/ssl',
  '/private/var/run',
];

/** Operations without which no process starts; none of them reaches a file of a person or another process. */
const BEGIN = [
  '(version 1)',
  '(deny default)',
  '(allow process-fork)',
  '(allow process-exec)',
  '(allow signal (target same-sandbox))',
  '(allow process-info* (target same-sandbox))',
  '(allow sysctl-read)',
  '(allow file-read-metadata)',
  '(allow file-read* (literal "/"))',
  '(allow file-write* (literal "/dev/null"))',
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
];

type Access = 'read' | 'write' | 'nothing';

/** @param needs what the program must read to run */
export function seatbeltRules(needs: readonly string[], confinement: Confinement): string {
  const { readable, writable, kept = [], hidden = [], network } = confinement;
  const rules = new Map<string, Access>();
  for (const { path: at } of hidden) rules.set(at, 'nothing');
  const shown = [...SYSTEM, ...(network ? SYSTEM_NETWORK : []), ...needs, ...readable, ...kept];
  for (const at of shown) rules.set(path.posix.resolve('/', at), 'read');
  for (const at of writable) rules.set(path.posix.resolve('/', at), 'write');
  const sorted = [...rules].sort(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1));
  const closed = sorted.flatMap(([at, access]) => (access === 'write' ? [] : [at]));
  return [
    ...BEGIN,
    ...sorted.map(([at, access]) => rule(at, access)),
    ...heldFolders(closed, writable).map((at) => `(deny file-write-unlink (literal ${quoted(at)}))`),
    ...(network ? ['(allow network*)', '(allow system-socket)'] : []),
    '',
  ].join('\n');
}

function rule(at: string, access: Access): string {
  const place = `(subpath ${quoted(at)})`;
  if (access === 'nothing') return `(deny file-read* file-write* ${place})`;
  return access === 'write'
    ? `(allow file-read* file-write* ${place})`
    : `(allow file-read* ${place}) (deny file-write* ${place})`;
}

/** A string of the profile's language, which is a Scheme. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function depth(at: string): number {
  return at.split('/').length;
}
