/** The steps of `npm test`: their requirements and tests, and the summary line of each. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './checkout.mjs';
import { npmScript } from './child-process.mjs';
import { onPath } from './system-packages.mjs';
import { failures, tally } from './test-results.mjs';
import { displayPrograms, flakyLines, runFailedAgain, whyNoOther } from './test-runs.mjs';

/**
 * @typedef {import('./test-results.mjs').Tally} Tally
 * @typedef {import('./test-results.mjs').Test} Test
 * @typedef {import('./test-runs.mjs').Bench} Bench
 * @typedef {import('./test-runs.mjs').Run} Run
 * @typedef {{ name: string, tally: Tally, took?: number, details: string[] }} Line `took` in milliseconds; `details` are shown below it
 */

/**
 * @typedef {'electron' | 'build' | 'lisps'} Need `build`: the bundles in out/; `lisps`: the engines, and
 *   other requirements of tests with sessions
 * @typedef {'npm' | 'vitest' | 'playwright'} Runner
 * @typedef {{ name: string, runner: Runner, run: string, needs: Need[], programs: string[], tests?: RegExp,
 *   config?: string, inSoak?: true, asNobody?: true, whyNot?: () => string | undefined }} Step Steps with the
 *   same `run` have their tests run together, so that no core idles; for npm it is the name of the script.
 *   `programs` must be in the path. `tests` matches its test files: paths below the root, with slashes.
 *   `config` is a configuration of Playwright other than the default. Only steps with `inSoak` run in a soak;
 *   steps with `asNobody` run as an unprivileged user. `whyNot` returns why the step does not run, which is no
 *   failure.
 */

const lisps = [
  'sbcl',
  'acl2',
  'ecl',
  'abcl',
  'clojure',
  'lein',
  'bwrap',
  'emacs',
  'openssl',
  'curl',
  'python3',
];
const linux = process.platform === 'linux';

const NOT_INSTALLED =
  'not run: only root can install a package, and this package is for Debian and its derivatives';

/** @type {Need[]} */
const ENGINES = ['electron', 'build', 'lisps'];

/** Window tests that also run against the installed app: everyday tasks. */
const MAIN = [
  'home',
  'repl',
  'sessions',
  'sleeping',
  'history',
  'debugger',
  'inspector',
  'sandbox',
  'clients',
  'settings-by-hand',
];

/** @type {Step[]} */
export const steps = [
  check('lint', 'lint'),
  check('types', 'typecheck'),
  vitest('unit', ['electron'], 'unit'),
  vitest('fuzz', ['electron'], 'unit'),
  vitest('integration', ENGINES),
  vitest('checklist', ENGINES),
  vitest('conformance', ENGINES),
  vitest('faults', ENGINES),
  vitest('attacks', ENGINES),
  {
    ...vitest('attacks', ENGINES, 'attacks-nobody'),
    ...{ name: 'attacks-nobody', inSoak: true, asNobody: true, programs: ['setpriv'] },
    whyNot: () => whyNoOther(root),
  },
  { ...vitest('books', ENGINES), whyNot: whyNoBooks },
  {
    name: 'e2e',
    runner: 'playwright',
    run: 'e2e',
    needs: ENGINES,
    programs: displayPrograms,
    tests: /^test\/(e2e|checklist)\/.*\.spec\.ts$/,
  },
  {
    name: 'package',
    runner: 'playwright',
    run: 'package',
    // It builds out/ itself, from an empty folder.
    needs: ['electron', 'lisps'],
    programs: [...displayPrograms, 'setpriv', 'rpmbuild', '7za', 'man', 'mmdebstrap', 'bwrap'],
    tests: new RegExp(`^test/(package/.*|e2e/(${MAIN.join('|')}))\\.spec\\.ts$`),
    config: 'test/package.config.ts',
    inSoak: true,
    whyNot: () => (process.getuid?.() === 0 && onPath('apt-get') ? undefined : NOT_INSTALLED),
  },
];

/**
 * Returns the programs that the steps need, including those without which single tests fail.
 * @param {Step[]} chosen
 */
