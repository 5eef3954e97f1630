/**
 * Starts images inside macOS's sandbox-exec, which applies a profile and executes the program, so its pid is
 * the engine's.
 */

import path from 'node:path';
import type { SandboxReport } from '../contract/model';
import { type Confinement, pinnedAncestors } from '../sandbox/confinement';
import { type Launched, type Launcher, type Program, reportOf } from './launcher';
import { LocalLauncher } from './local';
import { survivingProgramGaps, UNLIMITED } from './process-limits';

const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

export class SandboxExecLauncher implements Launcher {
  readonly sandbox: SandboxReport = {
    confined: true,
    launcher: 'sandbox-exec',
    gaps: [
      'memory beyond the heap, and the number of processes, are not limited on macOS',
      'names of files are visible',
      ...survivingProgramGaps(UNLIMITED),
    ],
  };
  readonly #plain = new LocalLauncher('the program is sandbox-exec itself');

  launch(program: Program, confinement: Confinement): Launched {
    const profile = seatbeltRules([program.command, ...program.needs], confinement, program.alone);
    const args = ['-p', profile, program.command, ...program.args];
    const launched = this.#plain.launch({ ...program, command: SANDBOX_EXEC, args }, confinement);
    return { ...launched, sandbox: reportOf(this.sandbox, confinement) };
  }
}

/** Needed by every program at startup: its libraries, the dynamic linker's cache, devices without content. */
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

/** Host names and certificates; useful with a network only. */
const SYSTEM_NETWORK = [
  '/private/etc/hosts',
  '/private/etc/resolv.conf',
  '/private/etc/ssl',
  '/private/var/run',
];

/** Operations without which no process starts; none reaches user files or other processes. */
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

/**
 * Returns the sandbox-exec(1) profile for one program and its confinement. Pure. The last matching rule
 * decides, so a folder comes before its contents.
 * @param needs paths the program must read to run
 * @param alone as in `Program`
 */
export function seatbeltRules(needs: readonly string[], confinement: Confinement, alone = false): string {
  const { readable, writable, protectedPaths = [], hidden = [], network } = confinement;
  const rules = new Map<string, Access>();
  for (const { path: at } of hidden) rules.set(at, 'nothing');
  const shown = [...SYSTEM, ...(network ? SYSTEM_NETWORK : []), ...needs, ...readable, ...protectedPaths];
  for (const at of shown) rules.set(path.posix.resolve('/', at), 'read');
  for (const at of writable) rules.set(path.posix.resolve('/', at), 'write');
  const sorted = [...rules].sort(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1));
  const closed = sorted.flatMap(([at, access]) => (access === 'write' ? [] : [at]));
  return [
    ...BEGIN,
    ...sorted.map(([at, access]) => rule(at, access)),
    ...pinnedAncestors(closed, writable).map((at) => `(deny file-write-unlink (literal ${quoted(at)}))`),
    ...(network ? ['(allow network*)', '(allow system-socket)'] : []),
    ...(alone ? ['(deny process-fork)'] : []),
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

/** Quotes a string of the profile language, which is Scheme. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function depth(at: string): number {
  return at.split('/').length;
}
