#!/usr/bin/env node
/** `lisp-harbor <command> …` from a clone: `npm run -s lisp-harbor -- <command> …`, or this file by its path. */
import { pathToFileURL } from 'node:url';
import { builtFile } from './headless.mjs';
import { root } from './places.mjs';
import { endWith } from './setup-error.mjs';

/** Commands with an entry of their own, which reads the rest of the command line. @type {Record<string, string>} */
const entries = { serve: './serve.mjs', stdio: './stdio.mjs' };

const [word = '', ...rest] = process.argv.slice(2);
const entry = entries[word];
const asked = word === '--help' || rest.includes('--help');

if (entry !== undefined && !asked) {
  process.argv.splice(2, 1);
  await import(entry);
} else if (word === '--mcp-stdio') {
  process.argv.splice(2, 1);
  await import('./stdio.mjs');
} else if (!asked && (word === '' || word.startsWith('-'))) {
  await import('./start.mjs');
} else {
  await endWith(async () => {
    await import(pathToFileURL(builtFile(root, 'command-line.js')).href);
    return undefined;
  });
}
