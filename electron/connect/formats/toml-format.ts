/**
 * Edits one entry of a TOML file and preserves every other byte. It uses the offsets of toml-eslint-parser’s
 * tree, because libraries that change documents reformat text around the change. Pure.
 */

import { isDeepStrictEqual } from 'node:util';
import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser';
import {
  type ConfigFormat,
  edited,
  layoutOf,
  lineEnd,
  lineStart,
  type Spot,
  type TextEdit,
  unreadable,
  withoutMark,
} from './config-format';

export const toml: ConfigFormat = {
  read: (text, spot) => valueAt(parseToml(text, spot), entryPath(spot), spot),

  hasServers(text, spot) {
    const document = parseToml(text, spot);
    valueAt(document, entryPath(spot), spot);
    return valueAt(document, spot.keyPath, spot) !== undefined;
  },

  upsert(text, spot, entry) {
    const document = parseToml(text, spot);
    const present = valueAt(document, entryPath(spot), spot);
    const wanted = Object(entry) as Record<string, unknown>;
    const edits = present === undefined ? addition(document, spot, wanted) : null;
    if (edits) return document.mark + edited(document.body, edits);
    const parts = partsOf(document, entryPath(spot));
    const changes = replacement(document, parts, spot, isTable(present) ? present : {}, wanted);
    if (changes) return document.mark + edited(document.body, changes);
    return toml.upsert(toml.remove(text, spot, false), spot, entry);
  },

  remove(text, spot, prune) {
    const document = parseToml(text, spot);
    const parts = partsOf(document, entryPath(spot));
    const [first] = parts;
    const isAlone = prune && parts.length === 1 && first?.inline?.body.length === 1;
    const whole = isAlone ? partsOf(document, spot.keyPath) : parts;
    return (
      document.mark +
      edited(
        document.body,
        whole.map((part) => cut(document.body, part)),
      )
    );
  },

  rest(text, spot) {
    const document = parseToml(text, spot);
    const { body, program } = document;
    const path = entryPath(spot);
    const own = partsOf(document, path).map((part) => cut(body, part));
    const comments = program.comments
      .filter(({ range }) => own.every(({ from, to }) => range[0] < from || range[0] >= to))
      .map(({ range }) => body.slice(...range));
    return [...program.body[0].body.flatMap((node) => restOf(body, node, [], path)), ...comments].join('\n');
  },
};

function entryPath({ keyPath, name }: Spot): string[] {
  return [...keyPath, name];
}

/** Adds a table at the end, or a key in an inline table if the servers are in one. */
function addition(document: TomlDocument, spot: Spot, entry: Record<string, unknown>): TextEdit[] {
  const { body } = document;
  const path = entryPath(spot);
  const holder = inlineHolder(document, path);
  if (holder) {
    const { table } = holder;
    const key = path.slice(holder.path.length).map(tomlKey).join('.');
    const last = table.body.at(-1);
    if (last) return [{ from: last.range[1], to: last.range[1], text: `, ${key} = ${tomlValue(entry)}` }];
    return [{ from: table.range[0], to: table.range[1], text: `{ ${key} = ${tomlValue(entry)} }` }];
  }
  const { eol } = layoutOf(body);
  const lines = Object.entries(entry).map(([key, value]) => tomlLine(key, value));
  const text = [`[${path.map(tomlKey).join('.')}]`, ...lines].join(eol);
  if (body === '') return [{ from: 0, to: 0, text: text + eol }];
  const isEnded = /[\r\n]$/.test(body);
  // The preceding blank line is removed with the table.
  return [{ from: body.length, to: body.length, text: isEnded ? eol + text + eol : eol + eol + text }];
}

