/** Limits by a scope of systemd (systemd-run(1)): a control group that systemd makes and removes. */
import { existsSync } from 'node:fs';
import { runAlone } from '../host/child-process';
import { byWords, type ImageLimits, type MostOfAnImage, UNLIMITED } from './process-limits';

/** systemd answers at once, or never does. */
const PROBE_MS = 5000;

/** What finds the user's systemd. It stays outside: the sandbox's own first process would show it. */
const BUS = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];

/** A systemd takes limits that it cannot keep as well: on cgroup v1, or where the kernel was told not to count memory. */
const SHOW_LIMITS = 'cd "/sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup)" && cat memory.max pids.max';

/** By the systemd of this user, for root else by the system's; null when none does it. */
export async function systemdScope(
  { tasks, memoryBytes }: MostOfAnImage,
  uid: number | undefined,
  env: NodeJS.ProcessEnv,
): Promise<ImageLimits | null> {
  const bus = Object.fromEntries(BUS.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  for (const manager of managers(uid, env)) {
    const outside = [
      ...['systemd-run', ...manager, '--scope', '--quiet', '--collect'],
      ...['-p', `TasksMax=${tasks}`, '-p', `MemoryMax=${memoryBytes}`, '-p', 'MemorySwapMax=0', '--'],
    ];
    if (await holds(outside, { ...bus, PATH: env.PATH ?? '' }))
      return { ...UNLIMITED, gap: null, forImage: () => byWords({ outside, env: bus, inside: [] }) };
  }
  return null;
}

/** Those that run: asking the bus for one that does not would have it started. */
function managers(uid: number | undefined, { XDG_RUNTIME_DIR: runtime }: NodeJS.ProcessEnv): string[][] {
  const ofUser = runtime !== undefined && existsSync(`${runtime}/systemd/private`);
  const ofSystem = uid === 0 && existsSync('/run/systemd/private');
  return [...(ofUser ? [['--user']] : []), ...(ofSystem ? [['--system']] : [])];
}

async function holds(
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
