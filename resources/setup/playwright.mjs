/** Runs Playwright on the real app; on Linux on a display and a session bus of its own. */
import { handOver } from './child.mjs';

/**
 * @typedef {{ args?: string[], display?: number }} Share further arguments for Playwright; the number from which on a free
 *   display is looked for: two runs that look at the same time from the same number find the same one
 */

const linux = process.platform === 'linux';

/** How many runs there may be at once: where all windows are on one screen, each takes the focus from the others. */
export const displays = linux ? 2 : 1;

/** What has to be on the path. */
export const displayPrograms = linux ? ['Xvfb', 'xvfb-run', 'xauth', 'dbus-run-session'] : [];

/**
 * @param {string} config Playwright's configuration, below the working directory
 * @param {import('./child.mjs').Options & { limit?: number }} options `env` names the Electron binary in ELECTRON_BIN
 * @param {Share} [share]
 * @returns {Promise<number>} the exit code
 */
export function runPlaywright(config, options, { args = [], display = 99 } = {}) {
  const playwright = [process.execPath, 'node_modules/@playwright/test/cli.js', 'test', `--config=${config}`];
  const screen = ['xvfb-run', '-a', '-n', String(display), '-s', '-screen 0 1600x1000x24'];
  const command = linux ? [...screen, 'dbus-run-session', '--', ...playwright] : playwright;
  const [program = '', ...rest] = [...command, ...args];
  return handOver(program, rest, options);
}
