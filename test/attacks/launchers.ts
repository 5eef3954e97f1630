/**
 * The launchers under attack: the Linux sandboxes, and none (`--unconfined`), which proves that the attacks
 * work.
 */
import { chooseLauncher } from '../../electron/launchers/choose';
import type { Launcher } from '../../electron/launchers/launcher';
import { LANDLOCK, landlockLauncher } from '../landlock-launcher';

export interface Confiner {
  name: 'bubblewrap' | 'Landlock' | 'nothing';
  launcher: () => Promise<Launcher>;
}

export const SANDBOXES: readonly Confiner[] = [
  { name: 'bubblewrap', launcher: bubblewrap },
  { name: 'Landlock', launcher: landlockLauncher },
];

export const NOTHING: Confiner = {
  name: 'nothing',
  launcher: () => chooseLauncher({ unconfined: true, landlock: LANDLOCK }),
};

/** @throws Error with why images cannot be confined by it here */
async function bubblewrap(): Promise<Launcher> {
  const launcher = await chooseLauncher({ unconfined: false, landlock: LANDLOCK });
  if (launcher.sandbox.launcher !== 'bubblewrap') throw new Error(launcher.sandbox.reason);
  return launcher;
}
