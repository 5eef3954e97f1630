/** The options of `npm test`. */
import { parseArgs } from 'node:util';
import { SetupError } from './setup-error.mjs';

/**
 * `only` names every step unless some were asked for. `patterns` are parts of the paths of the test files that are wanted, which
 * `--attacks` names those of attacks by; `changed` is the revision of git since which files are to have changed for a test to run.
 * Both are absent where all tests run.
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
 * `--changed` may stand alone and then means what is not committed yet; `parseArgs` knows no value that may be left out.
 * @param {string[]} argv
 */
function withRevision(argv) {
  return argv.map((argument, index) => {
    const alone = index + 1 === argv.length || (argv[index + 1] ?? '').startsWith('-');
    return argument === '--changed' && alone ? '--changed=HEAD' : argument;
  });
}
