/** TOML as a tree with offsets, and which parts of it say something of one entry. Pure. */
import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser';
import { type Spot, unreadable } from './config-format';
import { withoutMark } from './text-edit';

/** Offsets count from `body`, the text without its byte order mark. */
export interface TomlDocument {
  mark: string;
  body: string;
  program: AST.TOMLProgram;
}

export type TomlPath = readonly (string | number)[];

/** A table or a line that says something of an entry, with where that stands in it. */
export interface Part {
  node: AST.TOMLTable | AST.TOMLKeyValue;
  path: TomlPath;
  /** The table in one line that it stands in; undefined for what has lines of its own. */
  inline: AST.TOMLInlineTable | undefined;
}

/** @throws HarborError `config_unreadable` for what is no TOML */
export function parseToml(text: string, spot: Spot): TomlDocument {
  const { mark, body } = withoutMark(text);
  try {
    return { mark, body, program: parseTOML(body, { tomlVersion: '1.0' }) };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw unreadable(spot, body, error.index, lowerFirst(error.message));
  }
}

/** What stands at the path; undefined for nothing. @throws HarborError `config_unreadable` where it leads through no table */
export function valueAt({ body, program }: TomlDocument, path: readonly string[], spot: Spot): unknown {
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

export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The tables and lines that say something of what is at `wanted`, in their order. */
export function partsOf({ program }: TomlDocument, wanted: TomlPath): Part[] {
  return program.body[0].body.flatMap((node) => partsIn(node, [], wanted, undefined));
}

/** The deepest table in one line on the way to `wanted`, with the path of it. */
export function inlineHolder(
  { program }: TomlDocument,
  wanted: TomlPath,
): { table: AST.TOMLInlineTable; path: TomlPath } | undefined {
  const holders = program.body[0].body.flatMap((node) => inlinesOnTheWay(node, [], wanted));
  return holders.at(-1);
}

/** Of a line: its keys, behind the path of the table that it is in. */
export function pathOf(node: AST.TOMLTable | AST.TOMLKeyValue, outer: TomlPath): TomlPath {
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

export function beginsWith(path: TomlPath, beginning: TomlPath): boolean {
  return beginning.every((key, depth) => path[depth] === key);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
