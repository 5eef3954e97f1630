/**
 * Edits one entry of a YAML file and preserves every other byte. It uses the offsets of yaml’s tree, because
 * its own printer reformats text around a change. Pure.
 */

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
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import {
  type ConfigFormat,
  edited,
  indentationAt,
  inLines,
  type Layout,
  layoutOf,
  lineEnd,
  lineStart,
  type Spot,
  type TextEdit,
  unreadable,
  withoutMark,
} from './config-format';

/** The servers are a map. */
export const yaml = yamlFormat('named');
/** The servers are a list of items with a name. */
export const yamlList = yamlFormat('listed');

function yamlFormat(servers: Servers): ConfigFormat {
  return {
    read(text, spot) {
      const document = parseYaml(text, spot);
      const { entry } = wayTo(document, spot, servers);
      return entry && valueIn(document, entry);
    },

    hasServers(text, spot) {
      return wayTo(parseYaml(text, spot), spot, servers).pairs.length === spot.keyPath.length;
    },

    upsert(text, spot, entry) {
      const document = parseYaml(text, spot);
      const way = wayTo(document, spot, servers);
      const own = servers === 'listed' ? [entry] : { [spot.name]: entry };
      const missing = spot.keyPath.slice(way.pairs.length);
      const value = missing.reduceRight<unknown>((inner, key) => ({ [key]: inner }), own);
      const change = way.entry
        ? replacement(document.body, way.entry, own)
        : addition(document.body, way, value);
      return document.mark + edited(document.body, [change]);
    },

    remove(text, spot, prune) {
      const document = parseYaml(text, spot);
      const { pairs, entry } = wayTo(document, spot, servers);
      return entry ? document.mark + edited(document.body, cut(document.body, pairs, entry, prune)) : text;
    },

    rest(text, spot) {
      const document = parseYaml(text, spot);
      const { entry } = wayTo(document, spot, servers);
      const [from, to] = entry ? rangeOf(document.body, entry) : [0, 0];
      return [...restOf(document, spot, servers), ...commentsOutside(document.body, from, to)].join('\n');
    },
  };
}

function addition(body: string, { pairs, holder }: Way, value: unknown): TextEdit {
  if (holder?.flow) return flowAddition(body, holder, value);
  const layout = layoutOf(body);
  const parent = pairs.at(-1);
  const first = holder?.items[0] === undefined ? undefined : itemOf(holder, 0, body);
  const indentation = first
    ? indentationAt(body, first.from)
    : parent
      ? indentationAt(body, parent.from) + stepOf(layout)
      : '';
  const at = first ? linesEnd(body, endOf(holder)) : parent ? linesEnd(body, parent.to) : body.length;
  const isEnded = at === 0 || /[\r\n]/.test(body.charAt(at - 1));
  const text = block(value, indentation, layout);
  return { from: at, to: at, text: isEnded ? text + layout.eol : layout.eol + text };
}

/** Adds the entry as JSON, which is valid YAML, between braces or brackets. */
function flowAddition(body: string, holder: YAMLMap | YAMLSeq, value: unknown): TextEdit {
  const [first, last] = [holder.items[0], holder.items.at(-1)];
  const open = startOf(holder) + 1;
  if (last === undefined) return { from: open, to: endOf(holder) - 1, text: inside(JSON.stringify(value)) };
  const { from } = itemOf(holder, 0, body);
  const { to } = itemOf(holder, holder.items.length - 1, body);
  const isInline = first === undefined || !/[\r\n]/.test(body.slice(open, from));
  if (isInline) return { from: to, to, text: `, ${inside(JSON.stringify(value))}` };
  const layout = layoutOf(body);
  const indentation = indentationAt(body, from);
  const lines = inside(inLines(value, indentation.slice(stepOf(layout).length), layout)).trim();
  return { from: to, to, text: `,${layout.eol}${indentation}${lines}` };
}

/** Removes the surrounding braces or brackets. */
function inside(json: string): string {
  return json.slice(1, -1);
}

function replacement(body: string, item: Item, own: unknown): TextEdit {
  const layout = layoutOf(body);
  if (item.holder.flow) return { from: item.from, to: item.to, text: inside(JSON.stringify(own)) };
  const [from, to] = rangeOf(body, item);
  const text = block(own, indentationAt(body, item.from), layout);
  return { from, to, text: /[\r\n]$/.test(body.slice(from, to)) ? text + layout.eol : text };
}

/** Formats a value in indented lines, without the last line break. */
function block(value: unknown, indentation: string, layout: Layout): string {
  // YAML 1.1 parsers read `yes` and `1:20` as other types than text.
  const text = stringify(value, { indent: stepOf(layout).length, lineWidth: 0, compat: 'yaml-1.1' });
  return text.trimEnd().replace(/^/gm, indentation).replaceAll('\n', layout.eol);
}

/** YAML does not allow tabs as indentation. */
function stepOf({ step }: Layout): string {
  return step.includes('\t') ? '  ' : step;
}

/** Returns the range of an item: its lines, or the item itself in a flow collection. */
function rangeOf(body: string, { holder, from, to }: Item): [from: number, to: number] {
  return holder.flow ? [from, to] : [lineStart(body, from), linesEnd(body, to)];
}

function cut(body: string, pairs: readonly Item[], item: Item, prune: boolean): TextEdit[] {
  const parent = pairs.at(-1);
  if (item.holder.items.length > 1 || parent === undefined) return [cutOne(body, item)];
  if (prune && isBare(body, parent, item)) return cut(body, pairs.slice(0, -1), parent, prune);
  if (item.holder.flow) return [{ from: startOf(item.holder) + 1, to: endOf(item.holder) - 1, text: '' }];
  const colon = body.indexOf(':', parent.from) + 1;
  return [{ from: colon, to: colon, text: isSeq(item.holder) ? ' []' : ' {}' }, cutOne(body, item)];
}

