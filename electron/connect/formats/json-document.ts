/** JSON, strict or with comments, as a tree with offsets. Pure. */
import type { Node } from 'jsonc-parser';
import { type JsonDialect, JsonProblem, parseJson } from '../../host/strict-json';
import { type Spot, unreadable } from './config-format';
import { withoutMark } from './text-edit';

/** A document without its byte order mark; `root` is undefined when the file says nothing. Offsets count from `body`. */
export interface JsonDocument {
  mark: string;
  body: string;
  root: Node | undefined;
}

/** Refuses what a parser of that dialect refuses, and a root that is no object, with `config_unreadable`. */
export function parseDocument(text: string, spot: Spot, dialect: JsonDialect = 'json'): JsonDocument {
  const { mark, body } = withoutMark(text);
  const root = parse(body, spot, dialect);
  if (root && root.type !== 'object') throw unreadable(spot, body, root.offset, 'the file is not an object');
  return { mark, body, root };
}

function parse(body: string, spot: Spot, dialect: JsonDialect): Node | undefined {
  try {
    return parseJson(body, dialect);
  } catch (error) {
    if (error instanceof JsonProblem) throw unreadable(spot, body, error.offset, error.message);
    throw error;
  }
}

/**
 * The objects on the way to the servers, the root first, as far as they exist. A name that stands twice on the
 * way is refused: programs read the last one, people mean either.
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

/** The property (a node with key and value) of an object, undefined when there is none. */
export function propertyOf(body: string, object: Node, key: string, spot: Spot): Node | undefined {
  const [property, second] = (object.children ?? []).filter((child) => child.children?.[0]?.value === key);
  if (second) throw unreadable(spot, body, second.offset, `"${key}" is there twice`);
  return property;
}

/** The node as it stands in the file. */
export function source(body: string, node: Node): string {
  return body.slice(node.offset, node.offset + node.length);
}

export function end(node: Node): number {
  return node.offset + node.length;
}
