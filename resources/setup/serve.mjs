/** `npm run serve`: the harbor without a window. stdout carries its ready line and nothing of ours; nothing is installed. */
import { electronBinary } from './electron.mjs';
import { electronRuns } from './electron-check.mjs';
import { serveHeadless } from './headless.mjs';
import { asksForHelp, help } from './help.mjs';
import { root } from './places.mjs';
import { say } from './progress.mjs';
import { endWith } from './setup-error.mjs';

async function loadableElectron() {
  const binary = electronBinary(root);
  if (binary === undefined) return undefined;
  const check = await electronRuns(root, binary);
  if (check.ok) return binary;
  say(`Electron (${binary}) cannot be loaded here: ${check.reason}`);
  return undefined;
}

const options = process.argv.slice(2);
await endWith(async () =>
  asksForHelp(options) ? help(['serve']) : serveHeadless(root, await loadableElectron(), options),
);
