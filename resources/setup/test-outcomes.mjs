/** How tests came out: what is counted, what is told, and what a second run of a file changes. */
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {'passed' | 'failed' | 'skipped'} Outcome
 * @typedef {{ file: string, title: string, outcome: Outcome, why?: string | undefined }} Test `file` is absolute, `title` the test's own
 *   without its groups, `why` what a failed one said
 * @typedef {{ passed: number, failed: number, skipped: number }} Tally
 * @typedef {{ file: string, failed: Test[] }} Flaky a file that passed when it ran once more, alone; what failed in it before
 */

/**
 * @param {Test[]} tests
 * @returns {Tally}
 */
export function tally(tests) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const test of tests) count[test.outcome] += 1;
  return count;
}

/**
 * @param {Tally[]} tallies
 * @returns {Tally}
 */
export function sum(tallies) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of tallies) {
    count.passed += passed;
    count.failed += failed;
    count.skipped += skipped;
  }
  return count;
}

/**
 * The failed among some tests, each with the beginning of what it said: a long log is often kept by its end alone.
 * @param {Test[]} tests
 * @returns {string[]} lines
 */
export function failures(tests) {
  return failed(tests).flatMap(({ file, title, why = '' }) => [
    `${path.basename(file)} › ${title}`,
    ...stripVTControlCharacters(why)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, 12)
      .map((line) => `  ${line}`),
  ]);
}

/** @param {Test[]} tests */
export const failed = (tests) => tests.filter(({ outcome }) => outcome === 'failed');

/**
 * The files that failed in a first run and passed in a second one. A second run that met an error outside of its tests proves nothing.
 * @param {Test[]} first
 * @param {Test[]} again
 * @returns {Flaky[]}
 */
export function flakyFiles(first, again) {
  const files = [...new Set(failed(first).map(({ file }) => file))];
  if (failed(again).some(({ file }) => !files.includes(file))) return [];
  return files
    .map((file) => ({ file, failed: failed(first).filter((test) => test.file === file) }))
    .filter(({ file }) => recovered(of(file, first), of(file, again)));
}

/**
 * The verdict after a second run. A flaky file has what the second run found; whatever else failed stays as the first run left it.
 * @param {Test[]} first
 * @param {Test[]} again
 */
export function verdict(first, again) {
  const flaky = new Set(flakyFiles(first, again).map(({ file }) => file));
  return [...first.filter(({ file }) => !flaky.has(file)), ...again.filter(({ file }) => flaky.has(file))];
}

/**
 * Nothing fails, and no fewer tests pass than came to an end before: one that is skipped now has not passed.
 * @param {Test[]} first of one file
 * @param {Test[]} again of the same
 */
function recovered(first, again) {
  const ended = first.length - tally(first).skipped;
  const { passed, failed: failing } = tally(again);
  return failing === 0 && passed >= ended;
}

/**
 * @param {string} file
 * @param {Test[]} tests
 */
const of = (file, tests) => tests.filter((test) => test.file === file);
