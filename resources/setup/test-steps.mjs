/** The steps of `npm test`: what each one needs, and in which run its tests are. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';
import { displayPrograms } from './playwright.mjs';
import { onPath } from './system-packages.mjs';
import { whyNoOther } from './unprivileged.mjs';

/**
 * @typedef {'electron' | 'build' | 'lisps'} Need `build`: that of out/, for tests which run it; `lisps`: the engines, and what
 *   else tests of sessions take
 * @typedef {'npm' | 'vitest' | 'playwright'} Runner
 * @typedef {{ name: string, runner: Runner, run: string, needs: Need[], programs: string[], tests?: RegExp,
 *   config?: string, inSoak?: true, asNobody?: true, whyNot?: () => string | undefined }} Step
 *   `run` is shared by steps whose tests run as one, so that no core waits for the last test of each; it is the script's name where
 *   npm runs it. `programs` must be on the path for the step to run at all. `tests` matches its test files: paths below the root,
 *   with slashes. `config` is Playwright's, where it is not the usual one. `inSoak` steps run there alone, and those `asNobody` as an unprivileged user. `whyNot` says why the step is not to
 *   run, which is no failure.
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
  'not run: only root can install a package, and this one is for Debian and its relatives';

/** @type {Need[]} */
const ENGINES = ['electron', 'build', 'lisps'];

/** Tests of the window that what is installed passes as well: what people do every day. */
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
    // It builds out/ itself, from nothing.
    needs: ['electron', 'lisps'],
    programs: [...displayPrograms, 'setpriv', 'rpmbuild', '7za', 'man'],
    tests: new RegExp(`^test/(package/.*|e2e/(${MAIN.join('|')}))\\.spec\\.ts$`),
    config: 'test/package.config.ts',
    inSoak: true,
    whyNot: () => (process.getuid?.() === 0 && onPath('apt-get') ? undefined : NOT_INSTALLED),
  },
];

/**
 * The programs that a set of steps asks for, those included without which single tests fail and say so.
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
 * A check without tests of its own counts as one.
 * @param {string} name
 * @param {string} script in package.json
 * @returns {Step}
 */
function check(name, script) {
  return { name, runner: 'npm', run: script, needs: [], programs: [] };
}

/**
 * The tests of one folder, in Electron's Node. Unit tests of the window are beside what they test.
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
 * ACL2's community books are gigabytes that nothing installs for the tests which need them: where there are none, those tests do
 * not run.
 * @returns {string | undefined} why not
 */
function whyNoBooks() {
  if (booksFolder() !== undefined) return undefined;
  return 'not run: ACL2’s community books are not here (apt install acl2-books, or name them in ACL2_BOOKS)';
}

/** The folder of the community books: the one that is named, or Debian's. */
function booksFolder() {
  const usual = existsSync('/usr/share')
    ? readdirSync('/usr/share').filter((name) => /^acl2-/.test(name))
    : [];
  const folders = [process.env.ACL2_BOOKS ?? '', ...usual.map((name) => `/usr/share/${name}/books`)];
  return folders.find((folder) => existsSync(path.join(folder, 'arithmetic/top.lisp')) && folder !== '');
}
