/** Chooses how this host starts images: confined when it can, else openly unconfined. */
import { asFailure } from '../contract/errors';
import { BubblewrapLauncher } from './bubblewrap';
import { readHostLayout } from './host-layout';
import { imageLimits } from './image-limits';
import { LandlockLauncher } from './landlock';
import type { Launcher } from './launcher';
import { LocalLauncher } from './local';
import { type LandlockFiles, prepareLandlock } from './prepare-landlock';
import { type Probe, probe } from './probe';
import { SandboxExecLauncher } from './sandbox-exec';

export interface LauncherChoice {
  /** A person asked for no sandbox (`--unconfined`). */
  unconfined: boolean;
  /** For where bubblewrap does not work. */
  landlock: LandlockFiles;
  /** The first trial, where it was begun before. */
  tried?: Promise<TriedSandbox | null>;
}

/** A sandbox, and how its trial went. */
export interface TriedSandbox {
  launcher: Launcher;
  trial: Probe;
}

/** The sandbox of this system when a trial of it passes; otherwise a local launcher whose report says why. */
export async function chooseLauncher({ unconfined, landlock, tried }: LauncherChoice): Promise<Launcher> {
  const first = await (tried ?? trySandbox(unconfined));
  if (first?.trial.ok) return first.launcher;
  if (unconfined) return notSandboxed('started with --unconfined');
  if (!first) return notSandboxed('images are confined on Linux and macOS only');
  const { trial, launcher } = await again(first);
  if (trial.ok) return launcher;
  return process.platform === 'linux' ? landlockInstead(landlock, trial.reason) : notSandboxed(trial.reason);
}

/**
 * Tries the sandbox of this system with all that an image is started with; null where there is none, or none is wanted. The
 * program that tries it is started before anything is waited for, so a start has it run while the rest is loaded. Never
 * rejects.
 */
export async function trySandbox(unconfined: boolean): Promise<TriedSandbox | null> {
  const launcher = unconfined ? null : await sandboxOf(process.platform, true);
  return launcher && { launcher, trial: await probe(launcher).catch(asTrial) };
}

function asTrial(error: unknown): Probe {
  return { ok: false, reason: asFailure(error).message };
}

/** Perhaps only what limits images did not let them in: that is tried by itself now. */
async function again(failed: TriedSandbox): Promise<TriedSandbox> {
  const launcher = process.platform === 'linux' ? await sandboxOf('linux', false) : null;
  return launcher ? { launcher, trial: await probe(launcher) } : failed;
}

async function notSandboxed(reason: string): Promise<Launcher> {
  return new LocalLauncher(reason, await imageLimits({ shareHost: true }));
}

/** @param untried as in `LimitOptions` */
async function sandboxOf(platform: NodeJS.Platform, untried: boolean): Promise<Launcher | null> {
  if (platform === 'linux') return new BubblewrapLauncher(readHostLayout(), await imageLimits({ untried }));
  return platform === 'darwin' ? new SandboxExecLauncher() : null;
}

/**
 * The weaker sandbox, where it works; otherwise a local launcher which says what is wrong with both.
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