/** Changes only the lines of changed keys. Returns null if the entry must be written again as a whole. */
function replacement(
  { body }: TomlDocument,
  parts: readonly Part[],
  spot: Spot,
  present: Record<string, unknown>,
  entry: Record<string, unknown>,
): TextEdit[] | null {
  const path = entryPath(spot);
  const whole = parts.find((part) => part.path.length === path.length);
  if (whole === undefined) return null;
  if (whole.node.type === 'TOMLKeyValue') {
    const [from, to] = whole.node.value.range;
    return [{ from, to, text: tomlValue(entry) }];
  }
  const table = whole.node;
  const changed = new Set(
    [...Object.keys(present), ...Object.keys(entry)].filter(
      (key) => !isDeepStrictEqual(present[key], entry[key]),
    ),
  );
  const lines = table.body.map((node) => ({ node, path: pathOf(node, path), inline: undefined }));
  const touched = [...lines, ...parts.filter((part) => part !== whole)].filter(({ path: at }) =>
    changed.has(String(at[path.length])),
  );
  const replaced = new Map(
    touched.flatMap(({ node, path: at }) =>
      node.type === 'TOMLKeyValue' && at.length === path.length + 1 && Object.hasOwn(entry, String(at.at(-1)))
        ? [[String(at.at(-1)), node.value.range] as const]
        : [],
    ),
  );
  const values = [...replaced].map(([key, [from, to]]) => ({ from, to, text: tomlValue(entry[key]) }));
  const removed = touched.filter(({ path: at }) => !replaced.has(String(at[path.length])));
  const fresh = [...changed].filter((key) => Object.hasOwn(entry, key) && !replaced.has(key));
  return [...values, ...removed.map((part) => cut(body, part)), ...newLines(body, table, entry, fresh)];
}

/** Inserts after the last line of the table. */
function newLines(
  body: string,
  table: AST.TOMLTable,
  entry: Record<string, unknown>,
  keys: string[],
): TextEdit[] {
  if (keys.length === 0) return [];
  const { eol } = layoutOf(body);
  const at = lineEnd(body, table.body.at(-1)?.range[1] ?? table.key.range[1]);
  const text = keys.map((key) => tomlLine(key, entry[key])).join(eol);
  const isEnded = /[\r\n]$/.test(body.slice(0, at));
  return [{ from: at, to: at, text: isEnded ? text + eol : eol + text }];
}

/** Removes a part with its lines, and a table with the preceding blank line. */
function cut(body: string, { node, inline }: Part): TextEdit {
  if (inline) return cutInline(node, inline);
  const [start, stop] = [lineStart(body, node.range[0]), lineEnd(body, node.range[1])];
  if (node.type === 'TOMLKeyValue') return { from: start, to: stop, text: '' };
  const before = body.slice(0, start);
  const isLast = stop === body.length && !/[\r\n]$/.test(body);
  const blank = (isLast ? /(?:\r\n|\r|\n)(?:\r\n|\r|\n)?$/ : /(?<=^|\r\n|\r|\n)(?:\r\n|\r|\n)$/).exec(before);
  if (blank) return { from: blank.index, to: stop, text: '' };
  const after = start === 0 ? (/^(?:\r\n|\r|\n)/.exec(body.slice(stop))?.[0] ?? '') : '';
  return { from: start, to: stop + after.length, text: '' };
}

function cutInline(node: Part['node'], { range, body: lines }: AST.TOMLInlineTable): TextEdit {
  const index = lines.findIndex(({ range: at }) => at === node.range);
  const [previous, next] = [lines[index - 1], lines[index + 1]];
  if (previous) return { from: previous.range[1], to: node.range[1], text: '' };
  if (next) return { from: node.range[0], to: next.range[0], text: '' };
  return { from: range[0], to: range[1], text: '{}' };
}

/** Returns the lines verbatim and in order, without those that define `path`. */
function restOf(
  body: string,
  node: AST.TOMLTable | AST.TOMLKeyValue,
  outer: TomlPath,
  path: TomlPath,
): string[] {
  const at = pathOf(node, outer);
  if (beginsWith(at, path)) return [];
  if (node.type === 'TOMLTable') {
    const header = body.slice(node.range[0], node.key.range[1]);
    return [header, ...node.body.flatMap((line) => restOf(body, line, at, path))];
  }
  if (node.value.type !== 'TOMLInlineTable' || !beginsWith(path, at)) return [body.slice(...node.range)];
  const inside = node.value.body.flatMap((line) => restOf(body, line, at, path));
  return inside.length === 0 ? [] : [`${body.slice(...node.key.range)}{`, ...inside, '}'];
}

/** Offsets count from the start of `body`, the text without its byte order mark. */
interface TomlDocument {
  mark: string;
  body: string;
  program: AST.TOMLProgram;
}

type TomlPath = readonly (string | number)[];

