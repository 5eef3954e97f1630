/** What electron-builder is told beside electron-builder.yml: what depends on the platform, and on what was asked for. */
import { SetupError } from './setup-error.mjs';

/**
 * @typedef {{ platform: string, forTests: boolean, publishing: import('electron-builder').Configuration,
 *   electron: { folder: string, version: string }, files: string[] }} Asked
 *   `files`: what deb and rpm bring beside the app's own folder, each as fpm wants it
 */

/**
 * By platform: electron-builder's switch for it, and what is made unless targets are named.
 * @type {Map<string, { option: 'linux' | 'mac' | 'win', targets: string[] }>}
 */
export const PLATFORMS = new Map([
  ['linux', { option: 'linux', targets: ['deb', 'rpm', 'tar.gz'] }],
  ['darwin', { option: 'mac', targets: ['dmg', 'zip'] }],
  ['win32', { option: 'win', targets: ['nsis', 'zip'] }],
]);

/** The environment variable that names where the app looks for newer versions of itself; without it, it never does. */
export const UPDATES = 'LISP_HARBOR_UPDATES';

/** Of all packers. The first level takes a quarter of the time of the usual one and a tenth more of the room. */
export const QUICKLY = '1';

/**
 * @param {Asked} asked
 * @returns {import('electron-builder').Configuration}
 */
export function configurationOf({ platform, forTests, publishing, electron, files }) {
  const levels = (/** @type {string} */ kind) => (forTests ? [`--${kind}-compression-level`, QUICKLY] : []);
  return {
    electronDist: electron.folder,
    electronVersion: electron.version,
    ...publishing,
    // Elsewhere a signature vouches for the app, which this fuse would get around.
    electronFuses: { runAsNode: platform === 'linux' },
    deb: { fpm: [...levels('deb'), ...files] },
    rpm: { fpm: [...levels('rpm'), ...files.map(forRpm)] },
  };
}

/**
 * Debian's zsh looks for what packages bring in a folder of its own, that of other systems where it looks for everything.
 * @param {string} file
 */
const forRpm = (file) =>
  file.replace('=/usr/share/zsh/vendor-completions/', '=/usr/share/zsh/site-functions/');

/**
 * A folder on a server, with what `release/` has beside the packages. Only TLS tells who it is: what comes over anything else
 * could be anybody's, so that is for tests on this computer.
 * @param {string | undefined} address
 * @returns {import('electron-builder').Configuration}
 */
export function publishingAt(address) {
  if (!address) return { publish: null };
  if (!URL.canParse(address) || !/^(https:|http:\/\/127\.0\.0\.1[:/])/.test(address))
    throw new SetupError(`${UPDATES} is to be an address that begins with https://, and not ${address}.`);
  return { publish: { provider: 'generic', url: address }, generateUpdatesFilesForAllChannels: true };
}
