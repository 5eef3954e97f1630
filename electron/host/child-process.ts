/**
 * The one way to start a program. Chromium opens descriptors that children inherit, such as those of its event loop, and a
 * child could act on them. A child of ours has those that are named for it and no others: Node cannot close the rest, so a
 * shell does, which then becomes the program (execve(2)).
 */
import { type ChildProcess, execFile, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export type { ChildProcess, StdioOptions } from 'node:child_process';

/** It must know descriptors above 9, which smaller shells do not. */
const SHELL = ['/bin/bash', '/usr/bin/bash'].find((file) => existsSync(file));

/** Windows passes on what is named and nothing else. */
const PASSES_ON = process.platform !== 'win32';

/** Closes all descriptors above $0. */
const CLOSE_OTHERS = `for fd in /dev/fd/*; do
  fd=\${fd##*/}
  if [ "$fd" -gt "$0" ]; then eval "exec $fd>&-"; fi
done`;

/** Enters the control groups of which $1 says how many come next, takes back what a shell adds to the environment, and becomes
 * the program, for which it sets SHLVL and _ all the same. `0` is whoever writes it: nothing of the program runs outside. */
const ENTER_AND_BECOME = `left=$1; shift
while [ "$left" -gt 0 ]; do
  echo 0 > "$1/cgroup.procs" || exit 1
  left=$((left - 1)); shift
done
unset SHLVL PWD OLDPWD
exec "$@"`;

/** In front of the highest descriptor that is kept, the groups and the program. Any shell enters groups. */
const BECOME = SHELL
  ? [SHELL, '-p', '-c', `${CLOSE_OTHERS}\n${ENTER_AND_BECOME}`]
  : ['/bin/sh', '-c', ENTER_AND_BECOME];

/** Why programs may inherit descriptors of this one, for people; null where they do not. */
export const INHERITANCE_GAP =
  PASSES_ON && SHELL === undefined
    ? 'there is no bash, which would close the descriptors that programs inherit from Lisp Harbor'
    : null;

/** setpriv(1): of a program that it starts the kernel ends the process with its parent, however that ends. */
const WITH_PARENT = ['/usr/bin/setpriv', '/bin/setpriv']
  .filter(isExecutable)
  .slice(0, 1)
  .flatMap((setpriv) => [setpriv, '--pdeathsig', 'KILL', '--']);

/** Whether the setpriv of this host can do that; some cannot. */
let canEndWithParent: boolean | null = null;

function withParent(): readonly string[] {
  const [setpriv, ...args] = WITH_PARENT;
  if (setpriv === undefined) return [];
  canEndWithParent ??= spawnSync(setpriv, [...args, 'true'], { stdio: 'ignore' }).status === 0;
  return canEndWithParent ? WITH_PARENT : [];
}

export interface AloneOptions extends SpawnOptions {
  /** Whether it ends when this process does, even one that is killed. What it has started goes on. Linux alone can do that. */
  endsWithUs?: boolean;
  /** Folders of control groups (cgroups(7)) that it is in from its beginning. */
  groups?: readonly string[];
}

/** As `spawn`, with no descriptor but those of `stdio`, and with no higher priority than usual. */
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
  /** Milliseconds after which it is ended. */
  timeout?: number;
  /** As in `AloneOptions`. */
  endsWithUs?: boolean;
  groups?: readonly string[];
}

/** Runs a program to its end. @throws Error as execFile's, with its `stdout` and `stderr`, when it fails */
export async function runAlone(
  command: string,
  args: readonly string[],
  { endsWithUs = false, groups = [], ...options }: RunOptions = {},
): Promise<{ stdout: string; stderr: string }> {
  const [program = command, ...words] = alone(command, args, { ...options, highest: 2, endsWithUs, groups });
  return atUsualPriority(() => promisify(execFile)(program, words, options));
}

/**
 * Chromium raises the priority of the thread that starts programs, where it may, as for root (setpriority(2)). A program gets
 * that of this thread at its start, and so does all that it starts in the same moment: so the thread gives it away meanwhile.
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

/** What is seen to before a program runs. */
interface Surroundings
  extends Pick<SpawnOptions, 'env' | 'cwd'>,
    Required<Pick<AloneOptions, 'endsWithUs' | 'groups'>> {
  /** The highest descriptor that it keeps. */
  highest: number;
}

/** A program that is not there is asked for itself, so that its absence is told. */
function alone(
  command: string,
  args: readonly string[],
  { env, cwd, highest, endsWithUs, groups }: Surroundings,
): string[] {
  const words = [command, ...args];
  if (!PASSES_ON || (SHELL === undefined && groups.length === 0)) return words;
  if (!isThere(command, (env ?? process.env).PATH ?? '') || (cwd && !existsSync(cwd))) return words;
  const entered = [String(groups.length), ...groups];
  return [...BECOME, String(highest), ...entered, ...(endsWithUs ? withParent() : []), ...words];
}

function isThere(command: string, searchPath: string): boolean {
  if (command.includes('/')) return isExecutable(command);
  return searchPath.split(path.delimiter).some((folder) => isExecutable(path.join(folder, command)));
}

/** Whether this user may run the file. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
