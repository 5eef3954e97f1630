/** Paths of this checkout, its built bundles, and their help. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SetupError } from './console.mjs';

/** The checkout's root folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Cache of the setup scripts. It is in node_modules because `npm ci` then clears it together with the
 * packages it describes.
 * @param {string} base the checkout's root folder
 */
export const cacheFolder = (base) => path.join(base, 'node_modules', '.cache', 'lisp-harbor');

/**
 * Writes a file, and creates its folder.
 * @param {string} file
 * @param {string} text
 */
export function writeText(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/**
 * Writes a file of the cache. A clone that cannot be written goes without it.
 * @param {string} file
 * @param {string} text
 */
export function remember(file, text) {
  try {
    writeText(file, text);
  } catch (error) {
    if (!['EACCES', 'EROFS', 'EPERM'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? ''))
      throw error;
  }
}

/**
 * Creates an empty folder for one download. Its name is fixed, so that remains of an aborted run are removed
 * by the next one.
 * @param {string} base the checkout's root folder
 * @param {string} name
 */
export function emptyScratch(base, name) {
  const folder = path.join(cacheFolder(base), `incoming-${name}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Names the Node that other programs start the bridge with, because the harbor runs in Electron's Node. */
export const ourNode = () => ({ LISP_HARBOR_NODE: process.execPath });

/**
 * @param {string} root
 * @param {string} bundle file in out/electron
 * @returns {string} its path
 */
export function builtFile(root, bundle) {
  const file = path.join(root, 'out', 'electron', bundle);
  if (existsSync(file)) return file;
  throw new SetupError(
    'not built yet. Run "npm start" once, or "npm ci && npm run build", and then this command again.',
  );
}

const NOT_BUILT = `Usage: npm start -- [options]

Installs missing packages, builds the app and opens its window, or serves without a window if there is no display.
After the first build, --help lists the options of every command.
`;

/** @param {readonly string[]} words */
export const wantsHelp = (words) => words.includes('--help') || words.includes('-h');

/**
 * Prints the help of a command with the built command line, in this process. Installs, builds and starts
 * nothing.
 * @param {readonly string[]} command empty for the help of all commands
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
