/** Installs the npm packages of the lock file and builds the bundles, if they are missing or outdated. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './checkout.mjs';
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
 * Installs the packages of the lock file unless they are installed. Costs only a hash of the lock file in
 * that case.
 * @param {string} root
 */
export async function ensureDependencies(root) {
  if (dependenciesInstalled(root)) return;
  // `npm ci` empties node_modules. Without the stamp, an aborted run counts as not installed.
  rmSync(stampFile(root), { force: true });
  await during('installing the npm packages of package-lock.json', () => install(root));
  writeStamp(root);
}

/** @param {string} root */
async function install(root) {
  const { code, output } = await npm(['ci', '--include=dev', '--no-audit', '--no-fund'], root);
  if (code === 0) return;
  throw new SetupError(
    `"npm ci" failed (exit ${code}). Is the npm registry reachable? Once it is, run the same command again.\n${withoutNoise(output)}`,
    1,
  );
}

/** @param {string} root */
export function dependenciesInstalled(root) {
  if (!existsSync(hiddenLock(root))) return false;
  if (readStamp(root) === lockHash(root)) return true;
  // The packages may have been installed with npm directly.
  if (!agrees(readPackages(path.join(root, 'package-lock.json')), readPackages(hiddenLock(root))))
    return false;
  writeStamp(root);
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

/** @param {string} root */
function writeStamp(root) {
  mkdirSync(cacheFolder(root), { recursive: true });
  writeFileSync(stampFile(root), lockHash(root));
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
  await during('building', () => build(root));
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
