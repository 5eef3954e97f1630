/**
 * Refuses identifiers and openings of comments that a stranger must translate. The lists, with what to write instead, are in
 * plain-words.json. Part of `npm run lint`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

/**
 * @typedef {{ identifiers: Record<string, string>, phrases: Record<string, string>, openings: Record<string, string>, data: Record<string, string[]> }} Lists
 *   `identifiers` are whole parts of a camel-case name, `phrases` several parts, `openings` first words of a comment; each with
 *   the replacement. `data` has names that are stored or sent and therefore stay, with their files (`*`: all)
 * @typedef {{ file: string, line: number, word: string, instead: string }} Finding
 */

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** @type {Lists} */
const LISTS = JSON.parse(readFileSync(path.join(ROOT, 'test/plain-words.json'), 'utf8'));

/** Strings and comments in a row of lexemes; regular expressions are rare enough to be read as code. */
const TEXT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;

/**
 * Returns the words of a file that the lists refuse.
 * @param {string} file its path, whose extension says the syntax
 * @param {string} text
 * @param {Lists} [lists]
 * @returns {Finding[]}
 */
export function findingsIn(file, text, lists = LISTS) {
  const lineOf = lineCounter(text);
  const parsed = parseSync(file, text);
  const inNames = Array.from(codeOnly(parsed, text).matchAll(/[A-Za-z_$][\w$]*/g), ({ 0: name, index }) => {
    const [word, instead] = isData(name, file, lists) ? [] : (refusedName(name, lists) ?? []);
    return word === undefined || instead === undefined
      ? []
      : [{ file, line: lineOf(index), word: name, instead }];
  });
  const inComments = parsed.comments.flatMap(({ start, value }) => {
    const said = value.replace(/^[*\s]+/, '');
    const opening = Object.keys(lists.openings).find((word) => new RegExp(`^${word}\\b`).test(said));
    const instead = opening && lists.openings[opening];
    return instead ? [{ file, line: lineOf(start), word: `comment begins with "${opening}"`, instead }] : [];
  });
  return [...inNames.flat(), ...inComments];
}

/**
 * @param {string} name
 * @param {string} file
 * @param {Lists} lists
 */
function isData(name, file, { data }) {
  const files = Object.hasOwn(data, name) ? data[name] : undefined;
  return files?.some((each) => each === '*' || each === file) ?? false;
}

/** @typedef {[word: string, instead: string] | null} Refusal */

/** @type {WeakMap<Lists, Map<string, Refusal>>} the same names occur in every file */
const looked = new WeakMap();

/**
 * @param {string} name an identifier
 * @param {Lists} lists
 * @returns {Refusal}
 */
function refusedName(name, lists) {
  const known = looked.get(lists) ?? new Map();
  looked.set(lists, known);
  if (!known.has(name)) known.set(name, lookUp(name, lists));
  return known.get(name);
}

/**
 * @param {string} name an identifier
 * @param {Lists} lists
 * @returns {Refusal}
 */
function lookUp(name, { identifiers, phrases }) {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _$]+/);
  for (const part of parts) {
    const instead = Object.hasOwn(identifiers, part) ? identifiers[part] : undefined;
    if (instead !== undefined) return [part, instead];
  }
  const joined = ` ${parts.join(' ')} `;
  for (const [phrase, instead] of Object.entries(phrases)) {
    const spaced = phrase.replace(/([A-Z])/g, ' $1').toLowerCase();
    if (joined.includes(` ${spaced} `)) return [phrase, instead];
  }
  return null;
}

/**
 * The text with comments, strings and the fixed parts of templates blanked, positions unchanged.
 * @param {ReturnType<typeof parseSync>} parsed
 * @param {string} text
 */
function codeOnly({ program, comments }, text) {
  const blank = (/** @type {string} */ part) => part.replace(/[^\n]/g, ' ');
  const spans = comments.map(({ start, end }) => ({ start, end }));
  walk(program, (node) => {
    if (node.type === 'TemplateElement' || node.type === 'JSXText') spans.push(node);
    if (node.type === 'Literal' && (typeof node.value === 'string' || node.regex)) spans.push(node);
  });
  let code = text;
  for (const { start, end } of spans)
    code = code.slice(0, start) + blank(code.slice(start, end)) + code.slice(end);
  return code.replace(TEXT, blank);
}

/**
 * @param {any} node of a syntax tree
 * @param {(node: any) => void} visit
 */
function walk(node, visit) {
  if (Array.isArray(node)) for (const each of node) walk(each, visit);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  if (typeof node.type === 'string') visit(node);
  for (const value of Object.values(node)) if (typeof value === 'object') walk(value, visit);
}

/**
 * @param {string} text
 * @returns {(at: number) => number} the line of a position, from 1
 */
function lineCounter(text) {
  return (at) => text.slice(0, at).split('\n').length;
}

function main() {
  const folders = ['electron', 'renderer', 'resources/setup'];
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/')),
  );
  const findings = files.flatMap((file) => findingsIn(file, readFileSync(path.join(ROOT, file), 'utf8')));
  for (const { file, line, word, instead } of findings)
    console.error(`${file}:${line}: ${word}: write ${instead}`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
