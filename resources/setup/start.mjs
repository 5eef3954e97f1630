/** `npm start`: installs, builds and opens the window, or serves without a window if there is no display. */
import { pathToFileURL } from 'node:url';
import { builtFile, help, ourNode, root, serveHeadless, wantsHelp } from './checkout.mjs';
import { handOver } from './child-process.mjs';
import { endWith, SetupError, say } from './console.mjs';
import { readyElectron } from './electron.mjs';
import { ensureBuild, ensureDependencies } from './prepare.mjs';

const HOW_TO_CONNECT =
  ' Connect an MCP client to the address "mcp" of the line below with the header "Authorization: ' +
  'Bearer <token>", or let it run "npm run -s stdio" in this folder.';

/** @param {string[]} options of the app */
async function start(options) {
  await ensureDependencies(root);
  await ensureBuild(root);
  await checkOptions(options);
  const binary = await electronOrReason();
  if (binary === undefined) return serveHeadless(root, undefined, options);
  if (hasDisplay()) return openWindow(binary, options);
  say(`no display: serving without a window.${options.includes('--hidden') ? '' : HOW_TO_CONNECT}`);
  return serveHeadless(root, binary, options);
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
function openWindow(binary, options) {
  const switches = [];
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    say("running as root, which Chromium's sandbox does not support: starting with --no-sandbox.");
    switches.push('--no-sandbox');
  }
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, ...ourNode() };
  delete env.ELECTRON_RUN_AS_NODE;
  return handOver(binary, [root, ...switches, ...options], { env });
}

const options = process.argv.slice(2);
await endWith(() => (wantsHelp(options) ? help(['start']) : start(options)));
