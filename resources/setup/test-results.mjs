/** Reads what the test runners wrote: vitest's and Playwright's JSON reports, as one list of tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { failed, tally, verdict } from './test-outcomes.mjs';

/**
 * @typedef {import('./test-outcomes.mjs').Outcome} Outcome
 * @typedef {import('./test-outcomes.mjs').Test} Test
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
 * Where Vitest notes, a JSON string a line, what went wrong outside of the tests: its report does not say so.
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

/** Ends the name of a report about files that were run once more. */
export const AGAIN = '-again';

/**
 * Where the runners write their reports.
 * @param {string} root of the repository
 */
export const reportsFolder = (root) => path.join(root, 'test-results');

/**
 * The tests of the reports in a folder. Of a file that was run once more, the second run counts.
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
 * What a run came to. A runner that failed although each of its tests passed met an error outside them; one that wrote nothing
 * ran nothing.
 * @param {string} report
 * @param {number} code the runner's exit code
 * @returns {Test[]} those of the report, and a failed one for each error outside of them
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
 * @param {string} report
 * @param {number} code
 */
export const counted = (report, code) => tally(outcome(report, code));

/**
 * What stands for an error outside of the tests. Its file is no test's, so nothing makes up for it.
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
  const outside = (report.errors ?? []).map(({ message }) => wholeRun(rootDir, message));
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
