/** Chooses how this host starts images: confined when it can, else openly unconfined. */
import { BubblewrapLauncher } from './bubblewrap';
import { readHostLayout } from './host-layout';
import { imageLimits } from './image-limits';
import type { Launcher } from './launcher';
import { LocalLauncher } from './local';
import { probe } from './probe';

export interface LauncherChoice {
  /** A person asked for no sandbox (`--unconfined`). */
  unconfined: boolean;
}

/** Bubblewrap on Linux when a trial of it passes; otherwise a local launcher whose report says why. */
export async function chooseLauncher({ unconfined }: LauncherChoice): Promise<Launcher> {
  if (unconfined) return new LocalLauncher('started with --unconfined');
  if (process.platform !== 'linux')
    return new LocalLauncher('bubblewrap, which confines images, needs Linux');
  const launcher = new BubblewrapLauncher(await readHostLayout(), await imageLimits());
  const tried = await probe(launcher);
  return tried.ok ? launcher : new LocalLauncher(tried.reason);
}
