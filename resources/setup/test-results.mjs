/** Reads what the test runners wrote: vitest's and Playwright's JSON reports, as one list of tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {'passed' | 'failed' | 'skipped'} Outcome
 * @typedef {{ file: string, title: string, outcome: Outcome, why?: string | undefined }} Test `file` is absolute, `title` the test's own
 *   without its groups, `why` what a failed one said
 * @typedef {{ passed: number, failed: number, skipped: number }} Tally
 */

/**
 * The tests of one report. A file that could not be loaded counts as one failed test.
 * @param {string} report path of a JSON report
 * @returns {Test[]} empty where there is no report
 */
export function readReport(report) {
  if (!existsSync(report)) return [];
  const content = JSON.parse(readFileSync(report, 'utf8'));
  return Array.isArray(content.testResults) ? fromVitest(content) : fromPlaywright(content);
}

/**
 * Where the runners write their reports.
 * @param {string} root of the repository
 */
export const reportsFolder = (root) => path.join(root, 'test-results');

/**
 * The tests of the reports in a folder.
 * @param {string} folder
 * @param {RegExp} [named] the reports' names; every one unless given
 * @returns {Test[]}
 */
export function readReports(folder, named = /\.json$/) {
  if (!existsSync(folder)) return [];
  const reports = readdirSync(folder).filter((name) => named.test(name));
  return reports.flatMap((name) => readReport(path.join(folder, name)));
}

/**
 * The failed tests of a step, each with the beginning of what it said: a long log is often kept by its end alone.
 * @param {string} folder of the reports
 * @param {string} step its reports are named like it, numbered where it ran in shares
 * @returns {string[]} lines
 */
export function failures(folder, step) {
  const tests = readReports(folder, new RegExp(`^${step}(-\\d+)?\\.json$`));
  return tests
    .filter((test) => test.outcome === 'failed')
    .flatMap(({ file, title, why = '' }) => [
      `${path.basename(file)} › ${title}`,
      ...stripVTControlCharacters(why)
        .split('\n')
        .filter((line) => line.trim() !== '')
        .slice(0, 12)
        .map((line) => `  ${line}`),
    ]);
}

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
 * @typedef {{ title: string, status: string, failureMessages?: string[] }} Assertion
 *
 * @param {{ testResults: { name: string, status: string, assertionResults: Assertion[], message?: string }[] }} report
 * @returns {Test[]}
 */
function fromVitest(report) {
  return report.testResults.flatMap(({ name, status, assertionResults, message }) => {
    const tests = assertionResults.map((test) => ({
      file: name,
      title: test.title,
      outcome: ofVitest(test.status),
      why: test.failureMessages?.join('\n'),
    }));
    const told = tests.some((test) => test.outcome === 'failed');
    if (status !== 'failed' || told) return tests;
    const outcome = /** @type {Outcome} */ ('failed');
    return [...tests, { file: name, title: 'the file as a whole', outcome, why: message }];
  });
}

/**
 * @param {string} status
 * @returns {Outcome}
 */
function ofVitest(status) {
  if (status === 'passed' || status === 'failed') return status;
  return 'skipped';
}

/**
 * @typedef {{ suites?: Suite[], specs?: Spec[] }} Suite
 * @typedef {{ message?: string }} Problem
 * @typedef {{ status: string, results: { error?: Problem }[] }} Run
 * @typedef {{ title: string, file: string, tests: Run[] }} Spec
 */

/**
 * @param {{ config: { rootDir: string }, suites: Suite[], errors?: Problem[] }} report
 * @returns {Test[]}
 */
function fromPlaywright(report) {
  const { rootDir } = report.config;
  const tests = report.suites.flatMap(specsOf).flatMap((spec) =>
    spec.tests.map((test) => ({
      file: path.resolve(rootDir, spec.file),
      title: spec.title,
      outcome: ofPlaywright(test.status),
      why: test.results.find((result) => result.error !== undefined)?.error?.message,
    })),
  );
  // Errors outside a test (a file that does not load, a set-up that throws) are listed beside the suites.
  const outside = (report.errors ?? []).map(({ message }) => ({
    file: rootDir,
    title: 'the run as a whole',
    outcome: /** @type {Outcome} */ ('failed'),
    why: message,
  }));
  return [...tests, ...outside];
}

/**
 * @param {Suite} suite
 * @returns {Spec[]}
 */
const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];

/**
 * A test that passed only when it was run again hides a race: it has failed.
 * @param {string} status
 * @returns {Outcome}
 */
function ofPlaywright(status) {
  if (status === 'expected') return 'passed';
  return status === 'skipped' ? 'skipped' : 'failed';
}
