/** Reads what the test runners wrote: vitest's and Playwright's JSON reports, as one list of tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {'passed' | 'failed' | 'skipped'} Outcome
 * @typedef {{ file: string, title: string, outcome: Outcome }} Test `file` is absolute, `title` the test's own without its groups
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
 * The tests of every report in a folder.
 * @param {string} folder
 * @returns {Test[]}
 */
export function readReports(folder) {
  if (!existsSync(folder)) return [];
  const reports = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return reports.flatMap((name) => readReport(path.join(folder, name)));
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
 * @param {{ testResults: { name: string, status: string, assertionResults: { title: string, status: string }[] }[] }} report
 * @returns {Test[]}
 */
function fromVitest(report) {
  return report.testResults.flatMap(({ name, status, assertionResults }) => {
    const tests = assertionResults.map((test) => ({
      file: name,
      title: test.title,
      outcome: ofVitest(test.status),
    }));
    const told = tests.some((test) => test.outcome === 'failed');
    if (status !== 'failed' || told) return tests;
    return [
      ...tests,
      { file: name, title: 'the file as a whole', outcome: /** @type {Outcome} */ ('failed') },
    ];
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
 * @typedef {{ title: string, file: string, tests: { status: string }[] }} Spec
 */

/**
 * @param {{ config: { rootDir: string }, suites: Suite[], errors?: unknown[] }} report
 * @returns {Test[]}
 */
function fromPlaywright(report) {
  const { rootDir } = report.config;
  const tests = report.suites.flatMap(specsOf).flatMap((spec) =>
    spec.tests.map((test) => ({
      file: path.resolve(rootDir, spec.file),
      title: spec.title,
      outcome: ofPlaywright(test.status),
    })),
  );
  // Errors outside a test (a file that does not load, a set-up that throws) are listed beside the suites.
  const outside = (report.errors ?? []).map(() => ({
    file: rootDir,
    title: 'the run as a whole',
    outcome: /** @type {Outcome} */ ('failed'),
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
