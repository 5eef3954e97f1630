/** The sandboxes of Linux, each with what it is said not to hold. */
import { chooseLauncher } from '../../electron/launchers/choose';
import type { Launcher } from '../../electron/launchers/launcher';
import { LANDLOCK, landlockLauncher } from '../landlock-launcher';

export interface Sandbox {
  name: string;
  launcher: () => Promise<Launcher>;
  /** Attempts that succeed, by their names, as its `gaps` tell. */
  open: readonly string[];
}

export const SANDBOXES: readonly Sandbox[] = [
  { name: 'bubblewrap', launcher: bubblewrap, open: [] },
  {
    name: 'Landlock',
    launcher: landlockLauncher,
    open: [
      'see processes outside',
      'change permissions outside',
      // Names are seen, whatever asks for them.
      'find where a link leads',
      'see the home folder',
    ],
  },
];

/** @throws Error with why images are not confined by it here */
async function bubblewrap(): Promise<Launcher> {
  const launcher = await chooseLauncher({ unconfined: false, landlock: LANDLOCK });
  if (launcher.sandbox.launcher !== 'bubblewrap') throw new Error(launcher.sandbox.reason);
  return launcher;
}
