/**
 * `npm run serve`: runs the harbor without a window. Installs nothing, and prints only the ready line on
 * stdout.
 */
import { builtFile, help, root, wantsHelp } from './checkout.mjs';
import { endWith } from './console.mjs';
import { presentRuntime, serveHeadless, tooOld } from './headless.mjs';

/** @param {string[]} options of the harbor */
async function serve(options) {
  builtFile(root, 'serve.js');
  const runtime = await presentRuntime(root);
  if (runtime === undefined) throw tooOld();
  return serveHeadless(root, runtime, options);
}

const options = process.argv.slice(2);
await endWith(() => (wantsHelp(options) ? help(['serve']) : serve(options)));
