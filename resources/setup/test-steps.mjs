/** The steps of `npm test`: what each one needs, and how it runs and counts. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { handOver } from './child.mjs';
import { npmScript } from './npm.mjs';
import { displayPrograms, displays, runPlaywright } from './playwright.mjs';
import { onPath } from './system-packages.mjs';
import { readReport, reportsFolder, sum, tally } from './test-results.mjs';

/**
 * @typedef {import('./test-results.mjs').Tally} Tally
 * @typedef {{ root: string, electron: string, soak: boolean }} Bench `electron` is empty where no step needs it
 * @typedef {'electron' | 'build'} Need
 * @typedef {{ name: string, needs: Need[], programs: string[], run: (bench: Bench) => Promise<Tally> }} Step
 *   `programs` must be on the path for the step to run at all
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

/** Milliseconds after which a runner counts as hung: a test's stray child can keep one from ever ending. */
const limits = { usual: 30 * 60_000, soak: 60 * 60_000 };

/** @type {Step[]} */
export const steps = [
  script('lint', 'lint'),
  script('types', 'typecheck'),
  vitest('unit', ['electron']),
  vitest('integration', ['electron', 'build']),
  vitest('checklist', ['electron', 'build']),
  vitest('conformance', ['electron', 'build']),
  vitest('faults', ['electron', 'build']),
  whereBooksAre(vitest('books', ['electron'])),
  { name: 'e2e', needs: ['electron', 'build'], programs: displayPrograms, run: endToEnd },
];

/**
 * The programs that a set of steps asks for, those included without which single tests fail and say so.
 * @param {Step[]} chosen
 */
export function wantedPrograms(chosen) {
  const own = chosen.flatMap((step) => step.programs);
  const evaluates = chosen.some((step) => step.needs.includes('build'));
  return [...own, ...(evaluates ? lisps.filter((name) => linux || name === 'sbcl') : [])];
}

/** @param {Step} step */
export const absentPrograms = (step) => step.programs.filter((program) => !onPath(program));

/**
 * A check without tests of its own counts as one.
 * @param {string} name
 * @param {string} npmName script in package.json
 * @returns {Step}
 */
function script(name, npmName) {
  return {
    name,
    needs: [],
    programs: [],
    run: async ({ root }) => verdict((await npmScript(npmName, root)) === 0),
  };
}

/**
 * The tests of one folder, in Electron's Node. Unit tests of the window are beside what they test.
 * @param {string} name folder below test/
 * @param {Need[]} needs
 * @returns {Step}
 */
function vitest(name, needs) {
  /** @param {Bench} bench */
  const run = async ({ root, electron, soak }) => {
    if (!hasTests(path.join(root, 'test', name))) return { passed: 0, failed: 0, skipped: 0 };
    const report = freshReport(root, name);
    const folders = [`test/${name}/`, ...(name === 'unit' ? ['renderer/'] : [])];
    const args = ['run', '--config', 'test/vitest.config.ts', ...folders];
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const code = await handOver(electron, ['node_modules/vitest/vitest.mjs', ...args, ...reporters], {
      cwd: root,
      env: { ...testEnvironment(electron, soak), ELECTRON_RUN_AS_NODE: '1' },
      limit: soak ? limits.soak : limits.usual,
    });
    return counted(report, code);
  };
  return { name, needs, programs: [], run };
}

/**
 * The step's tests need ACL2's community books, gigabytes that nothing installs for them: where there are none, it says so.
 * @param {Step} step
 * @returns {Step}
 */
function whereBooksAre(step) {
  /** @param {Bench} bench */
  const run = async (bench) => {
    if (booksFolder() !== undefined) return step.run(bench);
    console.log(
      'not run: ACL2’s community books are not here (apt install acl2-books, or name them in ACL2_BOOKS)',
    );
    return { passed: 0, failed: 0, skipped: 0 };
  };
  return { ...step, run };
}

/** The folder of the community books: the one that is named, or Debian's. */
function booksFolder() {
  const usual = existsSync('/usr/share')
    ? readdirSync('/usr/share').filter((name) => /^acl2-/.test(name))
    : [];
  const folders = [process.env.ACL2_BOOKS ?? '', ...usual.map((name) => `/usr/share/${name}/books`)];
  return folders.find((folder) => existsSync(path.join(folder, 'arithmetic/top.lisp')) && folder !== '');
}

/**
 * Real windows of a real Electron, a share of the tests on each display.
 * @param {Bench} bench
 */
async function endToEnd({ root, electron, soak }) {
  const limit = soak ? limits.soak : limits.usual;
  const shares = Array.from({ length: displays }, async (_, index) => {
    const name = `e2e-${index + 1}`;
    const report = freshReport(root, name);
    const env = { ...testEnvironment(electron, soak), PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    const args = [`--shard=${index + 1}/${displays}`, `--output=test-results/${name}`];
    const share = { args, display: 99 + 100 * index };
    return counted(
      report,
      await runPlaywright('test/playwright.config.ts', { cwd: root, env, limit }, share),
    );
  });
  return sum(await Promise.all(shares));
}

/**
 * What tests may learn from outside: the binary, and whether repetitions are asked for in full.
 * @param {string} electron
 * @param {boolean} soak
 */
function testEnvironment(electron, soak) {
  return { ...process.env, ELECTRON_BIN: electron, ...(soak ? { LISP_HARBOR_SOAK: '1' } : {}) };
}

/**
 * @param {string} root
 * @param {string} name
 */
function freshReport(root, name) {
  const report = path.join(reportsFolder(root), `${name}.json`);
  mkdirSync(path.dirname(report), { recursive: true });
  rmSync(report, { force: true });
  return report;
}

/**
 * A runner that failed although each of its tests passed met an error outside them; one that wrote nothing ran nothing.
 * @param {string} report
 * @param {number} code the runner's exit code
 */
export function counted(report, code) {
  const count = tally(readReport(report));
  if (code !== 0 && count.failed === 0) count.failed = 1;
  return count;
}

/** @param {string} folder */
const hasTests = (folder) =>
  existsSync(folder) &&
  readdirSync(folder, { recursive: true }).some((name) => /\.test\.tsx?$/.test(String(name)));

/** @param {boolean} ok */
const verdict = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });
