/** Runs test files with Vitest or Playwright, those that failed once more, and reads what came of it. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { handOver } from './child.mjs';
import { runPlaywright } from './playwright.mjs';
import { failed, failures, flakyFiles, verdict } from './test-outcomes.mjs';
import { AGAIN, errorsFile, outcome, reportsFolder } from './test-results.mjs';
import { unprivileged } from './unprivileged.mjs';

/**
 * @typedef {import('./test-outcomes.mjs').Test} Test
 * @typedef {import('./test-outcomes.mjs').Flaky} Flaky
 * @typedef {{ root: string, electron: string, soak: boolean }} Bench `electron` is empty where no step needs it
 * @typedef {{ alone?: boolean, log?: string }} Way `alone`: one after the other, and a process for each file; `log`: a file for what
 *   the runner says
 * @typedef {{ name: string, runner: 'vitest' | 'playwright', files: string[], asNobody: boolean,
 *   config?: string }} Run `name` is that of its reports,
 *   `files` are test files as paths below the root; `asNobody` runs them as an unprivileged user
 * @typedef {{ tests: Test[], flaky: Flaky[] }} Came what the tests came to, and which files only came to it the second time
 */

/** Milliseconds after which a runner counts as hung: a test's stray child can keep one from ever ending. */
const limits = { usual: 80 * 60_000, soak: 120 * 60_000 };

/** Of Playwright. */
const USUAL = 'test/playwright.config.ts';

const runners = { vitest, playwright };

/**
 * Runs all files of the run.
 * @param {Bench} bench
 * @param {Run} run
 * @param {Way} [way]
 * @returns {Promise<Test[]>}
 */
export function runOnce(bench, run, way = {}) {
  forgetReports(bench.root, run.name);
  return runners[run.runner](bench, run, way);
}

/**
 * A file that failed runs once more with nothing beside it. That it passes then makes up for the failure, which is told and kept.
 * @param {Bench} bench
 * @param {Run} run
 * @param {Test[]} first what all files came to
 * @returns {Promise<Came>}
 */
export async function runFailedAgain(bench, run, first) {
  const files = run.files.filter((file) =>
    failed(first).some((test) => test.file === path.resolve(bench.root, file)),
  );
  if (files.length === 0) return { tests: first, flaky: [] };
  console.log(`\n━━ ${run.name}: once more, one after the other: ${files.join(', ')}`);
  const again = await runners[run.runner](bench, { ...run, name: run.name + AGAIN, files }, { alone: true });
  const flaky = flakyFiles(first, again);
  for (const one of flaky) keepFlaky(bench.root, one);
  return { tests: verdict(first, again), flaky };
}

/**
 * In Electron's Node.
 * @param {Bench} bench
 * @param {Run} run
 * @param {Way} way
 * @returns {Promise<Test[]>}
 */
async function vitest({ root, electron, soak }, { name, files, asNobody }, { alone = false, log }) {
  const nobody = asNobody ? unprivileged() : undefined;
  const report = nobody ? path.join(nobody.folder, 'report.json') : reportOf(root, name);
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/vitest.config.ts',
    ...files,
    ...(alone ? ['--no-file-parallelism', '--isolate'] : []),
    // Nobody else may write where the runner would keep the configuration.
    ...(nobody ? ['--configLoader=runner'] : []),
  ];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const [program = electron, ...before] = [...(nobody?.command ?? []), electron];
  const code = await handOver(program, [...before, ...args, ...reporters], {
    cwd: root,
    env: {
      ...testEnvironment(electron, soak),
      ...nobody?.env,
      ELECTRON_RUN_AS_NODE: '1',
      LISP_HARBOR_TEST_ERRORS: errorsFile(report),
    },
    limit: limitOf(soak),
    ...logged(log),
  });
  const tests = outcome(report, code);
  nobody?.end();
  return tests;
}

/**
 * Real windows of a real Electron.
 * @param {Bench} bench
 * @param {Run} run
 * @param {Way} way
 * @returns {Promise<Test[]>}
 */
async function playwright({ root, electron, soak }, { name, files, config = USUAL }, { alone = false, log }) {
  const report = reportOf(root, name);
  const args = [...files.map(exactly), `--output=test-results/${name}`, ...(alone ? ['--workers=1'] : [])];
  const env = { ...testEnvironment(electron, soak), PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const options = { cwd: root, env, limit: limitOf(soak), ...logged(log) };
  return outcome(report, await runPlaywright(config, options, args));
}

/**
 * What Playwright is to match paths with for this file alone.
 * @param {string} file
 */
const exactly = (file) => `/${file.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;

/**
 * What tests may learn from outside: the binary, and whether repetitions are asked for in full. What all the harbors compile is kept
 * in one place, for each has a data folder of its own and is started once.
 * @param {string} electron
 * @param {boolean} soak
 */
function testEnvironment(electron, soak) {
  const compiled = path.join(os.tmpdir(), 'lisp-harbor-test-compiled');
  return {
    ...process.env,
    ELECTRON_BIN: electron,
    NODE_COMPILE_CACHE: compiled,
    ...(soak ? { LISP_HARBOR_SOAK: '1' } : {}),
  };
}

/**
 * @param {string} root
 * @param {string} name
 */
const reportOf = (root, name) => path.join(reportsFolder(root), `${name}.json`);

/** @param {string | undefined} log */
const logged = (log) => (log === undefined ? {} : { log });

/** @param {boolean} soak */
const limitOf = (soak) => (soak ? limits.soak : limits.usual);

/**
 * Removes what the run before this one reported, so that it counts for nothing.
 * @param {string} root
 * @param {string} name of the run
 */
function forgetReports(root, name) {
  const folder = reportsFolder(root);
  mkdirSync(folder, { recursive: true });
  const own = new RegExp(`^${name}(${AGAIN})?\\.(json|errors)$`);
  for (const file of readdirSync(folder).filter((entry) => own.test(entry))) rmSync(path.join(folder, file));
}

/**
 * Where flaky files leave what they said.
 * @param {string} root
 */
export const flakyFolder = (root) => path.join(reportsFolder(root), 'flaky');

/**
 * Says that a file is flaky, and keeps what its first run said, in whole.
 * @param {string} root
 * @param {Flaky} flaky
 */
function keepFlaky(root, flaky) {
  console.log(flakyLines(root, flaky).join('\n'));
  const folder = flakyFolder(root);
  mkdirSync(folder, { recursive: true });
  const name = path.relative(root, flaky.file).replaceAll(/[\\/]/g, '-');
  const text = flaky.failed.map(({ title, why = '' }) => `${title}\n${stripVTControlCharacters(why)}\n`);
  writeFileSync(path.join(folder, `${name}.txt`), text.join('\n'));
}

/**
 * @param {string} root
 * @param {Flaky} flaky
 * @returns {string[]} the file, and the beginning of what each of its failed tests said
 */
export const flakyLines = (root, { file, failed: tests }) => [
  `FLAKY ${path.relative(root, file)}`,
  ...failures(tests).map((line) => `  ${line}`),
];
