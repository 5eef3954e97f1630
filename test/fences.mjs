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
const SAID_WHOLE = ['contract', 'host', 'preload'];

/** What knows neither Node nor this machine. */
const PURE = ['contract', 'preload'];

/** Folders below a room, one inside another, that a fence still covers. */
const DEPTHS = 3;

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
  const others = names.map((place) => place.replace('electron/', '').replace(/\.ts$/, ''));
  const overrides = table.flatMap((room) => (room.place.includes('<') ? [] : overridesFor(room, others)));
  const insides = table
    .filter(({ place }) => place.includes('<'))
    .flatMap((room) => insideOf(room, table, others));
  return {
    $schema: '../node_modules/@biomejs/biome/configuration_schema.json',
    overrides: [...overrides, ...insides],
  };
}

/**
 * One override for each depth, because what leads out of a room begins with as many `../` as a file is deep in it.
 * @param {Room} room
 * @param {string[]} others
 */
function overridesFor(room, others) {
  if (room.place === 'renderer') return [override('**/renderer/**', windowPatterns())];
  const [, name = ''] = room.place.split('/');
  if (name.endsWith('.ts')) return [override(`**/${room.place}`, patterns(room, others, './'))];
  return depths().map((depth) =>
    override(`**/${room.place}/${'*/'.repeat(depth)}*`, patterns(room, others, '../'.repeat(depth + 1))),
  );
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
  return depths()
    .slice(1)
    .map((depth) => {
      const up = '../'.repeat(depth);
      const message = `${inside.place} may import of its neighbours: ${listed(inside.may)}.`;
      const beside = {
        group: [`${up}*/**`, ...inside.may.map((name) => `!${up}${name}/**`), ...outward(depth)],
        message,
      };
      return override(`**/${above}/${'*/'.repeat(depth)}*`, [
        ...patterns(room, others, '../'.repeat(depth + 1)),
        beside,
      ]);
    });
}

/**
 * Ways out of the room are not those to a neighbour: other patterns are about them.
 * @param {number} depth
 */
const outward = (depth) => [`!${'../'.repeat(depth + 1)}**`];

/**
 * @param {Room} room
 * @param {string[]} others
 * @param {string} up how a file of that depth reaches electron/
 * @returns {Pattern[]}
 */
function patterns({ place, may }, others, up) {
  const own = place.replace('electron/', '').replace(/\.ts$/, '');
  const isPure = PURE.includes(own);
  const everywhere = SAID_WHOLE.includes(own) ? [] : EVERYWHERE;
  const allowed = [own, ...may, ...everywhere];
  const closed = others.filter((name) => !allowed.includes(name));
  const told = may.filter((name) => others.includes(name));
  return [
    ...(allowed.includes('electron') ? [] : [ELECTRON]),
    ...(own === 'host' ? [] : [PROGRAMS]),
    ...(isPure ? [NODE] : []),
    {
      group: [
        ...closed.flatMap((name) => [`${up}${name}`, `${up}${name}/**`]),
        `${up}../**`,
        '!**/package.json',
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
      group: ['**/electron/**', '!**/electron/contract/**'],
      message:
        'The window is a page: of the app it may import the types of electron/contract, and nothing else.',
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

const depths = () => Array.from({ length: DEPTHS }, (_, depth) => depth);

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
