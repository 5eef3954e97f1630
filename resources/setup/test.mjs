/**
 * `npm test`: installs what the tests need, runs every step even after one has failed, and ends with one line
 * of counts. A requirement that cannot be installed is a failure.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from './checkout.mjs';
import { handOver } from './child-process.mjs';
import { endWith, SetupError, say, seconds } from './console.mjs';
import { readyElectron } from './electron.mjs';
import { ensureClaudeCode } from './pinned-package.mjs';
import { ensureBuild, ensureDependencies } from './prepare.mjs';
import {
  installPackages,
  missingEmacsPackages,
  missingJavaArchives,
  missingLibraries,
  missingLispLibraries,
  missingPrograms,
  missingSystemFiles,
} from './system-packages.mjs';
import { sum } from './test-results.mjs';
import { flakyFolder, runOnce, seed } from './test-runs.mjs';
import { selectTests, testArguments } from './test-selection.mjs';
import {
  checkLine,
  ownFiles,
  steps,
  stoppedLine,
  testLines,
  unableLine,
  wantedPrograms,
} from './test-steps.mjs';

/**
 * @typedef {import('./test-steps.mjs').Line} Line
 * @typedef {import('./test-results.mjs').Tally} Tally
 * @typedef {import('./test-steps.mjs').Step} Step
 * @typedef {import('./system-packages.mjs').Row} Row
 * @typedef {{ problems: Map<string, string>, electron: string }} Prepared failed requirements, with the
 *   reason
 */

/** @param {string[]} argv */
async function test(argv) {
  const requested = testArguments(
    argv,
    steps.map((step) => step.name),
  );
  const named = steps.filter(
    (step) => requested.only.includes(step.name) && (requested.soak || !step.inSoak),
  );
  const { files, everything } = await selectTests(root, requested, named);
  const checks = requested.patterns === undefined;
  const chosen = named.filter((step) =>
    step.tests === undefined ? checks : everything || ownFiles(step, files).length > 0,
  );
  const prepared = await prepare(chosen);
  rmSync(flakyFolder(root), { recursive: true, force: true });
  const lines = [...prepared.problems].map(([name, why]) => unableLine(name, why));
  for (const runs of sideBySide(new Set(chosen.map((step) => step.run)))) {
    const together = runs.map((run) => chosen.filter((step) => step.run === run));
    lines.push(...(await perform(together, files, prepared, requested.soak)));
  }
  if (everything) {
    const report = path.join(root, 'test/checklist/report.mjs');
    await handOver(process.execPath, [report, '--totals'], { cwd: root });
  }
  return conclude(lines);
}

/**
 * Installs the requirements of the steps; each may depend on the ones before.
 * @param {Step[]} chosen
 * @returns {Promise<Prepared>}
 */
async function prepare(chosen) {
  /** @type {Prepared} */
  const prepared = { problems: new Map(), electron: '' };
  /** @type {(name: string, work: () => Promise<void>) => Promise<void>} */
  const attempt = async (name, work) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      prepared.problems.set(name, error.message);
      say(error.message);
    }
  };
  const needs = new Set(chosen.flatMap((step) => step.needs));
  await ensureDependencies(root, 'all');
  /** @type {Row[]} */
  const lacking = missingPrograms(wantedPrograms(chosen));
  if (needs.has('lisps') && process.platform === 'linux') lacking.push(...missingForLisps());
  if (needs.has('electron')) lacking.push(...(await missingLibraries()));
  // First, because it costs a person's time: large downloads come after it.
  await attempt('system packages', () => installPackages(lacking));
  if (needs.has('electron'))
    await attempt('electron', async () => {
      prepared.electron = await readyElectron(root);
    });
  if (needs.has('build')) await attempt('build', () => ensureBuild(root));
  if (needs.has('build') && prepared.electron !== '')
    await attempt('claude-code', () => ensureClaudeCode(root));
  return prepared;
}

/** Requirements of tests with real engines in addition to programs. */
const missingForLisps = () => [
  ...missingLispLibraries(),
  ...missingEmacsPackages(),
  ...missingJavaArchives(),
  ...missingSystemFiles(),
];

