/** The bundles in out/: built when a source is newer than what was last built. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { npm } from './npm.mjs';
import { during } from './progress.mjs';
import { SetupError } from './setup-error.mjs';

const sources = [
  'electron',
  'renderer',
  'resources/icons',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** One of each part of the build, in the order in which they are written: a build that was stopped lacks the last. */
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
 * Whether every result is newer than every source. A folder's own time counts too: it changes when a file goes.
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
