/**
 * The fences between folders: who may import whom. The table of rooms in ARCHITECTURE.md says it, a line a room; `npm run lint`
 * holds every import against it. A folder that is in no line is an error.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

/**
 * @typedef {{ place: string, may: string[] }} Room `place` is a folder or file; `<…>` in it stands for any folder. `may`
 *   has names of rooms below electron/, and of modules.
 * @typedef {{ file: string, specifier: string, message: string }} Crossing an import that climbs over a fence
 */

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** What may be imported everywhere, but for those whose lines say all. */
const EVERYWHERE = ['contract', 'host'];
const SAID_WHOLE = ['contract', 'host', 'words', 'preload.ts'];

/** What knows neither Node nor this machine. */
const PURE = ['contract', 'words', 'preload.ts', 'renderer'];

/** What is beside electron/, and closed to it. */
const OUTSIDE = ['renderer', 'resources', 'test'];

/** What a page may import of the app: `window` in fences-tree.test.ts says of what it is types alone. */
const OF_THE_WINDOW = ['contract', 'words', 'source'];

/** How the app is bundled, which is no part of it. */
const UNFENCED = ['electron/vite.config.ts'];

const ELECTRON = 'Only electron/main.ts, preload.ts and shell/ know Electron: take it by constructor.';

const PROGRAMS =
  'Programs are started by host/child-process.ts: a child inherits nothing there but what is named.';

const NODE = 'This is pure: it knows neither Node nor this machine.';

const WINDOW =
  'The window is a page: of the app it may import the types of electron/contract, electron/words and the reader in electron/source.';

/** An import at run time, and one in the middle of a type. */
const CALL = /\b(?:import|require)\s*\(\s*(['"`])([^'"`\n]+)\1/g;

/**
 * The lines of the table: `| \`electron/tools\` | what it is for | sessions, source |`.
 * @param {string} [text]
 * @returns {Room[]}
 */
export function rooms(text = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8')) {
  const lines = text.matchAll(/^\| `((?:electron|renderer)[^`]*)` \|.*\|([^|]*)\|$/gm);
  return Array.from(lines, ([, place = '', may = '']) => ({
    place: place.replace(/\/$/, ''),
    may: Array.from(may.matchAll(/`([^`]+)`/g), ([, name = '']) => name),
  }));
}

/**
 * Folders and files of electron/ that no line of the table is about, and lines about nothing.
 * @param {Room[]} table
 * @param {string} [root] the checkout
 */
export function unfenced(table, root = ROOT) {
  const entries = readdirSync(path.join(root, 'electron'), { withFileTypes: true });
  const there = ['renderer', ...entries.map(({ name }) => `electron/${name}`)];
  const places = table.map(({ place }) => place).filter((place) => !place.includes('<'));
  const ours = there.filter((place) => !UNFENCED.includes(place));
  return [
    ...ours.filter((place) => !places.includes(place)).map((place) => `${place} is in no line of the table`),
    ...places
      .filter((place) => !there.includes(place))
      .map((place) => `${place} is in the table and nowhere else`),
  ];
}

/**
 * The imports of a checkout that climb over a fence.
 * @param {Room[]} table
 * @param {string} [root] the checkout
 * @returns {Crossing[]}
 */
export function crossings(table, root = ROOT) {
  return ['electron', 'renderer']
    .flatMap((folder) => sourcesIn(root, folder))
    .flatMap((file) => crossingsIn(table, file, readFileSync(path.join(root, file), 'utf8')));
}

/**
 * The imports of one file that climb over a fence.
 * @param {Room[]} table
 * @param {string} file its path below the root of the checkout, with slashes
 * @param {string} text
 * @returns {Crossing[]}
 */
export function crossingsIn(table, file, text) {
  if (UNFENCED.includes(file)) return [];
  return specifiersIn(file, text).flatMap((specifier) => {
    const message = refusal(table, file, specifier);
    return message === null ? [] : [{ file, specifier, message }];
  });
}

/**
 * What a file imports, types and what it only hands on included.
 * @param {string} file
 * @param {string} text
 */
