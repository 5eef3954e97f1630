/** `npm start`: from a fresh clone to a window, or to a headless harbor where there is no display. */
import { pathToFileURL } from 'node:url';
import { ensureBuild } from './build.mjs';
import { handOver } from './child.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { readyElectron } from './electron-ready.mjs';
import { builtFile, ourNode, serveHeadless } from './headless.mjs';
import { asksForHelp, help } from './help.mjs';
import { root } from './places.mjs';
import { say } from './progress.mjs';
import { endWith, SetupError } from './setup-error.mjs';

const HOW_TO_CONNECT =
  ' Point an MCP client at the address "mcp" of the line below with the header "Authorization: Bearer <token>", ' +
  'or let it run "npm run -s stdio" in this folder.';

/** @param {string[]} options the app's own */
async function start(options) {
  await ensureDependencies(root);
  await ensureBuild(root);
  await checkOptions(options);
  const binary = await electronOrReason();
  if (binary === undefined) return serveHeadless(root, undefined, options);
  if (hasDisplay()) return openWindow(binary, options);
  say(`no display, so no window: serving headless.${options.includes('--hidden') ? '' : HOW_TO_CONNECT}`);
  return serveHeadless(root, binary, options);
}

/**
 * The app shares its command line with Chromium and passes over what it does not know, so a slip is found here.
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

/** Without Electron there is no window, but the harbor itself runs on a plain Node too. */
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
    say("running as root, which Chromium's own sandbox refuses: starting it with its switch --no-sandbox.");
    switches.push('--no-sandbox');
  }
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, ...ourNode() };
  delete env.ELECTRON_RUN_AS_NODE;
  return handOver(binary, [root, ...switches, ...options], { env });
}

const options = process.argv.slice(2);
await endWith(() => (asksForHelp(options) ? help(['start']) : start(options)));
