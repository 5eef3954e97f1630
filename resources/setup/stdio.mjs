/**
 * `npm run -s stdio`: MCP over stdin and stdout, in this process. Prints nothing but the protocol on stdout.
 */
import { pathToFileURL } from 'node:url';
import { builtFile, help, root, wantsHelp } from './checkout.mjs';
import { endWith } from './console.mjs';

await endWith(async () => {
  if (wantsHelp(process.argv)) return help(['stdio']);
  await import(pathToFileURL(builtFile(root, 'stdio.js')).href);
  return undefined;
});