function specifiersIn(file, text) {
  const { staticImports, staticExports } = parseSync(file, text).module;
  const handedOn = staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest));
  const named = [...staticImports.map(({ moduleRequest }) => moduleRequest), ...handedOn];
  const called = Array.from(text.matchAll(CALL), ([, , specifier = '']) => specifier);
  return [...new Set([...named.flatMap((request) => request?.value ?? []), ...called])];
}

/**
 * @param {string} root
 * @param {string} folder below it
 * @returns {string[]} paths below the root, with slashes
 */
function sourcesIn(root, folder) {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
}

/**
 * Why a file may not import that.
 * @param {Room[]} table
 * @param {string} file
 * @param {string} specifier
 * @returns {string | null}
 */
function refusal(table, file, specifier) {
  const room = table.find(({ place }) => file === place || file.startsWith(`${place}/`));
  if (!room) return `${file} is in no room of the table.`;
  if (!specifier.startsWith('.')) return refusedModule(room, specifier);
  const target = path.posix.join(path.posix.dirname(file), specifier);
  if (room.place === 'renderer') return refusedToWindow(target);
  return refusedPlace(room, target) ?? refusedNeighbour(table, file, target);
}

/**
 * @param {Room} room
 * @param {string} specifier of a module that is no file of ours
 * @returns {string | null}
 */
function refusedModule({ place, may }, specifier) {
  const own = nameOf(place);
  if (/^electron(?:\/|$)/.test(specifier) && !may.includes('electron')) return ELECTRON;
  if (specifier.startsWith('node:') && PURE.includes(own)) return NODE;
  if (/^(?:node:)?child_process$/.test(specifier) && own !== 'host') return PROGRAMS;
  return null;
}

/** @param {string} target */
function refusedToWindow(target) {
  return target.startsWith('electron/') && !OF_THE_WINDOW.includes(roomOf(target)) ? WINDOW : null;
}

/**
 * @param {Room} room
 * @param {string} target
 * @returns {string | null}
 */
function refusedPlace({ place, may }, target) {
  const own = nameOf(place);
  const everywhere = SAID_WHOLE.includes(own) ? [] : EVERYWHERE;
  const allowed = [own.replace(/\.ts$/, ''), ...may, ...everywhere];
  const isOpen = target.startsWith('electron/')
    ? allowed.includes(roomOf(target))
    : !OUTSIDE.includes(target.split('/')[0] ?? '');
  // `electron` among them is the module.
  const told = may.filter((name) => name !== 'electron');
  return isOpen ? null : `${place} may import: ${listed([...everywhere, ...told])}.`;
}

/**
 * For `electron/images/<engine>`: of the folders beside it, it may import only those that its line names.
 * @param {Room[]} table
 * @param {string} file
 * @param {string} target
 * @returns {string | null}
 */
function refusedNeighbour(table, file, target) {
  for (const { place, may } of table.filter(({ place }) => place.includes('<'))) {
    const above = `${path.posix.dirname(place)}/`;
    const own = folderBelow(above, file);
    const other = folderBelow(above, target);
    if (own !== null && other !== null && own !== other && !may.includes(other))
      return `${place} may import of its neighbours: ${listed(may)}.`;
  }
  return null;
}

/**
 * @param {string} above ends with a slash
 * @param {string} file
 * @returns {string | null} the folder there in which it is
 */
function folderBelow(above, file) {
  const [folder, below] = file.startsWith(above) ? file.slice(above.length).split('/') : [];
  return below === undefined ? null : (folder ?? null);
}

/** @param {string} place of a room */
const nameOf = (place) => place.replace('electron/', '');

/** @param {string} target below electron/ */
const roomOf = (target) => nameOf(target).split('/')[0]?.replace(/\.ts$/, '') ?? '';

/** @param {string[]} names */
const listed = (names) => (names.length === 0 ? 'nothing' : names.join(', '));

/** Tells what is wrong, a line each, and ends with 1 if anything is. */
function main() {
  const table = rooms();
  const wrong = [
    ...unfenced(table).map((problem) => `ARCHITECTURE.md, table of rooms: ${problem}.`),
    ...crossings(table).map(({ file, specifier, message }) => `${file} imports ${specifier}. ${message}`),
  ];
  for (const line of wrong) console.error(line);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
