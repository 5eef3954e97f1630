/**
 * Chooses how this host starts and limits images: confined if a trial succeeds, otherwise unconfined with a
 * reason.
 */

import { text } from 'node:stream/consumers';
import { asFailure } from '../contract/errors';
import { system } from '../host/system';
import { BubblewrapLauncher, readHostLayout } from './bubblewrap';
import { CONTROLLERS, type Controller } from './control-group';
import { ControlGroups } from './control-groups';
import { type LandlockFiles, LandlockLauncher, prepareLandlock } from './landlock';
import type { LaunchEnd, Launcher } from './launcher';
import { LocalLauncher } from './local';
import { machineMemory } from './machine-memory';
import { NetworkStack, sharedNetworkGap } from './network-stack';
import { type ImageLimits, type ImageMaximum, systemdScope } from './process-limits';
import { SandboxExecLauncher } from './sandbox-exec';

export interface LauncherChoice {
  /** The user requested no sandbox (`--unconfined`). */
  unconfined: boolean;
  /** Used if bubblewrap does not work. */
  landlock: LandlockFiles;
  /** The first trial, if it was started earlier. */
  tried?: Promise<TriedSandbox | null>;
}

/** A sandbox and the result of its trial. */
export interface TriedSandbox {
  launcher: Launcher;
  trial: Probe;
}

/** Returns this system's sandbox if its trial passes; otherwise a local launcher whose report says why. */
export async function chooseLauncher({ unconfined, landlock, tried }: LauncherChoice): Promise<Launcher> {
  const first = await (tried ?? trySandbox(unconfined));
  if (first?.trial.ok) return first.launcher;
  if (unconfined) return notSandboxed('started with --unconfined');
  if (!first) return notSandboxed('images are confined on Linux and macOS only');
  const { trial, launcher } = await retryWithVerifiedLimits(first);
  if (trial.ok) return launcher;
  return system.sandbox === 'bubblewrap'
    ? landlockInstead(landlock, trial.reason)
    : notSandboxed(trial.reason);
}

/**
 * Tries this system's sandbox with all options used for images; null if there is none, or none is wanted.
 * Starts the trial program before awaiting anything, so that it runs while the rest of the app loads. Never
 * rejects.
 */
export async function trySandbox(unconfined: boolean): Promise<TriedSandbox | null> {
  if (unconfined) return null;
  if (system.sandbox === 'bubblewrap') return tryBubblewrap(true);
  const launcher = system.sandbox === 'sandbox-exec' ? new SandboxExecLauncher() : null;
  return launcher && { launcher, trial: await probe(launcher).catch(asTrial) };
}

/** Tries images with a network of their own first. If that fails, they share the network of this computer. */
async function tryBubblewrap(untried: boolean): Promise<TriedSandbox> {
  const host = readHostLayout();
  const limits = await imageLimits({ untried });
  const stack = NetworkStack.find(process.env.PATH ?? '');
  let gap: string | undefined;
  if (stack) {
    const launcher = new BubblewrapLauncher(host, limits, stack);
    const failure = await failedTrial(launcher, true).catch(asFailure);
    if (failure === null) return { launcher, trial: { ok: true } };
    gap = sharedNetworkGap(`pasta would separate them, but does not work here: ${failure.message}`);
  }
  const launcher = new BubblewrapLauncher(host, limits, null, gap);
  return { launcher, trial: await probe(launcher).catch(asTrial) };
}

function asTrial(error: unknown): Probe {
  return { ok: false, reason: asFailure(error).message };
}

/** Repeats the trial with verified limits, in case only the limits failed. */
async function retryWithVerifiedLimits(failed: TriedSandbox): Promise<TriedSandbox> {
  return system.sandbox === 'bubblewrap' ? tryBubblewrap(false) : failed;
}

async function notSandboxed(reason: string): Promise<Launcher> {
  return new LocalLauncher(reason, await imageLimits({ shareHost: true }));
}

/**
 * Returns a Landlock launcher if it works; otherwise a local launcher whose report names both problems.
 * @param reason why bubblewrap does not work, and what to do
 */
export async function landlockInstead(
  files: LandlockFiles,
  reason: string,
  searchPath = process.env.PATH ?? '',
): Promise<Launcher> {
  const prepared = await prepareLandlock(files, searchPath);
  if (!prepared.ok) return notSandboxed(`${reason}; ${prepared.reason}`);
  const limits = await imageLimits({ shareHost: true });
  const launcher = new LandlockLauncher({ ...prepared, host: readHostLayout(), limits, searchPath, reason });
  const tried = await probe(launcher);
  return tried.ok ? launcher : notSandboxed(`${reason}; ${tried.reason}`);
}

/** The result of trying a sandbox. */
export type Probe = { ok: true } | { ok: false; reason: string };

