/** Runs Playwright on the real app. */
import { handOver } from './child.mjs';

/** What has to be on the path: on Linux each worker of the tests has a screen and a session bus of its own. */
export const displayPrograms =
  process.platform === 'linux' ? ['Xvfb', 'xvfb-run', 'xauth', 'dbus-run-session'] : [];

/**
 * @param {string} config Playwright's configuration, below the working directory
 * @param {import('./child.mjs').HandedOver} options `env` names the Electron binary in ELECTRON_BIN
 * @param {string[]} [args] further arguments for Playwright
 * @returns {Promise<number>} the exit code
 */
export function runPlaywright(config, options, args = []) {
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', `--config=${config}`];
  return handOver(process.execPath, [...playwright, ...args], options);
}
