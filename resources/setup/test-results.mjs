/** Reads the JSON reports of Vitest and Playwright as one list of tests, and evaluates second runs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * Returns the tests of one report. A file that could not be loaded counts as one failed test.
 * @param {string} report path of a JSON report
 * @returns {Test[]} empty without a report
 */
export function readReport(report) {
  if (!existsSync(report)) return [];
  const content = JSON.parse(readFileSync(report, 'utf8'));
  return Array.isArray(content.testResults) ? fromVitest(content) : fromPlaywright(content);
}

/**
 * Returns the file in which Vitest records errors outside of tests, a JSON string a line; its report omits
 * them.
 * @param {string} report
 */
export const errorsFile = (report) => report.replace(/\.json$/, '.errors');

/** @param {string} report */
function errorsOutside(report) {
  const file = errorsFile(report);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => String(JSON.parse(line)));
}

/** Suffix of the report of a second run. */
export const AGAIN = '-again';

/**
 * Returns the folder of the reports.
 * @param {string} root of the repository
 */
export const reportsFolder = (root) => path.join(root, 'test-results');

/**
 * Returns the tests of all reports in a folder. For a file that ran twice, the second run counts.
 * @param {string} folder
 * @returns {Test[]}
 */
export function readReports(folder) {
  if (!existsSync(folder)) return [];
  const reports = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const [again, first] = [true, false].map((wanted) =>
    reports
      .filter((name) => name.endsWith(`${AGAIN}.json`) === wanted)
      .flatMap((name) => readReport(path.join(folder, name))),
  );
  return verdict(first ?? [], again ?? []);
}

/**
 * Returns the result of a run. If the runner failed although each test passed, an error occurred outside of
 * the tests; without a report nothing ran.
 * @param {string} report
 * @param {number} code the runner's exit code
 * @returns {Test[]} the tests of the report, and a failed one for each error outside of them
 */
export function outcome(report, code) {
  const errors = errorsOutside(report).map((why) => wholeRun(report, why));
  const tests = [...readReport(report), ...errors];
  if (code === 0 || failed(tests).length > 0) return tests;
  return [
    ...tests,
    wholeRun(report, `the runner ended with exit code ${code}, and no test of its report failed`),
  ];
}

/**
 * Represents an error outside of the tests. No second run can replace it.
 * @param {string} file
 * @param {string | undefined} why
 * @returns {Test}
 */
const wholeRun = (file, why) => ({ file, title: 'the run as a whole', outcome: 'failed', why });

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
    const listed = tests.some((test) => test.outcome === 'failed');
    if (status !== 'failed' || listed) return tests;
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
  // Errors outside of tests (a file that does not load, a failing setup) are listed next to the suites.
  const outside = (report.errors ?? []).map(({ message }) => wholeRun(rootDir, message));
  return [...tests, ...outside];
}

/**
 * @param {Suite} suite
 * @returns {Spec[]}
 */
const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];

/**
 * A test that passed only on Playwright's own retry counts as failed, because it hides a race.
 * @param {string} status
 * @returns {Outcome}
 */
function ofPlaywright(status) {
  if (status === 'expected') return 'passed';
  return status === 'skipped' ? 'skipped' : 'failed';
}

/**
 * @typedef {'passed' | 'failed' | 'skipped'} Outcome
 * @typedef {{ file: string, title: string, outcome: Outcome, why?: string | undefined }} Test `file` is
 *   absolute, `title` without its groups, `why` the error of a failed one
 * @typedef {{ passed: number, failed: number, skipped: number }} Tally
 * @typedef {{ file: string, failed: Test[] }} Flaky a file that failed first and passed when it ran again
 *   alone, with the tests that failed first
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
 * Returns the failed tests as lines, each with the beginning of its error. They are printed at the end,
 * because long logs are often truncated at the start.
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
 * Returns the files that failed in the first run and passed in the second. A second run with an error outside
 * of its tests does not count.
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
 * Combines both runs: the second result for flaky files, the first result for all others.
 * @param {Test[]} first
 * @param {Test[]} again
 */
export function verdict(first, again) {
  const flaky = new Set(flakyFiles(first, again).map(({ file }) => file));
  return [...first.filter(({ file }) => !flaky.has(file)), ...again.filter(({ file }) => flaky.has(file))];
}

/**
 * Reports whether nothing fails and at least as many tests pass as passed or failed before. A test that is
 * now skipped does not count as passed.
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
