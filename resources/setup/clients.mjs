/** `npm run clients`: shows, connects and disconnects the MCP configurations of other programs, in this very process. */
import { pathToFileURL } from 'node:url';
import { builtFile } from './headless.mjs';
import { root } from './places.mjs';
import { endWith } from './setup-error.mjs';

await endWith(async () => {
  await import(pathToFileURL(builtFile(root, 'clients.js')).href);
  return undefined;
});
