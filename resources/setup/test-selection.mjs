/** Which test files there are, and which of them a developer asked for. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { changedFiles } from './changed-files.mjs';
import { reached } from './imports.mjs';
import { say } from './progress.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * @typedef {import('./test-arguments.mjs').Asked} Asked
 * @typedef {{ name: string, tests?: RegExp }} Kind a step; `tests` matches its test files, and a check that has none has no files
 * @typedef {{ files: string[], everything: boolean }} Selection test files as paths below the repository's root, with slashes;
 *   whether nothing was left out
 */

/**
 * @param {string} root of the repository
 * @param {Asked} asked
 * @param {Kind[]} kinds those from which to choose
 * @returns {Promise<Selection>}
 * @throws {SetupError} where a pattern matches nothing, or git does not know the revision
 */
export async function selectTests(root, { patterns, changed }, kinds) {
  const all = testFiles(root).filter((file) => kinds.some(({ tests }) => tests?.test(file)));
  if (patterns === undefined && changed === undefined) return { files: all, everything: true };
  const matching = matched(all, patterns ?? ['']);
  if (changed === undefined) return { files: matching, everything: false };
  return { files: await touched(root, changed, matching), everything: false };
}

/** Where tests are; those of the window's own code are beside it. */
const FOLDERS = ['test', 'renderer'];

/**
 * Every file of the folders in which tests are.
 * @param {string} root
 */
export function testFiles(root) {
  return FOLDERS.map((folder) => path.join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

/**
 * The files whose path contains one of the patterns.
 * @param {string[]} files
 * @param {string[]} patterns
 */
export function matched(files, patterns) {
  const idle = patterns.find((pattern) => !files.some((file) => file.includes(pattern)));
  if (idle !== undefined) throw new SetupError(`${idle}: no test file has this in its path.`);
  return files.filter((file) => patterns.some((pattern) => file.includes(pattern)));
}

/**
 * The test files that changed, or that import a file that did. What a test reaches in another way, such as the built harbor or
 * the Lisp side, is said instead: only all tests tell about it.
 * @param {string} root
 * @param {string} revision
 * @param {string[]} tests
 */
async function touched(root, revision, tests) {
  const changed = await changedFiles(root, revision);
  const reaches = new Map(tests.map((test) => [test, reached(root, test)]));
  const unseen = changed.filter((file) => ![...reaches.values()].some((files) => files.has(file)));
  if (unseen.length > 0) say(`changed, and imported by none of the tests: ${unseen.join(', ')}`);
  return tests.filter((test) => changed.some((file) => reaches.get(test)?.has(file)));
}
