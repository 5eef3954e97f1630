/** The npm packages of the lock file: installed when they are not there, completely, as the lock file has them. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from './npm.mjs';
import { cacheFolder } from './places.mjs';
import { during } from './progress.mjs';
import { SetupError } from './setup-error.mjs';

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} Locked */

/** @param {string} root */
export function lockHash(root) {
  return createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
}

/**
 * Installs what the lock file asks for unless it is there already. Costs a hash of the lock file when nothing is to be done.
 * @param {string} root
 */
export async function ensureDependencies(root) {
  if (dependenciesInstalled(root)) return;
  // `npm ci` empties node_modules; should it be stopped half-way, no stamp vouches for what it left.
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
  // Someone may have run npm by hand; what it installed is as good as what we would.
  if (!agrees(readPackages(path.join(root, 'package-lock.json')), readPackages(hiddenLock(root))))
    return false;
  writeStamp(root);
  return true;
}

/**
 * npm keeps its own account of what it installed, and writes it last. Optional packages of other platforms are absent from it.
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
    // Cut off in the middle of a write: counts as nothing installed.
    return {};
  }
}

/**
 * Packages of Node 22's time warn on Node 20, where none of their code runs: Electron brings its own Node.
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
