/**
 * How this host keeps an image from taking the whole machine: a control group from the user's systemd where there is
 * one, else a limit of the process (setrlimit(2)), which does not hold for root.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

export interface ImageLimits {
  /** In front of the sandbox's command. */
  outside: readonly string[];
  /** The environment that what stands there needs. */
  env: Readonly<Record<string, string>>;
  /** In front of the program's own command: there only the sandbox's processes count. */
  inside: readonly string[];
  /** What is not limited and why, for people; null when all is. */
  gap: string | null;
}

/** Threads count too: a JVM has some forty, an ACL2 that certifies books a few for each core. */
const MOST_PROCESSES = 1024;

/** Of the machine's memory, for one image: its heap is limited apart from that. */
const MEMORY_SHARE = '75%';

/** systemd answers at once, or never does. */
const PROBE_MS = 5000;

const SCOPE = [
  ...['systemd-run', '--user', '--scope', '--quiet', '--collect'],
  ...['-p', `TasksMax=${MOST_PROCESSES}`, '-p', `MemoryMax=${MEMORY_SHARE}`, '--'],
];

/** What finds the user's systemd. It stays outside: the sandbox's own first process would show it. */
const BUS = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];

const NO_SYSTEMD = 'no systemd of this user answers';

/** Tries what there is, strongest first. */
export async function imageLimits(uid = process.getuid?.(), env = process.env): Promise<ImageLimits> {
  const scope = await scopeLimits(env);
  if (scope) return scope;
  const gap = `memory beyond the heap is not limited: ${NO_SYSTEMD}`;
  if (uid !== 0) return { outside: [], env: {}, inside: processLimit(), gap };
  return {
    outside: [],
    env: {},
    inside: [],
    gap: `processes, and memory beyond the heap, are not limited: Lisp Harbor runs as root, for whom such limits do not hold, and ${NO_SYSTEMD}`,
  };
}

/** Those of images without a namespace of their own, where a limit of processes would count all that this user has. */
export async function sharedHostLimits(env = process.env): Promise<ImageLimits> {
  const gap = `processes, and memory beyond the heap, are not limited: ${NO_SYSTEMD}`;
  return (await scopeLimits(env)) ?? { outside: [], env: {}, inside: [], gap };
}

/** null where no systemd of this user answers. */
async function scopeLimits(env: NodeJS.ProcessEnv): Promise<ImageLimits | null> {
  if (!hasUserSystemd(env)) return null;
  const bus = Object.fromEntries(BUS.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const answers = await works(SCOPE, { ...bus, PATH: env.PATH ?? '' });
  return answers ? { outside: SCOPE, env: bus, inside: [], gap: null } : null;
}

/** Asking the bus for a systemd that does not run would have one started. */
function hasUserSystemd({ XDG_RUNTIME_DIR: runtime }: NodeJS.ProcessEnv): boolean {
  return runtime !== undefined && existsSync(`${runtime}/systemd/private`);
}

function processLimit(): string[] {
  return ['/usr/bin/prlimit', `--nproc=${MOST_PROCESSES}:${MOST_PROCESSES}`, '--core=0', '--'];
}

async function works(
  [command = '', ...args]: readonly string[],
  env: Record<string, string>,
): Promise<boolean> {
  return promisify(execFile)(command, [...args, 'true'], { env, timeout: PROBE_MS }).then(
    () => true,
    () => false,
  );
}
