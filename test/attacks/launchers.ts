/**
 * The launchers under attack: the Linux sandboxes, and none (`--unconfined`), which proves that the attacks
 * work.
 */
import path from 'node:path';
import { chooseLauncher } from '../../electron/launchers/choose';
import type { Launcher } from '../../electron/launchers/launcher';
import { LANDLOCK, landlockLauncher } from '../landlock-launcher';
import { ROOT } from '../started-harbor';

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

/** Runs in a user namespace that allows no nested one, so that the app falls back to Landlock. */
const WITHOUT_NAMESPACES = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';

/** The command of `serve` where bubblewrap does not work. */
export const LANDLOCK_SERVE: readonly [string, ...string[]] = [
  'unshare',
  ...['--user', '--map-root-user', 'sh', '-c', WITHOUT_NAMESPACES, 'sh'],
  ...[process.execPath, path.join(ROOT, 'out/electron/serve.js')],
];
