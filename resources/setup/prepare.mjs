/** Installs the npm packages of the lock file and builds the bundles, if they are missing or outdated. */
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder, remember } from './checkout.mjs';
import { npm } from './child-process.mjs';
import { during, SetupError } from './console.mjs';

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} Locked */

/** @param {string} root */
export function lockHash(root) {
  return createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
}

/**
 * Which packages: `app` are those that building and running need; `all` are also those of tests, lint and
 * installers, which test/package.json lists.
 * @typedef {'app' | 'all'} Packages
 */

/**
 * Installs packages of the lock file unless they are installed. Costs only a hash of the lock file in that
 * case.
 * @param {string} root
 * @param {Packages} packages
 */
export async function ensureDependencies(root, packages) {
  if (dependenciesInstalled(root, packages)) return;
  requireWritable(root);
  const grows = dependenciesInstalled(root, 'app');
  // Without the stamp, an aborted run counts as not installed.
  rmSync(stampFile(root), { force: true });
  const label = packages === 'app' ? 'installing the npm packages of the app' : 'installing all npm packages';
  await during(label, () => install(root, packages, grows));
  writeStamp(root, packages);
}

/**
 * @param {string} root
 * @param {Packages} packages
 * @param {boolean} grows keeps what is installed: `npm ci` would also remove the downloads in cacheFolder
 */
async function install(root, packages, grows) {
  const command = grows ? ['install', '--no-save'] : ['ci'];
  const part = packages === 'app' ? ['--workspaces=false'] : [];
  const { code, output } = await npm([...command, ...part, '--include=dev', '--no-audit', '--no-fund'], root);
  if (code === 0) return;
  throw new SetupError(
    `"npm ${command[0]}" failed (exit ${code}). Is the npm registry reachable? Once it is, run the same command again.\n${withoutNoise(output)}`,
    1,
  );
}

/**
 * @param {string} root
 * @param {Packages} packages
 */
export function dependenciesInstalled(root, packages) {
  if (!existsSync(hiddenLock(root))) return false;
  const stamp = readStamp(root);
  if (stamp === stampOf(root, 'all') || stamp === stampOf(root, packages)) return true;
  // The packages may have been installed with npm directly.
  if (!agrees(readPackages(path.join(root, 'package-lock.json')), readPackages(hiddenLock(root))))
    return false;
  writeStamp(root, 'all');
  return true;
}

/**
 * Compares the lock file with npm's record of installed packages, which npm writes last. Optional packages of
 * other platforms are not in it.
 * @param {Record<string, Locked>} wanted
 * @param {Record<string, Locked>} installed
 */
function agrees(wanted, installed) {
  return Object.entries(wanted).every(([place, locked]) => {
    const found = installed[place];
    if (place === '') return true;
    if (found === undefined) return locked.optional === true || locked.devOptional === true;
    return found.version === locked.version && found.integrity === locked.integrity;
  });
}

/**
 * @param {string} file
 * @returns {Record<string, Locked>}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    // An incomplete file counts as nothing installed.
    return {};
  }
}

/**
 * Removes engine warnings: packages for Node 22 warn on Node 20, but they run in Electron's Node.
 * @param {string} output
 */
function withoutNoise(output) {
  return output
    .split('\n')
    .filter((line) => !/^npm warn (EBADENGINE|deprecated|Unknown)/.test(line))
    .join('\n')
    .trim();
}

/** @param {string} root */
const hiddenLock = (root) => path.join(root, 'node_modules', '.package-lock.json');

/** @param {string} root */
const stampFile = (root) => path.join(cacheFolder(root), 'installed');

/** @param {string} root */
function readStamp(root) {
  return existsSync(stampFile(root)) ? readFileSync(stampFile(root), 'utf8') : undefined;
}

/**
 * @param {string} root
 * @param {Packages} packages
 */
const stampOf = (root, packages) => `${lockHash(root)} ${packages}`;

/**
 * @param {string} root
 * @param {Packages} packages
 */
function writeStamp(root, packages) {
  remember(stampFile(root), stampOf(root, packages));
}

const sources = [
  'electron',
  'renderer',
  'resources/icons',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/**
 * One file of each part of the build, in the order in which they are written. An aborted build lacks the last
 * ones.
 */
const results = [
  'out/electron/main.js',
  'out/electron/serve.js',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
];

/** @param {string} root */
export async function ensureBuild(root) {
  if (buildIsFresh(root)) return;
  requireWritable(root);
  await during('building', () => build(root));
}

/**
 * A clone that somebody else installed and built can be used by anybody; changing it takes its owner.
 * @param {string} root
 */
function requireWritable(root) {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    throw new SetupError(
      `${root} cannot be written, and its packages or its build are missing or outdated. Run "npm start" as ` +
        'its owner once, or use a clone of your own.',
    );
  }
}

/** @param {string} root */
async function build(root) {
  const { code, output } = await npm(['run', 'build'], root);
  if (code !== 0) throw new SetupError(`"npm run build" failed (exit ${code}).\n${output.trim()}`, 1);
}

/**
 * Reports whether every result is newer than every source. The time of a folder counts too, because it
 * changes when a file is removed.
 * @param {string} root
 */
export function buildIsFresh(root) {
  const built = Math.min(...results.map((file) => changedAt(path.join(root, file)) ?? 0));
  return built > 0 && built >= Math.max(...sources.map((source) => newestBelow(path.join(root, source))));
}

/**
 * @param {string} place file or folder
 * @returns {number} milliseconds since 1970
 */
function newestBelow(place) {
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(place).map((name) => newestBelow(path.join(place, name))));
}

/** @param {string} file */
const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
