/** Paths of this checkout, and running its built bundles: help, the headless harbor. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { handOver } from './child-process.mjs';
import { SetupError, say } from './console.mjs';

/** The checkout's root folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Cache of the setup scripts. It is in node_modules because `npm ci` then clears it together with the
 * packages it describes.
 * @param {string} base the checkout's root folder
 */
export const cacheFolder = (base) => path.join(base, 'node_modules', '.cache', 'lisp-harbor');

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

/**
 * Node-API version that the SQLite addon requires; Node 22.14 was the first with it. On an older Node,
 * loading the addon ends the process without a message.
 */
const NEEDED_NODE_API = 10;

/**
 * Runs the harbor without a window until a signal ends it: in Electron's Node if available, else in this
 * Node.
 * @param {string} root
 * @param {string | undefined} electron a binary that is known to run; undefined if there is none
 * @param {string[]} options of the harbor
 * @returns {Promise<number>} its exit code
 */
export async function serveHeadless(root, electron, options) {
  const script = builtFile(root, 'serve.js');
  if (electron !== undefined) {
    return handOver(electron, [script, ...options], {
      env: { ...process.env, ...ourNode(), ELECTRON_RUN_AS_NODE: '1' },
    });
  }
  requirePlainNode(process.versions);
  say(`serving on Node ${process.versions.node}, because no Electron is available.`);
  return handOver(process.execPath, [script, ...options]);
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

/** @param {{ node: string, napi?: string }} versions as in `process.versions` */
export function requirePlainNode({ node, napi }) {
  if (Number(napi) >= NEEDED_NODE_API) return;
  throw new SetupError(
    `no Electron runs here, and Node ${node} is too old to serve without it. "npm start" installs ` +
      'Electron and reports what it lacks; Node 22.14 or newer works without.',
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
