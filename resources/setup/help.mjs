/**
 * `--help` of what npm runs. The built command line answers, in this very process: for a question nothing is installed,
 * built or started.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './places.mjs';

const NOT_BUILT = `Usage: npm start -- [options]

installs what is missing, builds the app and opens its window; without a display it serves without one.
Once it is built, --help lists the options of every entry.
`;

/** @param {readonly string[]} words */
export const asksForHelp = (words) => words.includes('--help') || words.includes('-h');

/**
 * Prints the help of a command.
 * @param {readonly string[]} command empty for that of all
 * @returns {Promise<undefined>}
 */
export async function help(command) {
  const file = path.join(root, 'out', 'electron', 'command-line.js');
  if (existsSync(file)) {
    process.argv.splice(2, Number.POSITIVE_INFINITY, ...command, '--help');
    await import(pathToFileURL(file).href);
  } else {
    process.stdout.write(NOT_BUILT);
  }
  return undefined;
}
