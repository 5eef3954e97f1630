/**
 * Edits of YAML that touch one entry and leave every other byte alone. By offsets of yaml's tree: its own printing of a changed
 * document lays out anew what stands beside the change. Pure.
 */
import { isMap, isSeq, stringify, type YAMLMap, type YAMLSeq } from 'yaml';
import type { ConfigFormat, Spot } from './config-format';
import { indentationAt, inLines, type Layout, layoutOf } from './json-layout';
import { edited, lineStart, type TextEdit } from './text-edit';
import {
  commentsOutside,
  endOf,
  type Item,
  itemOf,
  linesEnd,
  parseYaml,
  type Servers,
  startOf,
  valueIn,
  type Way,
  wayTo,
  type YamlDocument,
} from './yaml-document';

/** The servers are a map. */
export const yaml = yamlFormat('named');
/** The servers are a list, and each has its name in it. */
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

/** As JSON, which is YAML, between braces or brackets. */
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

/** Without the braces or brackets around it. */
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

/** Lines, all indented, without the last line break. */
function block(value: unknown, indentation: string, layout: Layout): string {
  // Old parsers take `yes` and `1:20` for something else than text.
  const text = stringify(value, { indent: stepOf(layout).length, lineWidth: 0, compat: 'yaml-1.1' });
  return text.trimEnd().replace(/^/gm, indentation).replaceAll('\n', layout.eol);
}

/** Tabs indent nothing in YAML. */
function stepOf({ step }: Layout): string {
  return step.includes('\t') ? '  ' : step;
}

/** The lines of an item; between braces or brackets the item itself. */
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

/** Whether nobody has written a comment beside the only item of a pair. */
function isBare(body: string, pair: Item, item: Item): boolean {
  const [from, to] = rangeOf(body, pair);
  const [own, end] = rangeOf(body, item);
  return !/(?:^|\s)#/.test(body.slice(from, own) + body.slice(end, to));
}

/** Keys and items verbatim in their order, without the entry and what is empty without it. */
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
