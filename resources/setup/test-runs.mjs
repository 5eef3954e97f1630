/** Runs test files with Vitest or Playwright, and failed files a second time. */
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { handOver } from './child-process.mjs';
import { placeOnPath } from './system-packages.mjs';
import {
  AGAIN,
  errorsFile,
  failed,
  failures,
  flakyFiles,
  outcome,
  reportsFolder,
  verdict,
} from './test-results.mjs';

/**
 * @typedef {import('./test-results.mjs').Test} Test
 * @typedef {import('./test-results.mjs').Flaky} Flaky
 * @typedef {{ root: string, electron: string, soak: boolean }} Bench `electron` is empty if no step needs it
 * @typedef {{ alone?: boolean, log?: string }} Way `alone`: one file after the other, each in a process of
 *   its own; `log`: a file for the runner's output
 * @typedef {{ name: string, runner: 'vitest' | 'playwright', files: string[], asNobody: boolean, config?:
 *   string }} Run `name` of its reports; `files` are test files as paths below the root; `asNobody` runs them
 *   as an unprivileged user
 * @typedef {{ tests: Test[], flaky: Flaky[] }} Came the results, and the files that passed only the second
 *   time
 */

/** Timeouts of a runner in milliseconds: a child process of a test can keep it from ending. */
const limits = { usual: 80 * 60_000, soak: 120 * 60_000 };

/** Default configuration of Playwright. */
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
 * Runs failed files once more, one after the other. If a file passes then, it counts as passed and is
 * reported as flaky.
 * @param {Bench} bench
 * @param {Run} run
 * @param {Test[]} first results of all files
 * @returns {Promise<Came>}
 */
export async function runFailedAgain(bench, run, first) {
  const files = run.files.filter((file) =>
    failed(first).some((test) => test.file === path.resolve(bench.root, file)),
  );
  if (files.length === 0) return { tests: first, flaky: [] };
  console.log(`\n━━ ${run.name}: running again, one after the other: ${files.join(', ')}`);
  const again = await runners[run.runner](bench, { ...run, name: run.name + AGAIN, files }, { alone: true });
  const flaky = flakyFiles(first, again);
  for (const one of flaky) keepFlaky(bench.root, one);
  return { tests: verdict(first, again), flaky };
}

/**
 * Runs Vitest in Electron's Node.
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
    // Another user cannot write where the runner caches the configuration.
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
 * Runs Playwright with real windows of Electron.
 * @param {Bench} bench
 * @param {Run} run
 * @param {Way} way
 * @returns {Promise<Test[]>}
 */
async function playwright({ root, electron, soak }, { name, files, config = USUAL }, { alone = false, log }) {
  const report = reportOf(root, name);
  const args = [
    ...files.map(exactly),
    `--output=test-results/${name}`,
    ...(alone ? ['--workers=1', '--trace=retain-on-failure'] : []),
  ];
  const env = { ...testEnvironment(electron, soak), PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const options = { cwd: root, env, limit: limitOf(soak), ...logged(log) };
  return outcome(report, await runPlaywright(config, options, args));
}

/**
 * Returns a pattern that matches only this file.
 * @param {string} file
 */
const exactly = (file) => `/${file.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;

/** Chooses the parts of corpora that `npm test` runs (test/rounds.ts). One seed for all processes of a run. */
export const seed = process.env.LISP_HARBOR_SEED ?? String(Date.now() % 1_000_000);

/**
 * Environment of the tests: the binary, and whether to run all repetitions. Compiled files are shared,
 * because every harbor has a data folder of its own and starts once.
 * @param {string} electron
 * @param {boolean} soak
 */
function testEnvironment(electron, soak) {
  const compiled = path.join(os.tmpdir(), 'lisp-harbor-test-compiled');
  const before = soak ? undefined : quickJava();
  return {
    ...process.env,
    ...(before === undefined ? {} : { PATH: `${before}${path.delimiter}${process.env.PATH}` }),
    ELECTRON_BIN: electron,
    NODE_COMPILE_CACHE: compiled,
    LISP_HARBOR_SEED: seed,
    ...(soak ? { LISP_HARBOR_SOAK: '1' } : {}),
  };
}

/**
 * Writes a program `java` that runs the machine's Java without the optimizing compiler, which takes half of
 * the processor time of a JVM that lives for seconds.
 * @returns {string | undefined} its folder; undefined without Java
 */
function quickJava() {
  const java = placeOnPath('java');
  if (java === undefined || process.platform === 'win32') return undefined;
  const folder = path.join(os.tmpdir(), `lisp-harbor-test-java-${process.getuid?.()}`, 'bin');
  if (path.dirname(java) === folder) return folder;
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh\nexec '${java.replaceAll("'", "'\\''")}' -XX:TieredStopAtLevel=1 "$@"\n`;
  writeFileSync(path.join(folder, 'java'), script, { mode: 0o755 });
  return folder;
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
 * Removes reports of the previous run.
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
 * Returns the folder for the errors of flaky files.
 * @param {string} root
 */
export const flakyFolder = (root) => path.join(reportsFolder(root), 'flaky');

/**
 * Reports a flaky file and saves the errors of its first run.
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
 * @returns {string[]} the file, and the beginning of the error of each failed test
 */
export const flakyLines = (root, { file, failed: tests }) => [
  `FLAKY ${path.relative(root, file)}`,
  ...failures(tests).map((line) => `  ${line}`),
];

/** Programs that Playwright tests need: on Linux each worker has a display and a session bus of its own. */
export const displayPrograms =
  process.platform === 'linux' ? ['Xvfb', 'xvfb-run', 'xauth', 'dbus-run-session'] : [];

/**
 * Runs Playwright.
 * @param {string} config Playwright's configuration, below the working directory
 * @param {import('./child-process.mjs').HandedOver} options `env` names the Electron binary in ELECTRON_BIN
 * @param {string[]} [args] further arguments for Playwright
 * @returns {Promise<number>} the exit code
 */
export function runPlaywright(config, options, args = []) {
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', `--config=${config}`];
  return handOver(process.execPath, [...playwright, ...args], options);
}

/** A user id that is not in use. */
const NOBODY = 47110;

const become = ['--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups'];

/**
 * @typedef {{ command: string[], env: NodeJS.ProcessEnv, folder: string, end: () => void }} Unprivileged
 *   `command` is a prefix of the command line; `folder` is the only writable folder until `end`
 */

/**
 * Prepares to run programs as an unprivileged user, to test that sandboxes work for any user.
 * @returns {Unprivileged}
 */
export function unprivileged() {
  // Short, because paths of Unix sockets are limited.
  const folder = mkdtempSync(path.join(tmpdir(), 'nobody-'));
  chownSync(folder, NOBODY, NOBODY);
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('XDG_'));
  return {
    command: ['setpriv', ...become],
    env: { ...Object.fromEntries(inherited), HOME: folder, TMPDIR: folder },
    folder,
    // A program that is ending may still write for a moment.
    end: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }),
  };
}

/**
 * @param {string} root of the repository
 * @returns {string | undefined} reason why another user cannot run tests there
 */
export function whyNoOther(root) {
  if (process.getuid?.() !== 0)
    return 'not run: only root can become another user, and this user is already unprivileged';
  const { status } = spawnSync('setpriv', [...become, 'test', '-r', path.join(root, 'package.json')]);
  return status === 0 ? undefined : `not run: other users cannot read ${root}`;
}
