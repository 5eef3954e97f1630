/** The options of `npm test`. */
import { parseArgs } from 'node:util';
import { SetupError } from './setup-error.mjs';

/**
 * @param {string[]} argv
 * @param {string[]} known the steps' names
 * @returns {{ soak: boolean, only: string[] }} `only` names every step unless some were asked for
 */
export function testArguments(argv, known) {
  const { soak = false, only = [] } = parse(argv);
  const named = only.flatMap((names) => names.split(','));
  const unknown = named.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new SetupError(`--only ${unknown}: there is no such step. Steps: ${known.join(', ')}.`);
  }
  return { soak, only: named.length === 0 ? known : named };
}

/** @param {string[]} argv */
function parse(argv) {
  try {
    const options = /** @type {const} */ ({
      soak: { type: 'boolean' },
      only: { type: 'string', multiple: true },
    });
    return parseArgs({ args: argv, options }).values;
  } catch (error) {
    throw new SetupError(
      `${error instanceof Error ? error.message : error}\nOptions: --soak, --only STEP[,STEP].`,
    );
  }
}
