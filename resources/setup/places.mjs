/** Where the set-up works: this checkout, and the folder in it that may be deleted at any time. */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's root folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * The set-up's own folder. It lies in node_modules because `npm ci` then clears it together with what it describes.
 * @param {string} base the checkout's root folder
 */
export const cacheFolder = (base) => path.join(base, 'node_modules', '.cache', 'lisp-harbor');

/**
 * An empty folder for one download. Its name is fixed so that what a killed run left there goes with the next one.
 * @param {string} base the checkout's root folder
 * @param {string} name
 */
export function emptyScratch(base, name) {
  const folder = path.join(cacheFolder(base), `incoming-${name}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}
