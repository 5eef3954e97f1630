/**
 * Edits one entry of a JSON file and preserves every other byte, comments included. It uses the offsets of
 * jsonc-parser’s tree, because its own `modify` reformats text around the change. Pure.
 */

import { type Node, parse, visit } from 'jsonc-parser';
import { type JsonDialect, JsonProblem, parseJson } from '../../host/strict-json';
import {
  type ConfigFormat,
  edited,
  indentationAt,
  inLines,
  isInline,
  layoutOf,
  type Spot,
  type TextEdit,
  unreadable,
  withoutMark,
} from './config-format';

/** As JSON.parse accepts it. */
export const json = jsonFormat('json');
/** With comments and trailing commas. */
export const jsonc = jsonFormat('jsonc');

function jsonFormat(dialect: JsonDialect): ConfigFormat {
  const parsed = (text: string, spot: Spot) => parseDocument(text, spot, dialect);
  return {
    read(text, spot) {
      const document = parsed(text, spot);
      const value = entryProperty(document, spot)?.children?.[1];
      return value && parse(source(document.body, value), [], { allowTrailingComma: true });
    },

    hasServers(text, spot) {
      return objectsOnTheWay(parsed(text, spot), spot).length > spot.keyPath.length;
    },

    upsert(text, spot, entry) {
      const document = parsed(text, spot);
      const { mark, body } = document;
      const way = objectsOnTheWay(document, spot);
      const holder = way.at(-1);
      const [key = spot.name, ...deeper] = [...spot.keyPath, spot.name].slice(Math.max(way.length - 1, 0));
      const value = deeper.reduceRight<unknown>((inner, name) => ({ [name]: inner }), entry);
      if (!holder) return mark + newDocument(body, { [key]: value });
      const present = propertyOf(body, holder, key, spot);
      const edits = present
        ? [replacement(body, holder, present, value)]
        : addition(body, holder, key, value);
      return mark + edited(body, edits);
    },

    remove(text, spot, prune) {
      const document = parsed(text, spot);
      const property = entryProperty(document, spot);
      if (!property) return text;
      const { mark, body } = document;
      return mark + edited(body, cut(body, prune ? outermostOnlyChild(body, property) : property));
    },

    rest(text, spot) {
      const document = parsed(text, spot);
      const { body, root } = document;
      const own = entryProperty(document, spot);
      const comments = commentsOutside(body, own?.offset ?? body.length, own ? end(own) : body.length);
      const values = root ? restOf(body, root, [...spot.keyPath, spot.name]) : '';
      return [values, ...comments].join('\n');
    },
  };
}

function entryProperty(document: JsonDocument, spot: Spot): Node | undefined {
  const way = objectsOnTheWay(document, spot);
  const servers = way[spot.keyPath.length];
  return servers && propertyOf(document.body, servers, spot.name, spot);
}

/** Appends after the comments of a text without a value. */
function newDocument(body: string, value: object): string {
  const layout = layoutOf(body);
  const comments = body.trimEnd();
  const before = comments === '' ? '' : comments + layout.eol;
  return before + inLines(value, '', layout) + layout.eol;
}

function replacement(body: string, holder: Node, property: Node, value: unknown): TextEdit {
  const old = property.children?.[1] ?? property;
  const text = isInline(body, holder)
    ? JSON.stringify(value)
    : inLines(value, indentationAt(body, property.offset), layoutOf(body));
  return { from: old.offset, to: end(old), text };
}

