/** Edits of strict JSON that touch one entry and leave every other byte alone. Pure. */
import type { Node } from 'jsonc-parser';
import type { ConfigFormat, Spot } from './config-format';
import { type JsonDocument, objectsOnTheWay, parseDocument, propertyOf, source } from './json-document';
import { indentationAt, inLines, isInline, layoutOf } from './json-layout';

export const json: ConfigFormat = {
  read(text, spot) {
    const document = parseDocument(text, spot);
    const value = entryProperty(document, spot)?.children?.[1];
    return value && JSON.parse(source(document.body, value));
  },

  hasServers(text, spot) {
    return objectsOnTheWay(parseDocument(text, spot), spot).length > spot.keyPath.length;
  },

  upsert(text, spot, entry) {
    const document = parseDocument(text, spot);
    const { mark, body } = document;
    const way = objectsOnTheWay(document, spot);
    const holder = way.at(-1);
    const [key = spot.name, ...deeper] = [...spot.keyPath, spot.name].slice(Math.max(way.length - 1, 0));
    const value = deeper.reduceRight<unknown>((inner, name) => ({ [name]: inner }), entry);
    if (!holder) {
      const layout = layoutOf(body);
      return mark + inLines({ [key]: value }, '', layout) + layout.eol;
    }
    const present = propertyOf(body, holder, key, spot);
    return mark + (present ? replaceValue(body, holder, present, value) : append(body, holder, key, value));
  },

  remove(text, spot, prune) {
    const document = parseDocument(text, spot);
    const property = entryProperty(document, spot);
    if (!property) return text;
    return document.mark + cut(document.body, prune ? outermostOnlyChild(property) : property);
  },

  rest(text, spot) {
    const { body, root } = parseDocument(text, spot);
    return root ? restOf(body, root, [...spot.keyPath, spot.name]) : '';
  },
};

function entryProperty(document: JsonDocument, spot: Spot): Node | undefined {
  const way = objectsOnTheWay(document, spot);
  const servers = way[spot.keyPath.length];
  return servers && propertyOf(document.body, servers, spot.name, spot);
}

function replaceValue(body: string, holder: Node, property: Node, value: unknown): string {
  const old = property.children?.[1] ?? property;
  const text = isInline(body, holder)
    ? JSON.stringify(value)
    : inLines(value, indentationAt(body, property.offset), layoutOf(body));
  return splice(body, old.offset, end(old), text);
}

/** A pure insertion behind the last property, so that cutting it out gives the same bytes again. */
function append(body: string, holder: Node, key: string, value: unknown): string {
  const name = JSON.stringify(key);
  const last = holder.children?.at(-1);
  if (isInline(body, holder)) {
    const property = `${name}:${JSON.stringify(value)}`;
    return last ? splice(body, end(last), end(last), `,${property}`) : fill(body, holder, property);
  }
  const layout = layoutOf(body);
  const outer = indentationAt(body, holder.offset);
  const inner = last ? indentationAt(body, holder.children?.[0]?.offset ?? 0) : outer + layout.step;
  const property = `${layout.eol}${inner}${name}: ${inLines(value, inner, layout)}`;
  return last
    ? splice(body, end(last), end(last), `,${property}`)
    : fill(body, holder, `${property}${layout.eol}${outer}`);
}

/** The property furthest out that holds nothing but this one: what was created for it, when all of it was. */
function outermostOnlyChild(property: Node): Node {
  const holder = property.parent;
  const above = holder?.parent;
  return holder?.children?.length === 1 && above?.type === 'property' ? outermostOnlyChild(above) : property;
}

function cut(body: string, property: Node): string {
  const siblings = property.parent?.children ?? [];
  const index = siblings.indexOf(property);
  const [previous, next] = [siblings[index - 1], siblings[index + 1]];
  if (previous) return splice(body, end(previous), end(property), '');
  if (next) return splice(body, property.offset, next.offset, '');
  return property.parent ? fill(body, property.parent, '') : body;
}

/** Replaces all between an object's braces. */
function fill(body: string, object: Node, inside: string): string {
  return splice(body, object.offset + 1, end(object) - 1, inside);
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

export function end(node: Node): number {
  return node.offset + node.length;
}

export function splice(body: string, from: number, to: number, text: string): string {
  return body.slice(0, from) + text + body.slice(to);
}
