/** Runs the harbor without a window, in Electron's Node where that is to be had, else in ours. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { handOver } from './child.mjs';
import { say } from './progress.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * The Node-API version that the harbor's SQLite is built for: on a Node that has a lower one, loading it ends the process
 * without a word. Node 22.14 was the first with it.
 */
const NEEDED_NODE_API = 10;

/**
 * Serves until a signal ends it.
 * @param {string} root
 * @param {string | undefined} electron a binary that is known to run; undefined where there is none
 * @param {string[]} options the harbor's own
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
  say(`serving on plain Node ${process.versions.node}, because there is no Electron to run on.`);
  return handOver(process.execPath, [script, ...options]);
}

/** The Node that other programs shall start the bridge with: the harbor itself runs in Electron's. */
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
    `there is no Electron that runs here, and Node ${node} is too old to do without. ` +
      '"npm start" gets Electron and says what it lacks; Node 22.14 or newer does without.',
  );
}
