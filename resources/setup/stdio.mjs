/** `npm run -s stdio`: MCP over stdin and stdout, in this very process. stdout carries the protocol and nothing else. */
import { pathToFileURL } from 'node:url';
import { builtFile } from './headless.mjs';
import { asksForHelp, help } from './help.mjs';
import { root } from './places.mjs';
import { endWith } from './setup-error.mjs';

await endWith(async () => {
  if (asksForHelp(process.argv)) return help(['stdio']);
  await import(pathToFileURL(builtFile(root, 'stdio.js')).href);
  return undefined;
});