/** A table or line that defines part of an entry, with its path inside the entry. */
interface Part {
  node: AST.TOMLTable | AST.TOMLKeyValue;
  path: TomlPath;
  /** The inline table that contains it; undefined if it has its own lines. */
  inline: AST.TOMLInlineTable | undefined;
}

/** @throws HarborError `config_unreadable` for invalid TOML */
function parseToml(text: string, spot: Spot): TomlDocument {
  const { mark, body } = withoutMark(text);
  try {
    return { mark, body, program: parseTOML(body, { tomlVersion: '1.0' }) };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw unreadable(spot, body, error.index, lowerFirst(error.message));
  }
}

/**
 * Returns the value at the path, or undefined. @throws HarborError `config_unreadable` if the path leads
 * through a value that is not a table
 */
function valueAt({ body, program }: TomlDocument, path: readonly string[], spot: Spot): unknown {
  let value: unknown = getStaticTOMLValue(program);
  for (const [depth, key] of path.entries()) {
    const inner: unknown = isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (inner === undefined) return undefined;
    const isLast = depth === path.length - 1;
    if (!isLast && !isTable(inner)) {
      const [part] = partsOf({ mark: '', body, program }, path.slice(0, depth + 1));
      throw unreadable(spot, body, part?.node.range[0] ?? 0, `"${key}" is not a table`);
    }
    value = inner;
  }
  return value;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Returns the tables and lines that define the value at `wanted`, in order. */
function partsOf({ program }: TomlDocument, wanted: TomlPath): Part[] {
  return program.body[0].body.flatMap((node) => partsIn(node, [], wanted, undefined));
}

/** Returns the innermost inline table on the path to `wanted`, and its path. */
function inlineHolder(
  { program }: TomlDocument,
  wanted: TomlPath,
): { table: AST.TOMLInlineTable; path: TomlPath } | undefined {
  const holders = program.body[0].body.flatMap((node) => inlinesOnTheWay(node, [], wanted));
  return holders.at(-1);
}

/** Returns the full path of a line: that of its table and its own keys. */
function pathOf(node: AST.TOMLTable | AST.TOMLKeyValue, outer: TomlPath): TomlPath {
  if (node.type === 'TOMLTable') return node.resolvedKey;
  const keys = node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));
  return [...outer, ...keys];
}

function partsIn(
  node: AST.TOMLTable | AST.TOMLKeyValue,
  outer: TomlPath,
  wanted: TomlPath,
  inline: AST.TOMLInlineTable | undefined,
): Part[] {
  const path = pathOf(node, outer);
  if (beginsWith(path, wanted)) return [{ node, path, inline }];
  if (!beginsWith(wanted, path)) return [];
  if (node.type === 'TOMLTable') return node.body.flatMap((line) => partsIn(line, path, wanted, undefined));
  const { value } = node;
  return value.type === 'TOMLInlineTable'
    ? value.body.flatMap((line) => partsIn(line, path, wanted, value))
    : [];
}

function inlinesOnTheWay(
  node: AST.TOMLTable | AST.TOMLKeyValue,
  outer: TomlPath,
  wanted: TomlPath,
): { table: AST.TOMLInlineTable; path: TomlPath }[] {
  const path = pathOf(node, outer);
  if (path.length >= wanted.length || !beginsWith(wanted, path)) return [];
  if (node.type === 'TOMLTable') return node.body.flatMap((line) => inlinesOnTheWay(line, path, wanted));
  const { value: table } = node;
  if (table.type !== 'TOMLInlineTable') return [];
  return [{ table, path }, ...table.body.flatMap((line) => inlinesOnTheWay(line, path, wanted))];
}

function beginsWith(path: TomlPath, beginning: TomlPath): boolean {
  return beginning.every((key, depth) => path[depth] === key);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Formats a line `key = value`. */
function tomlLine(key: string, value: unknown): string {
  return `${tomlKey(key)} = ${tomlValue(value)}`;
}

function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : tomlString(key);
}

/** Formats a value in one line. */
function tomlValue(value: unknown): string {
  if (typeof value === 'string') return tomlString(value);
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value !== null) {
    const lines = Object.entries(value).map(([key, inner]) => tomlLine(key, inner));
    return lines.length === 0 ? '{}' : `{ ${lines.join(', ')} }`;
  }
  return String(value);
}

/** A JSON string is a valid TOML string, except for one character. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
