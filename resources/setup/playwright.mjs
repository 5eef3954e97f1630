/** Runs Playwright on the real app; on Linux on a display and a session bus of its own. */
import { handOver } from './child.mjs';

const linux = process.platform === 'linux';

/** What has to be on the path. */
export const displayPrograms = linux ? ['Xvfb', 'xvfb-run', 'xauth', 'dbus-run-session'] : [];

/**
 * @param {string} config Playwright's configuration, below the working directory
 * @param {import('./child.mjs').Options & { limit?: number }} options `env` names the Electron binary in ELECTRON_BIN
 * @returns {Promise<number>} the exit code
 */
export function runPlaywright(config, options) {
  const playwright = [process.execPath, 'node_modules/@playwright/test/cli.js', 'test', `--config=${config}`];
  const display = ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24', 'dbus-run-session', '--'];
  const [command = '', ...args] = linux ? [...display, ...playwright] : playwright;
  return handOver(command, args, options);
}
