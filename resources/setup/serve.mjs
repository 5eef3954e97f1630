/**
 * `npm run serve`: runs the harbor without a window. Installs nothing, and prints only the ready line on
 * stdout.
 */
import { help, root, serveHeadless, wantsHelp } from './checkout.mjs';
import { endWith, say } from './console.mjs';
import { electronBinary, electronRuns } from './electron.mjs';

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
  wantsHelp(options) ? help(['serve']) : serveHeadless(root, await loadableElectron(), options),
);
