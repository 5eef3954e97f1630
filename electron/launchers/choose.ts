/** Chooses how this host starts images: confined when it can, else openly unconfined. */
import { BubblewrapLauncher } from './bubblewrap';
import { readHostLayout } from './host-layout';
import { imageLimits } from './image-limits';
import { LandlockLauncher } from './landlock';
import type { Launcher } from './launcher';
import { LocalLauncher } from './local';
import { type LandlockFiles, prepareLandlock } from './prepare-landlock';
import { probe } from './probe';
import { SandboxExecLauncher } from './sandbox-exec';

export interface LauncherChoice {
  /** A person asked for no sandbox (`--unconfined`). */
  unconfined: boolean;
  /** For where bubblewrap does not work. */
  landlock: LandlockFiles;
}

/** The sandbox of this system when a trial of it passes; otherwise a local launcher whose report says why. */
export async function chooseLauncher({ unconfined, landlock }: LauncherChoice): Promise<Launcher> {
  if (unconfined) return notSandboxed('started with --unconfined');
  const launcher = await sandboxOf(process.platform);
  if (!launcher) return notSandboxed('images are confined on Linux and macOS only');
  const tried = await probe(launcher);
  if (tried.ok) return launcher;
  return process.platform === 'linux' ? landlockInstead(landlock, tried.reason) : notSandboxed(tried.reason);
}

async function notSandboxed(reason: string): Promise<Launcher> {
  return new LocalLauncher(reason, await imageLimits({ shareHost: true }));
}

async function sandboxOf(platform: NodeJS.Platform): Promise<Launcher | null> {
  if (platform === 'linux') return new BubblewrapLauncher(await readHostLayout(), await imageLimits());
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
  const [host, limits] = await Promise.all([readHostLayout(), imageLimits({ shareHost: true })]);
  const launcher = new LandlockLauncher({ ...prepared, host, limits, searchPath, reason });
  const tried = await probe(launcher);
  return tried.ok ? launcher : notSandboxed(`${reason}; ${tried.reason}`);
}
