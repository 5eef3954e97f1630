/**
 * The shape of the code: no import cycles, type imports included; no new small file with a single importer beside it; no long
 * file without a reason; no listener or interval that is removed by a second call which repeats its name. `npm run lint` prints
 * the totals and fails on a cycle, an unexplained long file or such a pair.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

/**
 * @typedef {{ path: string, lines: number, imports: string[] }} Source paths are relative to the root, with slashes
 * @typedef {{ file: string, lines: number, importer: string }} Satellite a small file that only `importer` uses
 */

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Soft limit of a file, in lines. */
export const LONGEST = 450;

/** A file below this size belongs into its importer if there is only one, in the same folder. */
const SMALL = 60;

/** Files above the limit, each with the reason why it is one file. */
export const REASONS = new Map([
  ['renderer/inspector/inspector.module.css', 'one picture: a value in each of its views'],
  ['electron/sessions/session/session.ts', 'the interface of a session: every operation, with its contract'],
  [
    'electron/editors/language-server/language-server.ts',
    'one protocol: every request of an editor with its answer',
  ],
  ['test/unit/session-transition-table.ts', 'one table: every event in every state of a session'],
]);

const EXTENSIONS = ['', '.ts', '.tsx', '.mjs'];
const CALL = /\b(?:import|require)\s*\(\s*(['"`])([^'"`\n]+)\1/g;

/**
 * Reads the product's sources: all of electron/ and renderer/ but tests.
 * @param {string} [root]
 * @returns {Source[]}
 */
export function productSources(root = ROOT) {
  const files = ['electron', 'renderer'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/')),
  );
  return files.map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return { path: file, lines: text.split('\n').length - 1, imports: importsOf(root, file, text) };
  });
}

/**
 * @param {string} root
 * @param {string} file
 * @param {string} text
 * @returns {string[]} the files of ours that it imports
 */
function importsOf(root, file, text) {
  const { staticImports, staticExports } = parseSync(file, text).module;
  const named = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...Array.from(text.matchAll(CALL), ([, , specifier = '']) => specifier),
  ];
  const found = named
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => path.posix.join(path.posix.dirname(file), specifier))
    .flatMap(
      (base) => EXTENSIONS.map((extension) => base + extension).find((each) => isSource(root, each)) ?? [],
    );
  return [...new Set(found)].filter((each) => each !== file);
}

/**
 * @param {string} root
 * @param {string} file
 */
const isSource = (root, file) => /\.(tsx?|mjs)$/.test(file) && existsSync(path.join(root, file));

/**
 * Returns the groups of files that import each other in a circle (strongly connected components, Tarjan).
 * @param {Source[]} sources
 * @returns {string[][]}
 */
export function cycles(sources) {
  const imports = new Map(sources.map((source) => [source.path, source.imports]));
  /** @type {Map<string, number>} */
  const index = new Map();
  /** @type {Map<string, number>} */
  const low = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const found = [];
  /** @param {string} file */
  const visit = (file) => {
    const own = index.size;
    index.set(file, own);
    low.set(file, own);
    stack.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!imports.has(next)) continue;
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) ?? own, low.get(next) ?? own));
    }
    if (low.get(file) !== own) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group.toSorted());
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return found;
}

/**
 * Returns small files with a single importer in their own folder. Entries, which are loaded on demand, are none.
 * @param {Source[]} sources
 * @returns {Satellite[]}
 */
export function satellites(sources) {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const { path: file, imports } of sources)
    for (const each of imports) importers.set(each, [...(importers.get(each) ?? []), file]);
  return sources.flatMap(({ path: file, lines }) => {
    const [importer, ...others] = importers.get(file) ?? [];
    const isEntry = /^electron\/[^/]+$/.test(file);
    const isSatellite = importer !== undefined && others.length === 0 && lines < SMALL && !isEntry;
    return isSatellite && path.dirname(importer) === path.dirname(file) ? [{ file, lines, importer }] : [];
  });
}

/** Calls that remove by name, and the listener of a signal, which hides that it may have aborted already. */
const HAND_PAIRED =
  /\.(?:off|removeListener)\(|\b(?:removeEventListener|clearInterval)\(|\baddEventListener\(\s*'abort'/g;

/** These have the pairs: the functions of the harbor, and the preload script, which can import nothing. */
const PAIRS = ['electron/host/listeners.ts', 'electron/preload.ts'];

/**
 * Returns hand-paired listeners and intervals of a file, a line each. A view of the window returns its own from an effect.
 * @param {string} file
 * @param {string} text
 * @returns {string[]}
 */
export function handPaired(file, text) {
  if (!file.startsWith('electron/') || PAIRS.includes(file)) return [];
  return Array.from(text.matchAll(HAND_PAIRED), ({ 0: call, index }) => {
    const line = text.slice(0, index).split('\n').length;
    return `${file}:${line}: ${call.trim()}…) Use addListeners, onAbort or every of host/listeners.ts: they return the function that removes.`;
  });
}

/**
 * @param {Source[]} sources
 * @returns {number} of lines of a file
 */
export function medianLines(sources) {
  const lines = sources.map((source) => source.lines).toSorted((a, b) => a - b);
  return lines[Math.floor(lines.length / 2)] ?? 0;
}

function main() {
  const sources = productSources();
  const circles = cycles(sources);
  const small = satellites(sources);
  const paired = sources.flatMap(({ path: file }) =>
    handPaired(file, readFileSync(path.join(ROOT, file), 'utf8')),
  );
  for (const pair of paired) console.error(pair);
  for (const circle of circles)
    console.error(`Import cycle: ${circle.join(', ')}. Move what they share to the lowest.`);
  for (const { file, lines, importer } of small)
    console.warn(
      `warning: ${file} has ${lines} lines and one importer: move it into ${path.basename(importer)}.`,
    );
  console.log(
    `${sources.length} product files, median ${medianLines(sources)} lines, ${circles.length} import cycles, ` +
      `${small.length} small files with one importer`,
  );
  process.exitCode = circles.length + paired.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
