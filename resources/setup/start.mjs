/** `npm start`: installs, builds and opens the window, or serves without a window if there is no display. */
import { statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { builtFile, help, ourNode, root, wantsHelp } from './checkout.mjs';
import { handOver } from './child-process.mjs';
import { endWith, SetupError, say } from './console.mjs';
import { readyElectron } from './electron.mjs';
import { readyRuntime, serveHeadless } from './headless.mjs';
import { ensureBuild, ensureDependencies } from './prepare.mjs';
import { hasNoOpenGl } from './system-packages.mjs';

const HOW_TO_CONNECT =
  ' Connect an MCP client to the address "mcp" of the line below with the header "Authorization: ' +
  'Bearer <token>", or let it run "npm run -s stdio" in this folder.';

/** Signals that a user ends a program with. @type {NodeJS.Signals[]} */
const ENDED_BY_USER = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Signals of a crash. @type {NodeJS.Signals[]} */
const CRASHES = ['SIGTRAP', 'SIGILL', 'SIGABRT', 'SIGBUS', 'SIGSEGV'];

/**
 * Without OpenGL Chromium's GPU process fails and prints that. The process that remains may end with the
 * group of a signal, which must not count as a crash of the app.
 */
const WITHOUT_GPU = ['--disable-gpu', '--disable-gpu-process-crash-limit'];

/** @param {string[]} options of the app */
async function start(options) {
  checkFirst(options);
  await ensureDependencies(root, 'app');
  await ensureBuild(root);
  await checkOptions(options);
  if (!hasDisplay()) return serve(options, 'no display');
  const binary = await electronOrReason();
  if (binary === undefined) return serve(options, 'no Electron');
  let stopped = false;
  for (const signal of ENDED_BY_USER) process.on(signal, () => (stopped = true));
  const code = await openWindow(binary, options);
  const crash = crashOf(code);
  if (crash === undefined || stopped) return code;
  return serve(options, `Electron crashed (${crash})`);
}

/**
 * Checks before anything is installed what needs no build: the project, and that npm passed the options on.
 * @param {string[]} options
 */
function checkFirst(options) {
  const [first] = options;
  if (first !== undefined && !first.startsWith('-'))
    throw new SetupError(
      `Unexpected argument '${first}'. npm keeps options that do not follow "--": npm start -- --data DIR`,
    );
  const { project: named } = parseArgs({
    args: options,
    options: { project: { type: 'string' } },
    strict: false,
  }).values;
  if (typeof named !== 'string') return;
  // npm runs its scripts in the root of the clone, and names the folder where it was called.
  const folder = path.resolve(process.env.INIT_CWD ?? process.cwd(), named);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new SetupError(`--project ${named} is not a folder.`);
}

/**
 * Checks the options here, because the app shares its command line with Chromium and ignores unknown ones.
 * @param {string[]} options
 */
async function checkOptions(options) {
  const { parseOptions } = await import(pathToFileURL(builtFile(root, 'options.js')).href);
  try {
    parseOptions(options);
  } catch (error) {
    throw new SetupError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {string[]} options
 * @param {string} why there is no window
 */
async function serve(options, why) {
  say(`${why}: serving without a window.${options.includes('--hidden') ? '' : HOW_TO_CONNECT}`);
  return serveHeadless(root, await readyRuntime(root), options);
}

/** Returns undefined without Electron: there is no window then, but the harbor runs in plain Node. */
async function electronOrReason() {
  try {
    return await readyElectron(root);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    return undefined;
  }
}

function hasDisplay() {
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * @param {string} binary
 * @param {string[]} options
 */
async function openWindow(binary, options) {
  // Chromium's own messages are not about Lisp Harbor, except the reason of a crash.
  const switches = ['--log-level=3'];
  if (await hasNoOpenGl()) switches.push(...WITHOUT_GPU);
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    say("running as root, which Chromium's sandbox does not support: starting with --no-sandbox.");
    switches.push('--no-sandbox');
  }
  // Electron refuses --debug, which was an option of Node.
  const debug = options.includes('--debug') ? { MCP_DEBUG: 'true' } : {};
  const others = options.filter((option) => option !== '--debug');
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, ...ourNode(), ...debug };
  delete env.ELECTRON_RUN_AS_NODE;
  return handOver(binary, [root, ...switches, ...others], { env });
}

/**
 * Returns the signal of a crash, from an exit code as a shell reports it.
 * @param {number} code
 */
function crashOf(code) {
  return CRASHES.find((name) => code === 128 + os.constants.signals[name]);
}

const options = process.argv.slice(2);
await endWith(() => (wantsHelp(options) ? help(['start']) : start(options)));
