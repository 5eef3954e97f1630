/**
 * Limits that keep an image and its child programs from using up the whole machine; and the way to set them
 * with a systemd scope (systemd-run(1)).
 */

import { existsSync } from 'node:fs';
import { runAlone } from '../host/child-process';
import type { LaunchEnd } from './launcher';

/** Maximum resources of an image. */
export interface ImageMaximum {
  /** Number of processes and threads. */
  tasks: number;
  memoryBytes: number;
}

/** The limits of this host, found when the app starts. */
export interface ImageLimits {
  /** The missing limits and why, as text for the user; null if everything is limited. */
  gap: string | null;
  /** Whether releasing the limits kills programs that the image left running. */
  endsPrograms: boolean;
  /** Starts slow system work before an image can be limited. Never throws. */
  expectImage(): void;
  /**
   * Returns the limit for an image that starts now. @throws HarborError `engine_failed` if limits can no
   * longer be set
   */
  forImage(): ImageLimit;
}

/** The limit of one image, until it is released. */
export interface ImageLimit {
  /** Folders of the control groups that it starts in. */
  groups: readonly string[];
  /** Words before the sandbox's command. */
  outside: readonly string[];
  /** The environment that these words need. */
  env: Readonly<Record<string, string>>;
  /** Words before the program's own command, where only processes of the sandbox count. */
  inside: readonly string[];
  /**
   * Call once, when the image has ended. Never rejects. Returns the memory limit in bytes if the kernel
   * killed a process for exceeding it; otherwise, or if unknown, null.
   */
  release(): Promise<number | null>;
}

/** Returns a limit that consists of command prefixes only. */
export function limitByCommand(words: Pick<ImageLimit, 'outside' | 'env' | 'inside'>): ImageLimit {
  return { ...words, groups: [], release: async () => null };
}

/** Releases the limit of an ended image, and reports whether it was killed for exceeding it. */
export async function releaseLimit(
  end: LaunchEnd,
  limit: ImageLimit,
  wasKilled: boolean,
): Promise<LaunchEnd> {
  const exceededBytes = await limit.release();
  return wasKilled && exceededBytes !== null ? { ...end, exceededBytes: exceededBytes } : end;
}

/** The gap if nothing kills programs that an image left running. */
const SURVIVING_PROGRAMS = 'programs started by its code keep running after the session ends';

/** Returns that as a list of gaps for a sandbox report. */
export function survivingProgramGaps({ endsPrograms }: Pick<ImageLimits, 'endsPrograms'>): string[] {
  return endsPrograms ? [] : [SURVIVING_PROGRAMS];
}

export const UNLIMITED: ImageLimits = {
  gap: null,
  endsPrograms: false,
  expectImage: () => undefined,
  forImage: () => limitByCommand({ outside: [], env: {}, inside: [] }),
};

/** systemd answers quickly or not at all. */
const PROBE_MS = 5000;

/**
 * Variables for the connection to the user's systemd. They stay outside the sandbox, whose first process
 * would expose them.
 */
const BUS = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];

/**
 * Checks that the limits took effect: systemd accepts limits that it cannot enforce, such as on cgroup v1 or
 * without memory accounting.
 */
const SHOW_LIMITS = 'cd "/sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup)" && cat memory.max pids.max';

/** Returns limits by the user's systemd, or for root by the system's; null if neither works. */
export async function systemdScope(
  { tasks, memoryBytes }: ImageMaximum,
  uid: number | undefined,
  env: NodeJS.ProcessEnv,
): Promise<ImageLimits | null> {
  const bus = Object.fromEntries(BUS.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  for (const manager of managers(uid, env)) {
    const outside = [
      ...['systemd-run', ...manager, '--scope', '--quiet', '--collect'],
      ...['-p', `TasksMax=${tasks}`, '-p', `MemoryMax=${memoryBytes}`, '-p', 'MemorySwapMax=0', '--'],
    ];
    if (await enforcesLimits(outside, { ...bus, PATH: env.PATH ?? '' }))
      return { ...UNLIMITED, gap: null, forImage: () => limitByCommand({ outside, env: bus, inside: [] }) };
  }
  return null;
}

/** Running systemd managers only: contacting the bus of another would start it. */
function managers(uid: number | undefined, { XDG_RUNTIME_DIR: runtime }: NodeJS.ProcessEnv): string[][] {
  const ofUser = runtime !== undefined && existsSync(`${runtime}/systemd/private`);
  const ofSystem = uid === 0 && existsSync('/run/systemd/private');
  return [...(ofUser ? [['--user']] : []), ...(ofSystem ? [['--system']] : [])];
}

async function enforcesLimits(
  [command = '', ...args]: readonly string[],
  env: Record<string, string>,
): Promise<boolean> {
  const shown = runAlone(command, [...args, '/bin/sh', '-c', SHOW_LIMITS], {
    env,
    timeout: PROBE_MS,
  });
  return shown.then(
    ({ stdout }) => /^\d+\n\d+\n$/.test(stdout),
    () => false,
  );
}
