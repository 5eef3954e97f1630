/**
 * Edits of TOML that touch one entry and leave every other byte alone. By offsets of toml-eslint-parser's tree: libraries that
 * change documents print anew what stands beside the change. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AST } from 'toml-eslint-parser';
import type { ConfigFormat, Spot } from './config-format';
import { layoutOf } from './json-layout';
import { edited, lineEnd, lineStart, type TextEdit } from './text-edit';
import {
  beginsWith,
  inlineHolder,
  isTable,
  type Part,
  parseToml,
  partsOf,
  pathOf,
  type TomlDocument,
  type TomlPath,
  valueAt,
} from './toml-document';
import { tomlKey, tomlLine, tomlValue } from './toml-values';

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

/** A table of its own at the end; within a table in one line, where the servers are such. */
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
  // An empty line goes before it and with it.
  return [{ from: body.length, to: body.length, text: isEnded ? eol + text + eol : eol + eol + text }];
}

/** Changes only the lines of keys that change; null where the entry stands in a way that has to be written anew. */
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
  const inPlace = new Map(
    touched.flatMap(({ node, path: at }) =>
      node.type === 'TOMLKeyValue' && at.length === path.length + 1 && Object.hasOwn(entry, String(at.at(-1)))
        ? [[String(at.at(-1)), node.value.range] as const]
        : [],
    ),
  );
  const values = [...inPlace].map(([key, [from, to]]) => ({ from, to, text: tomlValue(entry[key]) }));
  const gone = touched.filter(({ path: at }) => !inPlace.has(String(at[path.length])));
  const fresh = [...changed].filter((key) => Object.hasOwn(entry, key) && !inPlace.has(key));
  return [...values, ...gone.map((part) => cut(body, part)), ...newLines(body, table, entry, fresh)];
}

/** Behind the last line of the table. */
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

/** A part with its lines, and a table with the empty line before it. */
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
  const place = lines.findIndex(({ range: at }) => at === node.range);
  const [previous, next] = [lines[place - 1], lines[place + 1]];
  if (previous) return { from: previous.range[1], to: node.range[1], text: '' };
  if (next) return { from: node.range[0], to: next.range[0], text: '' };
  return { from: range[0], to: range[1], text: '{}' };
}

/** The lines verbatim, in their order, without what says something of `path`. */
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