export function wantedPrograms(chosen) {
  const own = chosen.flatMap((step) => step.programs);
  const evaluates = chosen.some((step) => step.needs.includes('lisps'));
  const checksSetUp = chosen.some((step) => step.name === 'unit');
  return [
    ...own,
    ...(checksSetUp ? ['git'] : []),
    ...(evaluates ? lisps.filter((name) => linux || name === 'sbcl') : []),
  ];
}

/** @param {Step} step */
export const absentPrograms = (step) => step.programs.filter((program) => !onPath(program));

/**
 * Makes a step of an npm script without tests, which counts as one test.
 * @param {string} name
 * @param {string} script in package.json
 * @returns {Step}
 */
function check(name, script) {
  return { name, runner: 'npm', run: script, needs: [], programs: [] };
}

/**
 * Makes a step of the tests in one folder, in Electron's Node. Unit tests of the window are next to the code
 * they test.
 * @param {string} name folder below test/
 * @param {Need[]} needs
 * @param {string} [run]
 * @returns {Step}
 */
function vitest(name, needs, run = 'engines') {
  const folders = name === 'unit' ? 'test/unit|renderer' : `test/${name}`;
  const tests = new RegExp(`^(${folders})/.*\\.test\\.tsx?$`);
  return { name, runner: 'vitest', run, needs, programs: [], tests };
}

/**
 * ACL2's community books take gigabytes and are never installed for tests. Without them those tests do not
 * run.
 * @returns {string | undefined} why not
 */
function whyNoBooks() {
  if (booksFolder() !== undefined) return undefined;
  return 'not run: ACL2’s community books are missing (apt install acl2-books, or set ACL2_BOOKS to their folder)';
}

/** Returns the folder of the community books: ACL2_BOOKS, or Debian's. */
function booksFolder() {
  const usual = existsSync('/usr/share')
    ? readdirSync('/usr/share').filter((name) => /^acl2-/.test(name))
    : [];
  const folders = [process.env.ACL2_BOOKS ?? '', ...usual.map((name) => `/usr/share/${name}/books`)];
  return folders.find((folder) => existsSync(path.join(folder, 'arithmetic/top.lisp')) && folder !== '');
}

/**
 * @param {Step} step
 * @param {string[]} files test files of all steps, as paths below the root
 * @returns {string[]} those of this step
 */
export const ownFiles = ({ tests }, files) => files.filter((file) => tests?.test(file));

/**
 * Returns the line of a step that does not run.
 * @param {Step} step
 * @param {Map<string, string>} problems failed requirements, with the reason
 * @returns {Line | undefined} undefined if it can run
 */
export function stoppedLine(step, problems) {
  const lacking = [...step.needs.filter((need) => problems.has(need)), ...absentPrograms(step)];
  if (lacking.length > 0) return unableLine(step.name, `cannot run without: ${lacking.join(', ')}`);
  const why = step.whyNot?.();
  return why === undefined ? undefined : { name: step.name, tally: tally([]), details: [why] };
}

/**
 * Returns the line of a step that failed before it started.
 * @param {string} name
 * @param {string} why
 * @returns {Line}
 */
export const unableLine = (name, why) => ({ name, tally: checkTally(false), details: why.split('\n') });

/**
 * Runs a check, which counts as one test.
 * @param {Step} step
 * @param {Bench} bench
 * @param {{ log?: string }} [way] `log`: a file for its output
 * @returns {Promise<Line>}
 */
export async function checkLine({ name, run }, { root }, way = {}) {
  const began = Date.now();
  const code = await npmScript(run, root, way);
  return { name, tally: checkTally(code === 0), details: [], took: Date.now() - began };
}

/**
 * Runs failed files again and returns the results of steps whose tests ran together.
 * @param {Step[]} steps all steps of the run
 * @param {Run} run
 * @param {Bench} bench
 * @param {{ tests: Test[], took: number }} first
 * @returns {Promise<Line[]>} a line for each step; for several steps, one more for their time and for errors
 *   that belong to none
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
    const listed = flaky.filter((one) => stepOf(one) === step).flatMap((one) => flakyLines(bench.root, one));
    return {
      name: step?.name ?? `${run.name} run`,
      tally: tally(own),
      details: [...listed, ...failures(own)],
    };
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
const checkTally = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });
