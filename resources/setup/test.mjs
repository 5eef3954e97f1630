/**
 * `npm test`: from a fresh clone to a verdict. Installs what the tests need, runs every step even after one failed, and ends
 * with one line of counts. What cannot be installed is a failure that says so; nothing is left out silently.
 */
import path from 'node:path';
import { installPackages } from './apt.mjs';
import { ensureBuild } from './build.mjs';
import { handOver } from './child.mjs';
import { ensureClaudeCode } from './claude-code.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { ensureElectron } from './electron.mjs';
import { confirmRuns, lackingLibraries } from './electron-ready.mjs';
import { root } from './places.mjs';
import { seconds } from './progress.mjs';
import { endWith, SetupError } from './setup-error.mjs';
import {
  missingEmacsPackages,
  missingJavaArchives,
  missingLispLibraries,
  missingPrograms,
} from './system-packages.mjs';
import { testArguments } from './test-arguments.mjs';
import { failures, reportsFolder, sum } from './test-results.mjs';
import { absentPrograms, steps, wantedPrograms } from './test-steps.mjs';

/**
 * @typedef {import('./test-results.mjs').Tally} Tally
 * @typedef {import('./test-steps.mjs').Step} Step
 * @typedef {import('./system-packages.mjs').Row} Row
 * @typedef {{ name: string, tally: Tally, took: number, why?: string }} Line `took` in milliseconds
 * @typedef {{ problems: Map<string, string>, electron: string }} Prepared what could not be had, and why
 */

/** @param {string[]} argv */
async function test(argv) {
  const { soak, only } = testArguments(
    argv,
    steps.map((step) => step.name),
  );
  const chosen = steps.filter((step) => only.includes(step.name));
  const prepared = await prepare(chosen);
  /** @type {Line[]} */
  const lines = [...prepared.problems].map(([name, why]) => ({ name, why, took: 0, tally: failed() }));
  for (const step of chosen) lines.push(await runStep(step, prepared, soak));
  await handOver(process.execPath, [path.join(root, 'test/checklist/report.mjs'), '--totals'], { cwd: root });
  return conclude(lines);
}

/**
 * Gets what the steps need, in an order in which each thing may rest on the ones before.
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
    }
  };
  const needs = new Set(chosen.flatMap((step) => step.needs));
  await ensureDependencies(root);
  /** @type {Row[]} */
  const lacking = missingPrograms(wantedPrograms(chosen));
  if (needs.has('build') && process.platform === 'linux')
    lacking.push(...missingLispLibraries(), ...missingEmacsPackages(), ...missingJavaArchives());
  if (needs.has('electron')) {
    await attempt('electron', async () => {
      prepared.electron = await ensureElectron(root);
      lacking.push(...(await lackingLibraries(root, prepared.electron)));
    });
  }
  await attempt('system packages', () => installPackages(lacking));
  if (prepared.electron !== '') await attempt('electron', () => confirmRuns(root, prepared.electron));
  if (needs.has('build')) {
    await attempt('build', () => ensureBuild(root));
    await attempt('claude-code', () => ensureClaudeCode(root));
  }
  return prepared;
}

/**
 * @param {Step} step
 * @param {Prepared} prepared
 * @param {boolean} soak
 * @returns {Promise<Line>}
 */
async function runStep(step, { problems, electron }, soak) {
  print(`\n━━ ${step.name}`);
  const began = Date.now();
  const lacking = [...step.needs.filter((need) => problems.has(need)), ...absentPrograms(step)];
  if (lacking.length > 0) {
    const why = `cannot run without: ${lacking.join(', ')}`;
    print(why);
    return { name: step.name, why, took: 0, tally: failed() };
  }
  const tally = await step.run({ root, electron, soak });
  return { name: step.name, tally, took: Date.now() - began };
}

/**
 * @param {Line[]} lines
 * @returns {number} the exit code
 */
function conclude(lines) {
  print('\n━━ summary');
  for (const { name, tally, took, why } of lines) {
    print(`${mark(tally)} ${name.padEnd(16)}${counts(tally).padEnd(40)}${seconds(took).padStart(7)}`);
    const said = why === undefined ? failures(reportsFolder(root), name) : why.split('\n');
    for (const line of said) print(`  ${line}`);
  }
  const all = sum(lines.map(({ tally }) => tally));
  print(`\n${counts(all)}`);
  return all.failed > 0 || all.passed === 0 ? 1 : 0;
}

/** @param {Tally} tally */
const counts = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** @param {Tally} tally */
function mark({ passed, failed, skipped }) {
  if (failed > 0) return '✗';
  return passed + skipped === 0 ? '–' : '✓';
}

/** @returns {Tally} */
const failed = () => ({ passed: 0, failed: 1, skipped: 0 });

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}

await endWith(() => test(process.argv.slice(2)));
