/** Options of `npm test`, and the test files that they select. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { capture } from './child-process.mjs';
import { SetupError, say } from './console.mjs';

/**
 * `only` names the selected steps, by default all. `patterns` are parts of the paths of selected files, and
 * `--attacks` selects attack tests; `changed` is the git revision since which files must have changed. Both
 * are absent if all tests run.
 * @typedef {{ soak: boolean, only: string[], patterns?: string[], changed?: string }} Asked
 */

/**
 * @param {string[]} argv
 * @param {string[]} known the steps' names
 * @returns {Asked}
 */
export function testArguments(argv, known) {
  const { values, positionals } = parse(argv);
  const { soak = false, only = [], changed, attacks = false } = values;
  const patterns = [...positionals, ...(attacks ? ['attacks'] : [])];
  const named = only.flatMap((names) => names.split(','));
  const unknown = named.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new SetupError(`--only ${unknown}: there is no such step. Steps: ${known.join(', ')}.`);
  }
  return {
    soak,
    only: named.length === 0 ? known : named,
    ...(patterns.length > 0 ? { patterns } : {}),
    ...(changed === undefined ? {} : { changed }),
  };
}

/** @param {string[]} argv */
function parse(argv) {
  try {
    const options = /** @type {const} */ ({
      soak: { type: 'boolean' },
      only: { type: 'string', multiple: true },
      changed: { type: 'string' },
      attacks: { type: 'boolean' },
    });
    return parseArgs({ args: withRevision(argv), options, allowPositionals: true });
  } catch (error) {
    throw new SetupError(
      `${error instanceof Error ? error.message : error}\nOptions: [PATTERN…], --attacks, --changed [REVISION], --only STEP[,STEP], --soak.`,
    );
  }
}

/**
 * `--changed` without a value means uncommitted changes; `parseArgs` does not support optional values.
 * @param {string[]} argv
 */
function withRevision(argv) {
  return argv.map((argument, index) => {
    const alone = index + 1 === argv.length || (argv[index + 1] ?? '').startsWith('-');
    return argument === '--changed' && alone ? '--changed=HEAD' : argument;
  });
}

/**
 * @typedef {{ name: string, tests?: RegExp }} Kind a step; `tests` matches its test files, absent for a check
 *   without files
 * @typedef {{ files: string[], everything: boolean }} Selection test files as paths below the repository's
 *   root, with slashes; whether all are selected
 */

/**
 * @param {string} root of the repository
 * @param {Asked} asked
 * @param {Kind[]} kinds to choose from
 * @returns {Promise<Selection>}
 * @throws {SetupError} if a pattern matches nothing, or git does not know the revision
 */
export async function selectTests(root, { patterns, changed }, kinds) {
  const all = testFiles(root).filter((file) => kinds.some(({ tests }) => tests?.test(file)));
  if (patterns === undefined && changed === undefined) return { files: all, everything: true };
  const matching = matched(all, patterns ?? ['']);
  if (changed === undefined) return { files: matching, everything: false };
  return { files: await touched(root, changed, matching), everything: false };
}

/** Folders with tests; those of the window are next to its code. */
const FOLDERS = ['test', 'renderer'];

/**
 * Returns every test file.
 * @param {string} root
 */
function testFiles(root) {
  return FOLDERS.map((folder) => path.join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

/**
 * Returns the files whose path contains one of the patterns.
 * @param {string[]} files
 * @param {string[]} patterns
 */
function matched(files, patterns) {
  const idle = patterns.find((pattern) => !files.some((file) => file.includes(pattern)));
  if (idle !== undefined) throw new SetupError(`${idle}: matches the path of no test file.`);
  return files.filter((file) => patterns.some((pattern) => file.includes(pattern)));
}

/**
 * Returns the test files that changed or that import a changed file. Changed files that tests use without
 * importing them, as the built harbor or the Lisp side, are reported, because only a full run covers them.
 * @param {string} root
 * @param {string} revision
 * @param {string[]} tests
 */
async function touched(root, revision, tests) {
  const changed = await changedFiles(root, revision);
  const reaches = new Map(tests.map((test) => [test, reached(root, test)]));
  const unseen = changed.filter((file) => ![...reaches.values()].some((files) => files.has(file)));
  if (unseen.length > 0) say(`changed, but not imported by any test: ${unseen.join(', ')}`);
  return tests.filter((test) => changed.some((file) => reaches.get(test)?.has(file)));
}

/**
 * Returns the files that differ from a revision or are untracked, without deleted ones.
 * @param {string} root of the repository
 * @param {string} revision
 * @returns {Promise<string[]>} paths below the root, with slashes
 */
async function changedFiles(root, revision) {
  const known = await git(root, [
    'diff',
    '--name-only',
    '--relative',
    '--diff-filter=d',
    '-z',
    revision,
    '--',
  ]);
  const unknown = await git(root, ['ls-files', '--others', '--exclude-standard', '-z']);
  return [...known, ...unknown];
}

/**
 * @param {string} root
 * @param {string[]} args
 */
async function git(root, args) {
  const { code, output } = await capture('git', args, { cwd: root });
  if (code !== 0) throw new SetupError(`"git ${args.join(' ')}" failed (exit ${code}).\n${output.trim()}`);
  return output.split('\0').filter((file) => file !== '');
}

/**
 * Matches static imports, re-exports and `import(…)` with a relative path, but not type imports, which do not
 * affect behavior.
 */
const IMPORTS = /\b(?:import|export)\b(?!\s+type\b)(?:[^'"`;]*?\bfrom)?\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;

/** File name endings that an import may omit. */
const ENDINGS = ['', '.ts', '.tsx', '.mjs'];

/**
 * Returns the file and all files of the repository that it imports, directly or not.
 * @param {string} root of the repository
 * @param {string} file path below the root
 * @returns {Set<string>} paths below the root, with slashes
 */
function reached(root, file) {
  /** @type {Set<string>} */
  const found = new Set();
  const waiting = [path.join(root, file)];
  for (const next of waiting) {
    const name = path.relative(root, next).split(path.sep).join('/');
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...imported(next));
  }
  return found;
}

/** @type {Map<string, string[]>} */
const known = new Map();

/**
 * @param {string} file absolute
 * @returns {string[]} absolute paths, without packages
 */
function imported(file) {
  const before = known.get(file);
  if (before !== undefined) return before;
  const text = /\.(tsx?|mjs)$/.test(file) ? readFileSync(file, 'utf8') : '';
  const files = [...text.matchAll(IMPORTS)].flatMap(([, to = '']) => resolved(path.dirname(file), to));
  known.set(file, files);
  return files;
}

/**
 * @param {string} folder
 * @param {string} to
 */
function resolved(folder, to) {
  const whole = ENDINGS.map((ending) => path.resolve(folder, to + ending));
  return whole.filter((file) => existsSync(file) && statSync(file).isFile()).slice(0, 1);
}
