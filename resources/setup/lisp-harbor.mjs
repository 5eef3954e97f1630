#!/usr/bin/env node
/**
 * `lisp-harbor <command> …` in a clone: `npm run -s lisp-harbor -- <command> …`, or this file by its path.
 */
import { pathToFileURL } from 'node:url';
import { builtFile, help, root, wantsHelp } from './checkout.mjs';
import { endWith } from './console.mjs';

/**
 * Commands with an entry of their own, which parses the remaining arguments. @type {Record<string, string>}
 */
const entries = { serve: './serve.mjs', stdio: './stdio.mjs' };

const words = process.argv.slice(2);
const [word = ''] = words;
const entry = entries[word];

if (wantsHelp(words)) {
  await endWith(() => help(words.filter((each) => !each.startsWith('-')).slice(0, 1)));
} else if (entry !== undefined) {
  process.argv.splice(2, 1);
  await import(entry);
} else if (word === '--mcp-stdio') {
  process.argv.splice(2, 1);
  await import('./stdio.mjs');
} else if (word === '' || (word.startsWith('-') && word !== '--version')) {
  await import('./start.mjs');
} else {
  // Commands without a harbor have a bundle of their own, which starts faster.
  const bundle = word === 'fix' ? 'fix.js' : 'command-line.js';
  await endWith(async () => {
    await import(pathToFileURL(builtFile(root, bundle)).href);
    return undefined;
  });
}
