/** Whether an Electron binary can be loaded on this machine, and if not, which shared libraries it lacks. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { capture } from './child.mjs';
import { cacheFolder } from './places.mjs';

/** @typedef {{ ok: true } | { ok: false, libraries: string[], reason: string }} Check */

/**
 * Runs the binary once, as Node: the loader then needs everything that it needs for a window, and no display. A success is
 * remembered for as long as the binary stays the same.
 * @param {string} root
 * @param {string} binary
 * @returns {Promise<Check>}
 */
export async function electronRuns(root, binary) {
  const identity = identify(binary);
  const note = path.join(cacheFolder(root), 'electron-runs');
  if (identity !== undefined && existsSync(note) && readFileSync(note, 'utf8') === identity)
    return { ok: true };
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const { code, output } = await capture(binary, ['-e', '0'], { env });
  if (code !== 0) return { ok: false, libraries: await missingLibraries(binary), reason: output.trim() };
  mkdirSync(cacheFolder(root), { recursive: true });
  if (identity !== undefined) writeFileSync(note, identity);
  return { ok: true };
}

/** @param {string} binary */
function identify(binary) {
  const stat = statSync(binary, { throwIfNoEntry: false });
  return stat && `${binary} ${stat.size} ${stat.mtimeMs}`;
}

/**
 * @param {string} binary
 * @returns {Promise<string[]>} sonames such as `libgtk-3.so.0`; empty where the system has no `ldd`
 */
async function missingLibraries(binary) {
  if (process.platform !== 'linux') return [];
  return librariesNotFound((await capture('ldd', [binary])).output);
}

/**
 * @param {string} output what `ldd` prints
 * @returns {string[]}
 */
export function librariesNotFound(output) {
  return [...output.matchAll(/^\s*(\S+) => not found/gm)].flatMap(([, library]) => library ?? []);
}
