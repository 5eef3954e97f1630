/** Runs steps and says in a line of the summary what came of each. */
import path from 'node:path';
import { npmScript } from './npm.mjs';
import { failures, tally } from './test-outcomes.mjs';
import { flakyLines, runFailedAgain } from './test-runs.mjs';
import { absentPrograms } from './test-steps.mjs';

/**
 * @typedef {import('./test-outcomes.mjs').Tally} Tally
 * @typedef {import('./test-outcomes.mjs').Test} Test
 * @typedef {import('./test-runs.mjs').Bench} Bench
 * @typedef {import('./test-runs.mjs').Run} Run
 * @typedef {import('./test-steps.mjs').Step} Step
 * @typedef {{ name: string, tally: Tally, took?: number, said: string[] }} Line `took` in milliseconds; `said` is shown below it
 */

/**
 * @param {Step} step
 * @param {string[]} files test files of all steps, as paths below the root
 * @returns {string[]} those of this step
 */
export const ownFiles = ({ tests }, files) => files.filter((file) => tests?.test(file));

/**
 * The line of a step that does not run.
 * @param {Step} step
 * @param {Map<string, string>} problems what the set-up could not get, and why
 * @returns {Line | undefined} none where it can run
 */
export function stoppedLine(step, problems) {
  const lacking = [...step.needs.filter((need) => problems.has(need)), ...absentPrograms(step)];
  if (lacking.length > 0) return unableLine(step.name, `cannot run without: ${lacking.join(', ')}`);
  const why = step.whyNot?.();
  return why === undefined ? undefined : { name: step.name, tally: tally([]), said: [why] };
}

/**
 * A line for what failed before it could begin.
 * @param {string} name
 * @param {string} why
 * @returns {Line}
 */
export const unableLine = (name, why) => ({ name, tally: verdict(false), said: why.split('\n') });

/**
 * A check without tests of its own counts as one.
 * @param {Step} step
 * @param {Bench} bench
 * @returns {Promise<Line>}
 */
export async function checkLine({ name, run }, { root }) {
  const began = Date.now();
  const code = await npmScript(run, root);
  return { name, tally: verdict(code === 0), said: [], took: Date.now() - began };
}

/**
 * Settles what the tests of steps came to, which were run as one.
 * @param {Step[]} steps whose run it is
 * @param {Run} run
 * @param {Bench} bench
 * @param {{ tests: Test[], took: number }} first
 * @returns {Promise<Line[]>} a line for each step; where there are several, one more for their time and for errors that belong to none
 */
export async function testLines(steps, run, bench, first) {
  const began = Date.now();
  const { tests, flaky } = await runFailedAgain(bench, run, first.tests);
  const took = first.took + Date.now() - began;
  /** @param {{ file: string }} test */
  const stepOf = ({ file }) => steps.find((step) => ownFiles(step, [below(bench.root, file)]).length > 0);
  /** @param {Step | undefined} step */
  const lineOf = (step) => {
    const own = tests.filter((test) => stepOf(test) === step);
    const told = flaky.filter((one) => stepOf(one) === step).flatMap((one) => flakyLines(bench.root, one));
    return { name: step?.name ?? `${run.name} run`, tally: tally(own), said: [...told, ...failures(own)] };
  };
  const [lines, others] = [steps.map(lineOf), lineOf(undefined)];
  if (steps.length > 1 || others.tally.failed > 0) return [...lines, { ...others, took }];
  return lines.map((line) => ({ ...line, took }));
}

/**
 * @param {string} root
 * @param {string} file absolute
 * @returns {string} its path below the root, with slashes
 */
const below = (root, file) => path.relative(root, file).split(path.sep).join('/');

/**
 * @param {boolean} ok
 * @returns {Tally}
 */
const verdict = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });
