/** Chooses how this host starts images: confined when it can, else openly unconfined. */
import { BubblewrapLauncher } from './bubblewrap';
import { readHostLayout } from './host-layout';
import { imageLimits } from './image-limits';
import type { Launcher } from './launcher';
import { LocalLauncher } from './local';
import { probe } from './probe';
import { SandboxExecLauncher } from './sandbox-exec';

export interface LauncherChoice {
  /** A person asked for no sandbox (`--unconfined`). */
  unconfined: boolean;
}

/** The sandbox of this system when a trial of it passes; otherwise a local launcher whose report says why. */
export async function chooseLauncher({ unconfined }: LauncherChoice): Promise<Launcher> {
  if (unconfined) return new LocalLauncher('started with --unconfined');
  const launcher = await sandboxOf(process.platform);
  if (!launcher) return new LocalLauncher('images are confined on Linux and macOS only');
  const tried = await probe(launcher);
  return tried.ok ? launcher : new LocalLauncher(tried.reason);
}

async function sandboxOf(platform: NodeJS.Platform): Promise<Launcher | null> {
  if (platform === 'linux') return new BubblewrapLauncher(await readHostLayout(), await imageLimits());
  return platform === 'darwin' ? new SandboxExecLauncher() : null;
}