/** Inserts after the last property and its comments, so that removing it restores the same bytes. */
function addition(body: string, holder: Node, key: string, value: unknown): TextEdit[] {
  const name = JSON.stringify(key);
  const last = holder.children?.at(-1);
  const [from, closing] = [last ? end(last) : holder.offset + 1, end(holder) - 1];
  const gap = gapIn(body, from, closing);
  const comma = last && gap.comma === null ? [{ from, to: from, text: ',' }] : [];
  const trailing = gap.comma === null ? '' : ',';
  if (isInline(body, holder) && !gap.hasLineComment) {
    const text = `${name}:${JSON.stringify(value)}${trailing}`;
    return [...comma, { from: gap.anchor, to: gap.anchor, text }];
  }
  const layout = layoutOf(body);
  const outer = indentationAt(body, holder.offset);
  const inner = last ? indentationAt(body, holder.children?.[0]?.offset ?? 0) : outer + layout.step;
  const text = `${layout.eol}${inner}${name}: ${inLines(value, inner, layout)}${trailing}`;
  const isClosedBelow = /[\r\n]/.test(body.slice(gap.anchor, closing));
  if (last || isClosedBelow) return [...comma, { from: gap.anchor, to: gap.anchor, text }];
  // Spaces between the braces would indent the closing brace.
  return [{ from: gap.anchor, to: gap.hasComments ? gap.anchor : closing, text: text + layout.eol + outer }];
}

/** Returns the outermost property that contains nothing else, which is what was created for this one. */
function outermostOnlyChild(body: string, property: Node): Node {
  const holder = property.parent;
  const above = holder?.parent;
  if (holder?.children?.length !== 1 || above?.type !== 'property') return property;
  return areGapsBare(body, holder, property) ? outermostOnlyChild(body, above) : property;
}

/** Reports whether an object’s only property has no comments around it. */
function areGapsBare(body: string, holder: Node, property: Node): boolean {
  const gaps = [gapIn(body, holder.offset + 1, property.offset), gapIn(body, end(property), end(holder) - 1)];
  return gaps.every(({ hasComments }) => !hasComments);
}

/** Removes the property with one comma and the preceding whitespace. */
function cut(body: string, property: Node): TextEdit[] {
  const holder = property.parent ?? property;
  const siblings = holder.children ?? [];
  const index = siblings.indexOf(property);
  const [previous, next] = [siblings[index - 1], siblings[index + 1]];
  const before = gapIn(body, previous ? end(previous) : holder.offset + 1, property.offset);
  const after = gapIn(body, end(property), next?.offset ?? end(holder) - 1);
  const isBare = !before.hasComments && !after.hasComments;
  if (isBare && !previous)
    return next
      ? [{ from: property.offset, to: next.offset, text: '' }]
      : [{ from: holder.offset + 1, to: end(holder) - 1, text: '' }];
  const comma = after.comma ?? before.comma;
  const own = { from: before.contentEnd, to: end(property), text: '' };
  if (comma === null) return [keepingLine(body, own, before.endsInLineComment)];
  if (comma >= own.to && body.slice(own.to, comma).trim() === '')
    return [keepingLine(body, { ...own, to: comma + 1 }, before.endsInLineComment)];
  const separate = { from: comma, to: comma + 1, text: '' };
  if (separate.to === own.from) return [{ ...own, from: comma }];
  return [separate, keepingLine(body, own, before.endsInLineComment)];
}

/** Inserts a line break if the text would become part of a line comment. */
function keepingLine(body: string, edit: TextEdit, isBehindComment: boolean): TextEdit {
  const isLast = /^[ \t]*(?:[\r\n]|$)/.test(body.slice(edit.to));
  return isBehindComment && !isLast ? { ...edit, text: layoutOf(body).eol } : edit;
}

/** Returns the properties verbatim and in order, without the one at `path`. */
function restOf(body: string, object: Node, path: readonly string[]): string {
  const [key, ...deeper] = path;
  return (object.children ?? [])
    .map((property) => {
      const [name, value] = property.children ?? [];
      if (!name || !value || name.value !== key) return source(body, property);
      const inside = deeper.length === 0 ? '' : restOf(body, value, deeper);
      return inside && `${source(body, name)}:{${inside}}`;
    })
    .filter((text) => text !== '')
    .join(',');
}

