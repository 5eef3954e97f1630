/** What a source file imports, and what that imports in turn. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Static imports, re-exports and `import(…)` with a path of its own. What is imported as a type alone changes no behaviour. */
const IMPORTS = /\b(?:import|export)\b(?!\s+type\b)(?:[^'"`;]*?\bfrom)?\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;

/** What a path may leave out at its end. */
const ENDINGS = ['', '.ts', '.tsx', '.mjs'];

/**
 * The file itself and every file of the repository that it imports, directly or not.
 * @param {string} root of the repository
 * @param {string} file path below the root
 * @returns {Set<string>} paths below the root, with slashes
 */
export function reached(root, file) {
  /** @type {Set<string>} */
  const found = new Set();
  const waiting = [path.join(root, file)];
  for (const next of waiting) {
    const name = path.relative(root, next).split(path.sep).join('/');
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...imported(next));
  }
  return found;
}

/** @type {Map<string, string[]>} */
const known = new Map();

/**
 * @param {string} file absolute
 * @returns {string[]} absolute paths; those of packages are left out
 */
function imported(file) {
  const before = known.get(file);
  if (before !== undefined) return before;
  const text = /\.(tsx?|mjs)$/.test(file) ? readFileSync(file, 'utf8') : '';
  const files = [...text.matchAll(IMPORTS)].flatMap(([, to = '']) => resolved(path.dirname(file), to));
  known.set(file, files);
  return files;
}

/**
 * @param {string} folder
 * @param {string} to
 */
function resolved(folder, to) {
  const whole = ENDINGS.map((ending) => path.resolve(folder, to + ending));
  return whole.filter((file) => existsSync(file) && statSync(file).isFile()).slice(0, 1);
}
