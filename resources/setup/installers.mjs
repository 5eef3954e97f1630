/**
 * Configuration of electron-builder that depends on the platform and on the requested build, in addition to
 * electron-builder.yml.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SetupError } from './console.mjs';
import { libraries } from './system-packages.mjs';

/**
 * @typedef {{ platform: string, forTests: boolean, publishing: import('electron-builder').Configuration,
 *   electron: { folder: string, version: string }, files: string[], publisher: Publisher }} Build `files`:
 *   files of deb and rpm packages outside the app's folder, as fpm expects them
 */

/**
 * The publisher of the app: resources/packaging/publisher.json, the only file with these facts.
 * @typedef {{ name: string, email: string, homepage: string, issues: string, copyright: string }} Publisher
 */

/**
 * @param {string} root
 * @returns {Publisher}
 */
export const readPublisher = (root) =>
  JSON.parse(readFileSync(path.join(root, 'resources/packaging/publisher.json'), 'utf8'));

/**
 * Returns the facts that are still placeholders: their addresses are in the domain that never exists.
 * @param {Publisher} publisher
 */
export const placeholders = (publisher) =>
  Object.entries(publisher).flatMap(([fact, value]) => (value.includes('.invalid') ? [fact] : []));

/** Options of fpm that electron-builder has no settings for. */
const SCRIPTS = ['--before-remove', 'resources/packaging/before-remove.sh'];

/** Packages that the app uses if they are there; without libGL the processor draws the window. */
const RECOMMENDED = [
  'bubblewrap',
  'sbcl',
  'passt',
  'xdg-utils',
  { deb: 'libgl1', rpm: 'libGL.so.1()(64bit)' },
];

/**
 * @param {'deb' | 'rpm'} kind
 * @returns {string[]}
 */
const recommended = (kind) => RECOMMENDED.map((each) => (typeof each === 'string' ? each : each[kind]));

/**
 * By platform: electron-builder's name for it, and the default targets.
 * @type {Map<string, { option: 'linux' | 'mac' | 'win', targets: string[] }>}
 */
export const PLATFORMS = new Map([
  ['linux', { option: 'linux', targets: ['deb', 'rpm', 'tar.gz'] }],
  ['darwin', { option: 'mac', targets: ['dmg', 'zip'] }],
  ['win32', { option: 'win', targets: ['nsis', 'zip'] }],
]);

/** Environment variable with the update address. Without it the app never checks for updates. */
export const UPDATES = 'LISP_HARBOR_UPDATES';

/** Compression level of all packers. It takes a quarter of the default time for a tenth more space. */
export const QUICKLY = '1';

/**
 * @param {Build} build
 * @returns {import('electron-builder').Configuration}
 */
export function configurationOf({ platform, forTests, publishing, electron, files, publisher }) {
  const levels = (/** @type {string} */ kind) => (forTests ? [`--${kind}-compression-level`, QUICKLY] : []);
  return {
    electronDist: electron.folder,
    electronVersion: electron.version,
    ...publishing,
    // On other systems the app is signed, and this fuse would bypass the signature.
    electronFuses: { runAsNode: platform === 'linux' },
    extraMetadata: { homepage: publisher.homepage, author: publisher.name },
    copyright: publisher.copyright,
    linux: { maintainer: `${publisher.name} <${publisher.email}>` },
    deb: {
      depends: [...new Set(libraries.map(({ packages }) => packages.join(' | ')))],
      recommends: recommended('deb'),
      fpm: [...levels('deb'), ...SCRIPTS, ...files],
    },
    rpm: {
      // Distributions name the packages of a library differently, and all provide its soname.
      depends: libraries.map(({ brings }) => `${brings}()(64bit)`),
      fpm: [
        ...levels('rpm'),
        ...SCRIPTS,
        ...recommended('rpm').flatMap((name) => ['--rpm-tag', `Recommends: ${name}`]),
        ...files.map(forRpm),
      ],
    },
  };
}

/**
 * Converts a path for rpm: only Debian's zsh reads completions of packages from a folder of its own.
 * @param {string} file
 */
const forRpm = (file) =>
  file.replace('=/usr/share/zsh/vendor-completions/', '=/usr/share/zsh/site-functions/');

/**
 * Returns the update configuration: a folder on a server with the content of `release/`. Requires TLS, which
 * authenticates the server, except for tests on this computer.
 * @param {string | undefined} address
 * @returns {import('electron-builder').Configuration}
 */
export function publishingAt(address) {
  if (!address) return { publish: null };
  if (!URL.canParse(address) || !/^(https:|http:\/\/127\.0\.0\.1[:/])/.test(address))
    throw new SetupError(`${UPDATES} must be an address that starts with https://, not ${address}.`);
  return { publish: { provider: 'generic', url: address }, generateUpdatesFilesForAllChannels: true };
}
