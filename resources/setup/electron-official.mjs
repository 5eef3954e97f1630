/** Electron's own binary: the `electron` npm package fetches it from its release site on demand, not at install. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { capture } from './child.mjs';
import { emptyScratch } from './places.mjs';
import { during } from './progress.mjs';

/** Milliseconds that the download may take in all, and that it may stand still. */
const limits = { total: 600_000, stalled: 45_000, poll: 1_000 };

/**
 * Where the official binary is, by the package's own rules; undefined where it has not been fetched completely.
 * @param {string} root
 */
export function officialBinary(root) {
  const folder = path.join(root, 'node_modules', 'electron');
  try {
    // `path.txt` is written after the last file is unpacked, so a half-finished download has none.
    const binary = path.join(folder, 'dist', readFileSync(path.join(folder, 'path.txt'), 'utf8').trim());
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Fetches the official binary with the package's own script.
 * @param {string} root
 * @returns {Promise<{ ok: true } | { ok: false, reason: string }>} `reason` is the script's own first line, or the limit it met
 */
export async function fetchOfficial(root) {
  const scratch = emptyScratch(root, 'official');
  try {
    await during('fetching Electron from its release site', (note) => runInstallScript(root, scratch, note));
    return { ok: true };
  } catch (error) {
    if (error instanceof Unreachable) return { ok: false, reason: error.message };
    throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The download failed, for the reason that its message gives. */
class Unreachable extends Error {}

/**
 * The script downloads into the temporary folder: a private one shows how far it is, and whether it moves at all.
 * @param {string} root
 * @param {string} scratch
 * @param {(text: string) => void} note
 */
async function runInstallScript(root, scratch, note) {
  const abort = new AbortController();
  const watching = watch(scratch, abort, note);
  const { output } = await capture(process.execPath, [path.join(root, 'node_modules/electron/install.js')], {
    cwd: root,
    env: { ...process.env, TMPDIR: scratch, TMP: scratch, TEMP: scratch },
    signal: abort.signal,
  });
  clearInterval(watching);
  if (officialBinary(root) === undefined) throw new Unreachable(abort.signal.reason ?? firstLine(output));
}

/**
 * @param {string} folder
 * @param {AbortController} abort
 * @param {(text: string) => void} note
 */
function watch(folder, abort, note) {
  const began = Date.now();
  let size = 0;
  let moved = began;
  return setInterval(() => {
    const now = Date.now();
    const arrived = bytesBelow(folder);
    if (arrived !== size) moved = now;
    size = arrived;
    note(`${Math.round(size / 1_000_000)} MB`);
    if (size === 0 && now - moved > limits.stalled) abort.abort('nothing arrived');
    if (now - began > limits.total) abort.abort('it took too long');
  }, limits.poll);
}

/** @param {string} folder */
function bytesBelow(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const stat = statSync(path.join(folder, entry), { throwIfNoEntry: false });
    if (stat?.isFile()) bytes += stat.size;
  }
  return bytes;
}

/** @param {string} output */
const firstLine = (output) =>
  output
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? 'no reason given';