/**
 * Tries a sandbox once, with all options used for images. `reason` is one or two sentences for the user: the
 * sandbox's own message and the remedy.
 */
export async function probe(launcher: Launcher): Promise<Probe> {
  const failure = await failedTrial(launcher, false);
  if (failure === null) return { ok: true };
  const { launcher: name } = launcher.sandbox;
  const { end, message } = failure;
  const reason = name === 'bubblewrap' ? refusal(end, message) : `${name} does not work here (${message})`;
  return { ok: false, reason };
}

/** Returns null if a program runs in the sandbox. */
async function failedTrial(launcher: Launcher, network: boolean) {
  const launched = launcher.launch(
    { command: '/usr/bin/env', args: ['true'], env: { PATH: '/usr/bin:/bin' }, cwd: '/', needs: [] },
    { writable: [], readable: [], network },
  );
  const output = text(launched.stderr);
  const end = await launched.ended;
  if (end.code === 0) return null;
  return { end, message: messageOf(end, (await output).trim()) };
}

function messageOf({ error, signal, code }: LaunchEnd, output: string): string {
  return output || error || `it ended with ${signal ?? `code ${code ?? '(unknown)'}`}`;
}

/** Returns the message for a failed trial of bubblewrap. */
export function refusal(end: LaunchEnd, output: string): string {
  if (end.error?.includes('ENOENT')) {
    return 'bubblewrap is not installed; on Debian and Ubuntu: apt install bubblewrap';
  }
  const message = messageOf(end, output);
  return `bubblewrap does not work here (${message})${remedy(message)}`;
}

function remedy(message: string): string {
  if (/unknown option/i.test(message)) return '; version 0.8 or later is needed';
  if (/uid map|RTM_NEWADDR|new namespace|Operation not permitted|Permission denied/i.test(message)) {
    return (
      '; where Ubuntu restricts user namespaces: apt install apparmor-profiles, copy' +
      ' /usr/share/apparmor/extra-profiles/bwrap-userns-restrict into /etc/apparmor.d and load it with' +
      ' apparmor_parser -r'
    );
  }
  return '';
}

/** Includes threads: a JVM has about forty, and ACL2 certifying books a few per core. */
const MOST_TASKS = 1024;

/** Share of the machine's memory for one image. Its heap is limited separately. */
const MEMORY_SHARE = 0.75;

export interface LimitOptions {
  most?: ImageMaximum;
  uid?: number | undefined;
  env?: NodeJS.ProcessEnv;
  /**
   * Whether images share the host's process table, so that a process limit would count all processes of the
   * user.
   */
  shareHost?: boolean;
  /**
   * Whether control groups are only created; whether they can be entered is found out when the first image
   * starts.
   */
  untried?: boolean;
}

/**
 * Finds the strongest limits of this host: a systemd scope, else our own control groups, else a process limit
 * (setrlimit(2)), which does not apply to root.
 */
export async function imageLimits(options: LimitOptions = {}): Promise<ImageLimits> {
  const { uid = process.getuid?.(), env = process.env, shareHost = false, untried = false } = options;
  const most = options.most ?? {
    tasks: MOST_TASKS,
    memoryBytes: Math.floor(machineMemory().totalBytes * MEMORY_SHARE),
  };
  const scope = await systemdScope(most, uid, env);
  if (scope) return scope;
  const groups = untried ? ControlGroups.made(most) : await ControlGroups.find(most);
  return limitsByGroups(groups, most, uid, shareHost);
}

/** Combines control groups with a process limit for what they do not cover. */
export function limitsByGroups(
  groups: Pick<ControlGroups, 'missing' | 'make' | 'prepareNext'>,
  { tasks }: ImageMaximum,
  uid: number | undefined,
  shareHost = false,
): ImageLimits {
  const { missing } = groups;
  const byProcess = missing.includes('pids') && uid !== 0 && !shareHost;
  const inside = byProcess ? ['/usr/bin/prlimit', `--nproc=${tasks}:${tasks}`, '--core=0', '--'] : [];
  const gap = gapOf(byProcess ? missing.filter((each) => each !== 'pids') : missing, uid === 0);
  const endsPrograms = missing.length < CONTROLLERS.length;
  const expectImage = () => groups.prepareNext();
  return { gap, endsPrograms, expectImage, forImage: () => ({ ...groups.make(), inside }) };
}

function gapOf(missing: readonly Controller[], isRoot: boolean): string | null {
  if (missing.length === 0) return null;
  const names = missing.map((each) => (each === 'pids' ? 'processes' : 'memory beyond the heap'));
  const root =
    isRoot && missing.includes('pids')
      ? 'Lisp Harbor runs as root, to whom process limits do not apply, '
      : '';
  return `not limited: ${names.join(', and ')}; ${root}systemd is not available to set limits, and control groups cannot be created here`;
}