function cutOne(body: string, item: Item): TextEdit {
  const { holder, place } = item;
  if (holder.flow) {
    if (place > 0) return { from: itemOf(holder, place - 1, body).to, to: item.to, text: '' };
    const next = holder.items.length > 1 ? itemOf(holder, 1, body).from : item.to;
    return { from: item.from, to: next, text: '' };
  }
  const [from, to] = rangeOf(body, item);
  const isLast = to === body.length && !/[\r\n]$/.test(body);
  const before = isLast ? (/(?:\r\n|\r|\n)$/.exec(body.slice(0, from))?.[0].length ?? 0) : 0;
  return { from: from - before, to, text: '' };
}

/** Reports whether the only item of a pair has no comments around it. */
function isBare(body: string, pair: Item, item: Item): boolean {
  const [from, to] = rangeOf(body, pair);
  const [own, end] = rangeOf(body, item);
  return !/(?:^|\s)#/.test(body.slice(from, own) + body.slice(end, to));
}

/** Returns the keys and items verbatim and in order, without the entry and containers that become empty. */
function restOf(document: YamlDocument, spot: Spot, servers: Servers): string[] {
  const { pairs, entry } = wayTo(document, spot, servers);
  const below = (holder: YAMLMap | YAMLSeq | null, depth: number): string[] =>
    (holder?.items ?? []).flatMap((_, place) => {
      if (holder === null) return [];
      const item = itemOf(holder, place, document.body);
      if (entry && item.from === entry.from) return [];
      const onTheWay = pairs[depth];
      if (onTheWay?.from !== item.from) return [document.body.slice(item.from, item.to)];
      const value = isMap(holder) ? holder.items[place]?.value : undefined;
      const within = isMap(value) || isSeq(value) ? below(value, depth + 1) : [];
      return within.length === 0 ? [] : [spot.keyPath[depth] ?? '', ...within];
    });
  return below(document.root, 0);
}

/** `listed`: the servers are a list whose items have a `name`. */
type Servers = 'named' | 'listed';

/**
 * Offsets count from the start of `body`, the text without its byte order mark. `root` is null if the file is
 * blank.
 */
interface YamlDocument {
  mark: string;
  body: string;
  document: Document | undefined;
  root: YAMLMap | null;
}

/** A key with its value in a map, or an item of a list. */
interface Item {
  holder: YAMLMap | YAMLSeq;
  place: number;
  /** Offsets in the text. */
  from: number;
  to: number;
}

/**
 * @throws HarborError `config_unreadable` for invalid YAML, more than one document, or a root that is not a
 *   map
 */
function parseYaml(text: string, spot: Spot): YamlDocument {
  const { mark, body } = withoutMark(text);
  const [document, second] = parseAllDocuments(body, { prettyErrors: false }) as Document[];
  const [error] = document?.errors ?? [];
  if (error) throw unreadable(spot, body, error.pos[0], lowerFirst(error.message));
  if (second) throw unreadable(spot, body, second.range?.[0] ?? 0, 'there is a second document');
  try {
    document?.toJS();
  } catch (problem) {
    // Unresolved aliases, or too many of them.
    throw unreadable(spot, body, 0, lowerFirst(problem instanceof Error ? problem.message : String(problem)));
  }
  const root = document?.contents ?? null;
  if (root === null || (isScalar(root) && root.value === null)) return { mark, body, document, root: null };
  if (!isMap(root)) throw unreadable(spot, body, startOf(root), 'the file is not a map');
  return { mark, body, document, root };
}

/** The items on a key path. */
interface Way {
  /** The pairs of `keyPath`, as far as they exist. */
  pairs: Item[];
  /** The innermost map or list; null for a missing value or a blank document. */
  holder: YAMLMap | YAMLSeq | null;
  entry: Item | undefined;
}

/**
 * @throws HarborError `config_unreadable` if the path leads through anything but maps, with a list at the end
 *   if `listed`
 */
function wayTo({ body, root }: YamlDocument, spot: Spot, servers: Servers): Way {
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

/** Returns the value of an item. */
function valueIn({ document }: YamlDocument, { holder, place }: Item): unknown {
  const item: unknown = holder.items[place];
  const node = isMap(holder) ? (item as Pair).value : item;
  return document && isNode(node) ? node.toJS(document) : node;
}

function pairAt({ holder, place }: Item): Pair {
  return holder.items[place] as Pair;
}

/** Returns the end of a node, without trailing comments and whitespace. */
function endOf(node: unknown): number {
  if (isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    return isNode(last) ? endOf(last) : endOfPair(last as Pair | undefined);
  }
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}

/** Returns the end of the lines of what ends at `offset`. A block scalar ends with its lines. */
function linesEnd(body: string, offset: number): number {
  return offset > 0 && /[\r\n]/.test(body.charAt(offset - 1)) ? offset : lineEnd(body, offset);
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

/** Returns the comments outside [from, to), in order. */
function commentsOutside(body: string, from: number, to: number): string[] {
  const comments: string[] = [];
  let offset = 0;
  let isScalarNext = false;
  for (const token of new Lexer().lex(body)) {
    // Control characters classify the next token and are not part of the text.
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

function itemOf(holder: YAMLMap | YAMLSeq, place: number, body: string): Item {
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
    throw unreadable(spot, body, startOf(holder.items[second]), `"${spot.name}" occurs twice`);
  return place === undefined ? undefined : itemOf(holder, place, body);
}

function notThat(value: unknown, key: string, isList: boolean): string {
  if (isAlias(value)) return `"${key}" is an alias; write it out`;
  return `"${key}" is not a ${isList ? 'list' : 'map'}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
