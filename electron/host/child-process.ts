/**
 * Starts programs. Chromium opens descriptors that child processes inherit, such as those of its event loop,
 * and a child could use them. A child started here has only the descriptors named for it: Node cannot close
 * the others, so a shell closes them and then becomes the program (execve(2)).
 */
import { type ChildProcess, execFile, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { system } from './system';

export type { ChildProcess, StdioOptions } from 'node:child_process';

/** Bash is required, because smaller shells do not support descriptors above 9. */
const SHELL = ['/bin/bash', '/usr/bin/bash'].find((file) => existsSync(file));

/** Closes all descriptors above $0. */
const CLOSE_OTHERS = `for fd in /dev/fd/*; do
  fd=\${fd##*/}
  if [ "$fd" -gt "$0" ]; then eval "exec $fd>&-"; fi
done`;

/**
 * Enters the control groups, whose number is $1, removes the variables that a shell sets, and becomes the
 * program, for which it sets SHLVL and _ anyway. The `0` written to a group stands for the writing process,
 * so no part of the program runs outside.
 */
const ENTER_AND_BECOME = `left=$1; shift
while [ "$left" -gt 0 ]; do
  echo 0 > "$1/cgroup.procs" || exit 1
  left=$((left - 1)); shift
done
unset SHLVL PWD OLDPWD
exec "$@"`;

/**
 * Arguments before the highest descriptor, the control groups and the program. Any shell can enter control
 * groups.
 */
const BECOME = SHELL
  ? [SHELL, '-p', '-c', `${CLOSE_OTHERS}\n${ENTER_AND_BECOME}`]
  : ['/bin/sh', '-c', ENTER_AND_BECOME];

/** Why programs inherit descriptors of this process, for the user; null if they do not. */
export const INHERITANCE_GAP =
  system.isUnix && SHELL === undefined
    ? 'bash is not installed. It is needed to close the descriptors that programs inherit from Lisp Harbor.'
    : null;

/** setpriv(1) lets the kernel kill the program when its parent exits. */
const WITH_PARENT = ['/usr/bin/setpriv', '/bin/setpriv']
  .filter(isExecutable)
  .slice(0, 1)
  .flatMap((setpriv) => [setpriv, '--pdeathsig', 'KILL', '--']);

/** Whether this host’s setpriv supports it. */
let canEndWithParent: boolean | null = null;

function withParent(): readonly string[] {
  const [setpriv, ...args] = WITH_PARENT;
  if (setpriv === undefined) return [];
  canEndWithParent ??= spawnSync(setpriv, [...args, 'true'], { stdio: 'ignore' }).status === 0;
  return canEndWithParent ? WITH_PARENT : [];
}

export interface AloneOptions extends SpawnOptions {
  /**
   * Whether it is killed when this process exits, even after a kill. Its own children continue. Linux only.
   */
  endsWithUs?: boolean;
  /** Folders of the control groups (cgroups(7)) that it starts in. */
  groups?: readonly string[];
}

/** As `spawn`, with only the descriptors of `stdio` and with normal priority. */
export function spawnAlone(
  command: string,
  args: readonly string[],
  { endsWithUs = false, groups = [], ...options }: AloneOptions,
): ChildProcess {
  const { stdio } = options;
  const highest = Math.max(Array.isArray(stdio) ? stdio.length : 3, 3) - 1;
  const [program = command, ...words] = alone(command, args, { ...options, highest, endsWithUs, groups });
  return atUsualPriority(() => spawn(program, words, options));
}

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Time limit in milliseconds. */
  timeout?: number;
  /** Maximum octets of its output; 1 MiB by default. */
  maxBuffer?: number;
  /** How its output is decoded; as UTF-8 by default. */
  encoding?: 'latin1';
  /** As in `AloneOptions`. */
  endsWithUs?: boolean;
  groups?: readonly string[];
}

/**
 * Runs a program to its end. @throws Error as that of execFile, with its `stdout` and `stderr`, if it fails
 */
export async function runAlone(
  command: string,
  args: readonly string[],
  { endsWithUs = false, groups = [], ...options }: RunOptions = {},
): Promise<{ stdout: string; stderr: string }> {
  const [program = command, ...words] = alone(command, args, { ...options, highest: 2, endsWithUs, groups });
  return atUsualPriority(() => promisify(execFile)(program, words, options));
}

/**
 * Chromium raises the priority of the thread that starts programs, where it is permitted, as for root
 * (setpriority(2)). A program inherits it, so the thread lowers it during the start.
 */
function atUsualPriority<T>(start: () => T): T {
  const raised = os.getPriority();
  if (raised >= 0) return start();
  os.setPriority(0);
  try {
    return start();
  } finally {
    os.setPriority(raised);
  }
}

/** How a program is started. */
interface Surroundings
  extends Pick<SpawnOptions, 'env' | 'cwd'>,
    Required<Pick<AloneOptions, 'endsWithUs' | 'groups'>> {
  /** The highest descriptor that it inherits. */
  highest: number;
}

/**
 * Returns the command line. A program that does not exist is started directly, so that its absence is
 * reported.
 */
function alone(
  command: string,
  args: readonly string[],
  { env, cwd, highest, endsWithUs, groups }: Surroundings,
): string[] {
  const words = [command, ...args];
  if (!system.isUnix || (SHELL === undefined && groups.length === 0)) return words;
  if (!isThere(command, (env ?? process.env).PATH ?? '') || (cwd && !existsSync(cwd))) return words;
  const entered = [String(groups.length), ...groups];
  return [...BECOME, String(highest), ...entered, ...(endsWithUs ? withParent() : []), ...words];
}

function isThere(command: string, searchPath: string): boolean {
  if (command.includes('/')) return isExecutable(command);
  return searchPath.split(path.delimiter).some((folder) => isExecutable(path.join(folder, command)));
}

/** Reports whether this user may execute the file. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
