/** Strict JSON as a tree with offsets, for programs that read their configuration with JSON.parse. Pure. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { HarborError } from '../contract/errors';
import type { Spot } from './config-format';

const BYTE_ORDER_MARK = '\uFEFF';

/** A document without its byte order mark; `root` is undefined when the file says nothing. Offsets count from `body`. */
export interface JsonDocument {
  mark: string;
  body: string;
  root: Node | undefined;
}

/** Refuses what JSON.parse refuses, and a root that is no object, with `config_unreadable`. */
export function parseDocument(text: string, spot: Spot): JsonDocument {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const body = text.slice(mark.length);
  if (/^[ \t\r\n]*$/.test(body)) return { mark, body, root: undefined };
  const errors: ParseError[] = [];
  const root = parse(body, errors, spot);
  const [error] = errors;
  if (error) throw unreadable(spot, body, error.offset, DESCRIPTIONS[printParseErrorCode(error.error)]);
  if (root?.type !== 'object') throw unreadable(spot, body, root?.offset ?? 0, 'the file is not an object');
  return { mark, body, root };
}

function parse(body: string, errors: ParseError[], spot: Spot): Node | undefined {
  try {
    return parseTree(body, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    // The parser recurses; thousands of levels exhaust the stack.
    if (error instanceof RangeError) throw unreadable(spot, body, 0, 'it is nested too deeply');
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

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  EndOfFileExpected: 'there is more after the end',
  InvalidCommentToken: 'comments are not allowed here',
  PropertyNameExpected: 'a name in double quotes is expected (a comma too many?)',
  UnexpectedEndOfString: 'a string is not closed',
  ValueExpected: 'a value is expected (a comma too many?)',
};

function unreadable(
  spot: Spot,
  body: string,
  offset: number,
  description = 'it is not valid JSON',
): HarborError {
  const lines = body.slice(0, offset).split(/\r\n|\r|\n/);
  const column = (lines.at(-1) ?? '').length + 1;
  return new HarborError(
    'config_unreadable',
    `${spot.file}, line ${lines.length}, column ${column}: ${description}. The file was left as it is; correct it there and try again.`,
  );
}
