/** YAML as a tree with offsets, and where one entry stands in it. Pure. */
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type Pair,
  parseAllDocuments,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type Spot, unreadable } from './config-format';
import { lineEnd, withoutMark } from './text-edit';

/** `listed`: the servers are a list, of which each has its `name`. */
export type Servers = 'named' | 'listed';

/** Offsets count from `body`, the text without its byte order mark; `root` is null when the file says nothing. */
export interface YamlDocument {
  mark: string;
  body: string;
  document: Document | undefined;
  root: YAMLMap | null;
}

/** A key with its value in a map, or a value in a list, as far as the text has it. */
export interface Item {
  holder: YAMLMap | YAMLSeq;
  place: number;
  /** Offsets in the text. */
  from: number;
  to: number;
}

/** @throws HarborError `config_unreadable` for what is no YAML, or more than one document, or no map */
export function parseYaml(text: string, spot: Spot): YamlDocument {
  const { mark, body } = withoutMark(text);
  const [document, second] = parseAllDocuments(body, { prettyErrors: false }) as Document[];
  const [error] = document?.errors ?? [];
  if (error) throw unreadable(spot, body, error.pos[0], lowerFirst(error.message));
  if (second) throw unreadable(spot, body, second.range?.[0] ?? 0, 'there is a second document');
  try {
    document?.toJS();
  } catch (problem) {
    // Aliases of nothing, and too many of something.
    throw unreadable(spot, body, 0, lowerFirst(problem instanceof Error ? problem.message : String(problem)));
  }
  const root = document?.contents ?? null;
  if (root === null || (isScalar(root) && root.value === null)) return { mark, body, document, root: null };
  if (!isMap(root)) throw unreadable(spot, body, startOf(root), 'the file is not a map');
  return { mark, body, document, root };
}

/** What the items on a way through a document are. */
export interface Way {
  /** The pairs of `keyPath`, as far as they exist. */
  pairs: Item[];
  /** The deepest map or list; null for a value that is not there, or a document that says nothing. */
  holder: YAMLMap | YAMLSeq | null;
  entry: Item | undefined;
}

/** @throws HarborError `config_unreadable` where it leads through anything else than maps, and a list in the end */
export function wayTo({ body, root }: YamlDocument, spot: Spot, servers: Servers): Way {
  const pairs: Item[] = [];
  let holder: YAMLMap | YAMLSeq | null = root;
  for (const [depth, key] of spot.keyPath.entries()) {
    const pair: Item | undefined = holder && isMap(holder) ? pairOf(holder, key, body) : undefined;
    if (pair === undefined) return { pairs, holder, entry: undefined };
    pairs.push(pair);
    const { value } = pairAt(pair);
    const isList = servers === 'listed' && depth === spot.keyPath.length - 1;
    const isEmpty = isScalar(value) && value.value === null && value.source === '';
    if (value === null || isEmpty) holder = null;
    else if (isList ? isSeq(value) : isMap(value)) holder = value as YAMLMap | YAMLSeq;
    else throw unreadable(spot, body, startOf(value), notThat(value, key, isList));
  }
  return { pairs, holder, entry: holder === null ? undefined : entryIn(holder, body, spot) };
}

/** What an item says. */
export function valueIn({ document }: YamlDocument, { holder, place }: Item): unknown {
  const item: unknown = holder.items[place];
  const node = isMap(holder) ? (item as Pair).value : item;
  return document && isNode(node) ? node.toJS(document) : node;
}

export function pairAt({ holder, place }: Item): Pair {
  return holder.items[place] as Pair;
}

/** Where what a node says ends, without comments and blanks behind it. */
export function endOf(node: unknown): number {
  if (isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    return isNode(last) ? endOf(last) : endOfPair(last as Pair | undefined);
  }
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}

/** Where the lines of what ends at `offset` end; a block scalar ends with its lines. */
export function linesEnd(body: string, offset: number): number {
  return offset > 0 && /[\r\n]/.test(body.charAt(offset - 1)) ? offset : lineEnd(body, offset);
}

export function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

/** The comments outside [from, to), in order. */
export function commentsOutside(body: string, from: number, to: number): string[] {
  const comments: string[] = [];
  let offset = 0;
  let isScalarNext = false;
  for (const token of new Lexer().lex(body)) {
    // Control characters tell what follows; they are not in the text.
    const isControl = token === '\u001f' || token === '\u0002' || token === '\u0018';
    if (!isScalarNext && token.startsWith('#') && (offset < from || offset >= to)) comments.push(token);
    isScalarNext = token === '\u001f';
    if (!isControl) offset += token.length;
  }
  return comments;
}

function pairOf(map: YAMLMap, key: string, body: string): Item | undefined {
  const place = map.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key);
  return place < 0 ? undefined : itemOf(map, place, body);
}

export function itemOf(holder: YAMLMap | YAMLSeq, place: number, body: string): Item {
  const item: unknown = holder.items[place];
  if (isMap(holder)) {
    const pair = item as Pair;
    const colon = body.indexOf(':', endOf(pair.key)) + 1;
    return { holder, place, from: startOf(pair.key), to: Math.max(endOfPair(pair), colon) };
  }
  return { holder, place, from: startOf(item), to: endOf(item) };
}

function endOfPair(pair: Pair | undefined): number {
  return Math.max(endOf(pair?.key), endOf(pair?.value));
}

function entryIn(holder: YAMLMap | YAMLSeq, body: string, spot: Spot): Item | undefined {
  if (isMap(holder)) return pairOf(holder, spot.name, body);
  const isNamed = (item: unknown) => isMap(item) && item.get('name') === spot.name;
  const [place, second] = holder.items.flatMap((item, at) => (isNamed(item) ? [at] : []));
  if (second !== undefined)
    throw unreadable(spot, body, startOf(holder.items[second]), `"${spot.name}" is there twice`);
  return place === undefined ? undefined : itemOf(holder, place, body);
}

function notThat(value: unknown, key: string, isList: boolean): string {
  if (isAlias(value)) return `"${key}" is an alias, which has to be written out`;
  return `"${key}" is not a ${isList ? 'list' : 'map'}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