/** Runs at the same time: each uses one core for part of its time, or waits for something else. */
const PARALLEL = [
  ['lint', 'typecheck', 'unit'],
  ['engines', 'e2e'],
];

/**
 * Returns the runs in their order, grouped into those that run at the same time.
 * @param {Set<string>} runs
 * @returns {string[][]}
 */
function sideBySide(runs) {
  const groups = [...runs].map((run) => PARALLEL.find((group) => group.includes(run)) ?? [run]);
  return [...new Set(groups)].map((group) => group.filter((run) => runs.has(run)));
}

/**
 * Performs runs at the same time, without the steps that cannot run. Failed files run again when all have
 * ended.
 * @param {Step[][]} runs the steps of each
 * @param {string[]} files test files of all steps, as paths below the root
 * @param {Prepared} prepared
 * @param {boolean} soak
 * @returns {Promise<Line[]>}
 */
async function perform(runs, files, { problems, electron }, soak) {
  print(`\n━━ ${runs.map((steps) => steps.map((step) => step.name).join(', ')).join('; in parallel: ')}`);
  const stopped = runs.flat().flatMap((step) => stoppedLine(step, problems) ?? []);
  for (const { details } of stopped) print(details.join('\n'));
  const able = runs
    .map((steps) => steps.filter(({ name }) => stopped.every((line) => line.name !== name)))
    .filter((steps) => steps.length > 0);
  const bench = { root, electron, soak };
  const begun = able.map((steps, place) => begin(steps, files, bench, place > 0));
  const lines = [];
  for (const settle of await Promise.all(begun)) lines.push(...(await settle()));
  return [...stopped, ...lines];
}

/**
 * Runs the steps of one run; returns a function that completes it.
 * @param {Step[]} steps
 * @param {string[]} files
 * @param {import('./test-runs.mjs').Bench} bench
 * @param {boolean} inParallel whether another run uses the terminal: the output of this one is then printed at
 *   its end
 * @returns {Promise<() => Promise<Line[]>>}
 */
async function begin(steps, files, bench, inParallel) {
  const [first] = steps;
  if (first === undefined) return async () => [];
  const log = path.join(root, 'test-results', `${first.run}.log`);
  if (inParallel) {
    mkdirSync(path.dirname(log), { recursive: true });
    rmSync(log, { force: true });
  }
  const way = inParallel ? { log } : {};
  const printLog = () => {
    if (inParallel) print(`\n━━ ${first.run}, which ran in parallel\n${readFileSync(log, 'utf8')}`);
  };
  if (first.runner === 'npm') {
    const line = await checkLine(first, bench, way);
    return async () => {
      printLog();
      return [line];
    };
  }
  const own = steps.flatMap((step) => ownFiles(step, files));
  const { run: name, runner, asNobody = false, config } = first;
  const run = { name, runner, files: own, asNobody, ...(config === undefined ? {} : { config }) };
  const began = Date.now();
  const tests = await runOnce(bench, run, way);
  const took = Date.now() - began;
  return () => {
    printLog();
    return testLines(steps, run, bench, { tests, took });
  };
}

/**
 * @param {Line[]} lines
 * @returns {number} the exit code
 */
function conclude(lines) {
  print('\n━━ summary');
  for (const { name, tally, took, details } of lines) {
    const came = tally.passed + tally.failed + tally.skipped > 0 ? counts(tally) : '';
    const time = took === undefined ? '' : seconds(took);
    print(`${mark(tally)} ${name.padEnd(16)}${came.padEnd(40)}${time.padStart(7)}`.trimEnd());
    for (const line of details) print(`  ${line}`);
  }
  const all = sum(lines.map(({ tally }) => tally));
  const flaky = lines.flatMap(({ details }) => details).filter((line) => line.startsWith('FLAKY ')).length;
  print(`\n${flaky} flaky files; LISP_HARBOR_SEED=${seed} repeats the choice from the corpora`);
  print(counts(all));
  return all.failed > 0 || all.passed === 0 ? 1 : 0;
}

/** @param {Tally} tally */
const counts = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** @param {Tally} tally */
function mark({ passed, failed, skipped }) {
  if (failed > 0) return '✗';
  return passed + skipped === 0 ? '–' : '✓';
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}

await endWith(() => test(process.argv.slice(2)));
