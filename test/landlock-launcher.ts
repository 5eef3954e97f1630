/** Landlock in tests: what confines by it, and a launcher as the harbor makes it where bubblewrap does not work. */
import path from 'node:path';
import { landlockInstead } from '../electron/launchers/choose';
import type { LandlockFiles } from '../electron/launchers/landlock';
import type { Launcher } from '../electron/launchers/launcher';
import { CORES } from './shared-cores';
import { ROOT } from './started-harbor';

export const LANDLOCK: LandlockFiles = {
  source: path.join(ROOT, 'resources/sandbox/landlock.lisp'),
  folder: CORES,
};

/** @throws Error with why images cannot be confined by Landlock here */
export async function landlockLauncher(): Promise<Launcher> {
  const launcher = await landlockInstead(LANDLOCK, 'bubblewrap is not tried in this test');
  if (launcher.sandbox.launcher !== 'landlock') throw new Error(launcher.sandbox.reason);
  return launcher;
}
