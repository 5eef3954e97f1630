/**
 * The fences between folders: who may import whom. The table of rooms in ARCHITECTURE.md says it, a line a room; this makes
 * the linter's rules from it (`npm run lint` runs it first). A folder that is in no line is an error.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {{ place: string, may: string[] }} Room `place` is a folder or file; `<…>` in it stands for any folder. `may`
 *   has names of rooms below electron/, and of modules.
 * @typedef {{ group: string[], message: string }} Pattern what Biome's noRestrictedImports takes, as .gitignore has it
 */

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** What may be imported everywhere, but for those whose lines say all. */
const EVERYWHERE = ['contract', 'host'];
const SAID_WHOLE = ['contract', 'host', 'words', 'preload.ts'];

/** What knows neither Node nor this machine. */
const PURE = ['contract', 'words', 'preload.ts'];

/** What is beside electron/. */
const OUTSIDE = ['renderer', 'resources', 'test'];

/** From the top of a room to electron/, and from folders in it. */
const WAYS_UP = ['../', '../../', '../../../'];

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
  const ours = there.filter((place) => place !== 'electron/vite.config.ts');
  return [
    ...ours.filter((place) => !places.includes(place)).map((place) => `${place} is in no line of the table`),
    ...places
      .filter((place) => !there.includes(place))
      .map((place) => `${place} is in the table and nowhere else`),
  ];
}

/**
 * The linter's rules that keep each room to its line.
 * @param {Room[]} table
 */
export function lintRules(table) {
  const names = table.map(({ place }) => place).filter((place) => /^electron\/[^/<]+$/.test(place));
  const others = names.map((place) => place.replace('electron/', ''));
  const overrides = table.flatMap((room) => (room.place.includes('<') ? [] : overrideFor(room, others)));
  const insides = table
    .filter(({ place }) => place.includes('<'))
    .map((room) => insideOf(room, table, others));
  return {
    $schema: '../node_modules/@biomejs/biome/configuration_schema.json',
    overrides: [...overrides, ...insides],
  };
}

/**
 * @param {Room} room
 * @param {string[]} others
 */
function overrideFor(room, others) {
  if (room.place === 'renderer') return override('**/renderer/**', windowPatterns());
  const includes = room.place.endsWith('.ts') ? `**/${room.place}` : `**/${room.place}/**`;
  return override(includes, patterns(room, others));
}

/**
 * For `electron/images/<engine>`: what the room allows, and of the folders beside it only those that its line names.
 * @param {Room} inside
 * @param {Room[]} table
 * @param {string[]} others
 */
function insideOf(inside, table, others) {
  const above = path.posix.dirname(inside.place);
  const room = table.find(({ place }) => place === above);
  if (!room) throw new Error(`${inside.place}: there is no line for ${above}.`);
  const beside = foldersIn(above).filter((name) => !inside.may.includes(name));
  return override(`**/${above}/*/**`, [
    ...patterns(room, others),
    {
      group: beside.map((name) => `../**/${name}/**`),
      message: `${inside.place} may import of its neighbours: ${listed(inside.may)}.`,
    },
  ]);
}

/**
 * What leads to a room, from however deep: no folder in a room has the name of another one that is closed to it. An entry is
 * named in full, since packages have files of such names. Few patterns, because the linter compiles them for each file.
 * @param {string} name
 * @param {string[]} ways
 */
const leadsTo = (name, ways) =>
  name.endsWith('.ts') ? ways.map((way) => way + name.replace(/\.ts$/, '')) : [`**/${name}/**`];

/**
 * @param {string} place below the root
 * @returns {string[]}
 */
function foldersIn(place) {
  const entries = readdirSync(path.join(ROOT, place), { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/**
 * @param {Room} room
 * @param {string[]} others
 * @returns {Pattern[]}
 */
function patterns({ place, may }, others) {
  const own = place.replace('electron/', '');
  const isFile = own.endsWith('.ts');
  const isPure = PURE.includes(own);
  const everywhere = SAID_WHOLE.includes(own) ? [] : EVERYWHERE;
  const allowed = [own, ...may, ...everywhere];
  const closed = others.filter((name) => !allowed.includes(name.replace(/\.ts$/, '')) && name !== own);
  const told = may.filter((name) => others.includes(name) || others.includes(`${name}.ts`));
  const mistaken = isFile ? [] : foldersIn(place).filter((name) => closed.includes(name));
  if (mistaken.length > 0)
    throw new Error(`${place} has folders named as rooms that are closed to it: ${mistaken.join(', ')}.`);
  const ways = isFile ? ['./'] : WAYS_UP;
  return [
    ...(allowed.includes('electron') ? [] : [ELECTRON]),
    ...(own === 'host' ? [] : [PROGRAMS]),
    ...(isPure ? [NODE] : []),
    {
      group: [
        ...closed.flatMap((name) => leadsTo(name, ways)),
        ...OUTSIDE.flatMap((name) => WAYS_UP.map((way) => `../${way}${name}/**`)),
      ],
      message: `${place} may import: ${listed([...everywhere, ...told])}.`,
    },
  ];
}

/** @returns {Pattern[]} */
function windowPatterns() {
  return [
    ELECTRON,
    NODE,
    {
      group: [
        '**/electron/**',
        '!**/electron/contract/**',
        '!**/electron/words/**',
        '!**/electron/source/**',
      ],
      message:
        'The window is a page: of the app it may import the types of electron/contract, electron/words and the reader in electron/source.',
    },
  ];
}

/** @type {Pattern} */
const ELECTRON = {
  group: ['electron', 'electron/*'],
  message: 'Only electron/main.ts, preload.ts and shell/ know Electron: take it by constructor.',
};

/** @type {Pattern} */
const PROGRAMS = {
  group: ['node:child_process', 'child_process'],
  message: 'Programs are started by host/child-process.ts: a child inherits nothing there but what is named.',
};

/** @type {Pattern} */
const NODE = { group: ['node:*'], message: 'This is pure: it knows neither Node nor this machine.' };

/**
 * @param {string} includes
 * @param {Pattern[]} patternsThere
 */
function override(includes, patternsThere) {
  const rule = { level: 'error', options: { patterns: patternsThere } };
  return { includes: [includes], linter: { rules: { style: { noRestrictedImports: rule } } } };
}

/** @param {string[]} names */
const listed = (names) => (names.length === 0 ? 'nothing' : names.join(', '));

/** Writes the rules beside lint.json, which takes them in. */
function main() {
  const table = rooms();
  const problems = unfenced(table);
  if (problems.length > 0) throw new Error(`ARCHITECTURE.md, table of rooms: ${problems.join('; ')}.`);
  writeFileSync(path.join(ROOT, 'test/fences.json'), `${JSON.stringify(lintRules(table), null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
