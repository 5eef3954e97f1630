/**
 * Edits of JSON that touch one entry and leave every other byte alone, comments included. By offsets of jsonc-parser's tree:
 * its own `modify` formats what stands beside the change. Pure.
 */
import { type Node, parse } from 'jsonc-parser';
import type { JsonDialect } from '../../host/strict-json';
import type { ConfigFormat, Spot } from './config-format';
import { end, type JsonDocument, objectsOnTheWay, parseDocument, propertyOf, source } from './json-document';
import { commentsOutside, gapIn } from './json-gap';
import { indentationAt, inLines, isInline, layoutOf } from './json-layout';
import { edited, type TextEdit } from './text-edit';

/** As JSON.parse takes it. */
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

/** Behind the comments of a text that has nothing else. */
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

/** Behind the last property and what belongs to it, so that cutting it out gives the same bytes again. */
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
  // Blanks between the braces would indent the closing one.
  return [{ from: gap.anchor, to: gap.hasComments ? gap.anchor : closing, text: text + layout.eol + outer }];
}

/** The property furthest out that holds nothing but this one: what was created for it, when all of it was. */
function outermostOnlyChild(body: string, property: Node): Node {
  const holder = property.parent;
  const above = holder?.parent;
  if (holder?.children?.length !== 1 || above?.type !== 'property') return property;
  return areGapsBare(body, holder, property) ? outermostOnlyChild(body, above) : property;
}

/** Whether nobody has written a comment beside an object's only property. */
function areGapsBare(body: string, holder: Node, property: Node): boolean {
  const gaps = [gapIn(body, holder.offset + 1, property.offset), gapIn(body, end(property), end(holder) - 1)];
  return gaps.every(({ hasComments }) => !hasComments);
}

/** The property with the comma that it needs, and the blanks before it. */
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

/** What would come into the line of a comment begins a new one. */
function keepingLine(body: string, edit: TextEdit, isBehindComment: boolean): TextEdit {
  const isLast = /^[ \t]*(?:[\r\n]|$)/.test(body.slice(edit.to));
  return isBehindComment && !isLast ? { ...edit, text: layoutOf(body).eol } : edit;
}

/** The properties verbatim in their order, without the one that `path` leads to. */
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