/**
 * A document without its byte order mark. `root` is undefined if the file is blank. Offsets count from the
 * start of `body`.
 */
interface JsonDocument {
  mark: string;
  body: string;
  root: Node | undefined;
}

/**
 * @throws HarborError `config_unreadable` if a parser of the dialect would reject the text, or the root is
 *   not an object
 */
export function parseDocument(text: string, spot: Spot, dialect: JsonDialect = 'json'): JsonDocument {
  const { mark, body } = withoutMark(text);
  const root = parseBody(body, spot, dialect);
  if (root && root.type !== 'object') throw unreadable(spot, body, root.offset, 'the file is not an object');
  return { mark, body, root };
}

function parseBody(body: string, spot: Spot, dialect: JsonDialect): Node | undefined {
  try {
    return parseJson(body, dialect);
  } catch (error) {
    if (error instanceof JsonProblem) throw unreadable(spot, body, error.offset, error.message);
    throw error;
  }
}

/**
 * Returns the objects on the key path, root first, as far as they exist. A duplicate key on the path is
 * refused, because programs read the last one and users may mean either.
 */
export function objectsOnTheWay({ body, root }: JsonDocument, spot: Spot): Node[] {
  const objects: Node[] = root ? [root] : [];
  let object = root;
  for (const key of spot.keyPath) {
    const value = object && propertyOf(body, object, key, spot)?.children?.[1];
    if (!value) break;
    if (value.type !== 'object') throw unreadable(spot, body, value.offset, `"${key}" is not an object`);
    objects.push(value);
    object = value;
  }
  return objects;
}

/** Returns the property (a node with key and value) of an object, or undefined. */
export function propertyOf(body: string, object: Node, key: string, spot: Spot): Node | undefined {
  const [property, second] = (object.children ?? []).filter((child) => child.children?.[0]?.value === key);
  if (second) throw unreadable(spot, body, second.offset, `"${key}" occurs twice`);
  return property;
}

/** Returns the node’s text. */
export function source(body: string, node: Node): string {
  return body.slice(node.offset, node.offset + node.length);
}

export function end(node: Node): number {
  return node.offset + node.length;
}

/** The text between the values of an object: commas and comments. */
interface Gap {
  /** Offset of the comma; null if there is none. */
  comma: number | null;
  /** End of what belongs to the preceding value: its comma and a comment on the same line. */
  anchor: number;
  /** End of the last comma or comment, or the start of the gap. */
  contentEnd: number;
  hasComments: boolean;
  /** Whether the last comment extends to the end of its line. */
  endsInLineComment: boolean;
  /** Whether any comment does. */
  hasLineComment: boolean;
}

const TOKEN = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,|[\r\n]/g;

/** Returns the gap at [from, to) of a parsed text. */
function gapIn(body: string, from: number, to: number): Gap {
  const gap: Gap = {
    comma: null,
    anchor: from,
    contentEnd: from,
    hasComments: false,
    endsInLineComment: false,
    hasLineComment: false,
  };
  let isBelow = false;
  for (const { 0: token, index } of body.slice(from, to).matchAll(TOKEN)) {
    if (token === ',') {
      gap.comma = from + index;
      isBelow = false;
    }
    if (/[\r\n]/.test(token.charAt(0))) isBelow = true;
    else {
      gap.contentEnd = from + index + token.length;
      if (!isBelow) gap.anchor = gap.contentEnd;
      gap.hasComments ||= token !== ',';
      gap.endsInLineComment = token.startsWith('//');
      gap.hasLineComment ||= gap.endsInLineComment;
    }
  }
  return gap;
}

/** Returns the comments outside [from, to), in order. */
function commentsOutside(body: string, from: number, to: number): string[] {
  const comments: string[] = [];
  visit(body, {
    onComment(offset, length) {
      if (offset < from || offset >= to) comments.push(body.slice(offset, offset + length));
    },
  });
  return comments;
}
