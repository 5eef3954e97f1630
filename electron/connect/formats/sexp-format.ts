/**
 * Edits one entry of a file with one property list, `(:version 1 :servers ((:name "files" …)))`, and preserves every
 * other byte. The servers are a list of property lists with a name. Pure.
 *
 * An entry is data of JSON: its keys are keywords, and a text such as `:stdio` is a keyword too.
 */

import { lispString } from '../../contract/knowledge';
import { read } from '../../source/reader';
import { stringRead } from '../../source/s-expression';
import { type Branch, formsOf, isBranch, type SyntaxNode, walk } from '../../source/syntax-tree';
import {
  type ConfigFormat,
  edited,
  layoutOf,
  type Spot,
  type TextEdit,
  unreadable,
  withoutMark,
} from './config-format';

export const sexp: ConfigFormat = {
  read(text, spot) {
    const file = parsed(text, spot);
    return file.entry && dataOf(file.entry, file.body);
  },

  hasServers(text, spot) {
    return parsed(text, spot).servers !== undefined;
  },

  upsert(text, spot, entry) {
    const file = parsed(text, spot);
    return file.mark + edited(file.body, [change(file, entry)]);
  },

  remove(text, spot, prune) {
    const file = parsed(text, spot);
    return file.entry ? file.mark + edited(file.body, [removal(file, file.entry, prune)]) : text;
  },

  rest(text, spot) {
    const { body, tree, root, servers, entry } = parsed(text, spot);
    const outside = ({ start, end }: SyntaxNode) =>
      entry === undefined || end <= entry.start || start >= entry.end;
    const comments = [...walk(tree)].flatMap(({ node }) =>
      node.kind === 'comment' && outside(node) ? [node] : [],
    );
    const pairs = pairsOf(root, body).filter(
      ({ key, value }) => value !== servers && !isVersion(key, value, body),
    );
    const siblings = itemsOf(servers).filter((each) => each !== entry);
    const texts = [...pairs.flatMap(({ node, value }) => [node, value ?? node]), ...siblings, ...comments];
    return texts.map(({ start, end }) => body.slice(start, end)).join('\n');
  },
};

/** Offsets count from the start of `body`. Absent members are not in the file. */
interface SexpFile {
  mark: string;
  body: string;
  tree: Branch;
  root: Branch | undefined;
  servers: SyntaxNode | undefined;
  entry: Branch | undefined;
}

/** @throws HarborError `config_unreadable` */
function parsed(text: string, spot: Spot): SexpFile {
  const { mark, body } = withoutMark(text);
  const { tree, problem } = read(body, 'common-lisp');
  if (problem !== null) throw unreadable(spot, body, body.length, 'the parentheses do not match');
  const [root, second] = formsOf(tree);
  if (second) throw unreadable(spot, body, second.start, 'there is a second form');
  if (root !== undefined && !isList(root)) throw unreadable(spot, body, root.start, 'the file is no list');
  const servers = pairsOf(root, body).find(({ key }) => key === spot.keyPath[0])?.value;
  if (servers !== undefined && !isList(servers) && !isNil(servers, body))
    throw unreadable(spot, body, servers.start, 'the servers are no list');
  const entry = itemsOf(servers)
    .filter(isList)
    .find((each) =>
      pairsOf(each, body).some(({ key, value }) => key === 'name' && isNamed(value, spot.name, body)),
    );
  return { mark, body, tree, root, servers, entry };
}

function isList(node: SyntaxNode): node is Branch {
  return node.kind === 'list';
}

function isNil(node: SyntaxNode, body: string): boolean {
  return /^nil$/i.test(body.slice(node.start, node.end));
}

function isNamed(value: SyntaxNode | undefined, name: string, body: string): boolean {
  return value?.kind === 'string' && stringRead(body.slice(value.start, value.end)) === name;
}

/** Reports whether it is what a new file gets. */
function isVersion(key: string, value: SyntaxNode | undefined, body: string): boolean {
  return key === 'version' && value !== undefined && body.slice(value.start, value.end) === '1';
}

function itemsOf(node: SyntaxNode | undefined): SyntaxNode[] {
  return node !== undefined && isBranch(node) ? formsOf(node) : [];
}

/** Returns the keys of a property list in lower case, without the colon. */
function pairsOf(list: Branch | undefined, body: string) {
  const forms = itemsOf(list);
  return forms.flatMap((node, index) => {
    const key = /^:(\S+)$/.exec(body.slice(node.start, node.end))?.[1]?.toLowerCase();
    return index % 2 === 0 && key !== undefined ? [{ key, node, value: forms[index + 1] }] : [];
  });
}

function dataOf(node: SyntaxNode, body: string): unknown {
  const written = body.slice(node.start, node.end);
  if (node.kind === 'string') return stringRead(written);
  if (!isList(node)) return /^[-+]?\d+$/.test(written) ? Number(written) : written.toLowerCase();
  const pairs = pairsOf(node, body);
  if (pairs.length > 0 && pairs.length * 2 === itemsOf(node).length)
    return Object.fromEntries(pairs.map(({ key, value }) => [key, value && dataOf(value, body)]));
  return itemsOf(node).map((each) => dataOf(each, body));
}

/** Prints an entry in lines. All but the first are indented by `indentation` and a blank. */
function printed(value: unknown, indentation: string, eol: string): string {
  if (Array.isArray(value)) return `(${value.map((each) => printed(each, indentation, eol)).join(' ')})`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).filter(([, each]) => each !== undefined);
    const inner = `${indentation} `;
    return `(${pairs.map(([key, each]) => `:${key} ${printed(each, inner, eol)}`).join(`${eol}${inner}`)})`;
  }
  const text = String(value);
  return typeof value === 'string' && !/^:[a-z-]+$/.test(text) ? lispString(text) : text;
}

/** The text around the entry of a new file. */
const newFile = (eol: string) => ({ before: `(:version 1${eol} :servers${eol} (`, after: '))' });

function change({ body, root, servers, entry }: SexpFile, own: unknown): TextEdit {
  const { eol } = layoutOf(body);
  if (entry)
    return { from: entry.start, to: entry.end, text: printed(own, columnAt(body, entry.start), eol) };
  if (root === undefined) {
    const { before, after } = newFile(eol);
    const isEnded = body === '' || /[\r\n]$/.test(body);
    return {
      from: body.length,
      to: body.length,
      text: `${isEnded ? '' : eol}${before}${printed(own, '  ', eol)}${after}${eol}`,
    };
  }
  if (servers === undefined) {
    const at = root.end - 1;
    return { from: at, to: at, text: `${eol} :servers (${printed(own, '           ', eol)})` };
  }
  const last = itemsOf(servers).at(-1);
  if (last === undefined)
    return {
      from: servers.start,
      to: servers.end,
      text: `(${printed(own, columnAt(body, servers.start + 1), eol)})`,
    };
  const first = itemsOf(servers)[0] ?? last;
  const column = columnAt(body, first.start);
  const at = endOfLineComment(body, last.end);
  return { from: at, to: at, text: `${eol}${column}${printed(own, column, eol)}` };
}

/** Returns the end of a comment that follows in the same line, else `offset`. */
function endOfLineComment(body: string, offset: number): number {
  return offset + (/^[ \t]*;[^\r\n]*/.exec(body.slice(offset))?.[0].length ?? 0);
}

/** Returns blanks up to the column of an offset. */
function columnAt(body: string, offset: number): string {
  const start = Math.max(body.lastIndexOf('\n', offset - 1), body.lastIndexOf('\r', offset - 1)) + 1;
  return body.slice(start, offset).replaceAll(/[^\t]/g, ' ');
}

function removal({ body, root, servers, entry: _own }: SexpFile, entry: Branch, prune: boolean): TextEdit {
  const items = itemsOf(servers);
  const blank = (text: string, pattern: RegExp) => pattern.exec(text)?.[0].length ?? 0;
  const endOfText = (end: number) => body.slice(0, end).trimEnd().length;
  if (items.length > 1)
    return items[0] === entry
      ? { from: entry.start, to: entry.end + blank(body.slice(entry.end), /^\s+/), text: '' }
      : { from: endOfText(entry.start), to: entry.end, text: '' };
  if (!prune || root === undefined || servers === undefined)
    return { from: endOfText(entry.start), to: entry.end, text: '' };
  const { eol } = layoutOf(body);
  const made = newFile(eol);
  if (body.slice(root.start, entry.start) === made.before && body.slice(entry.end, root.end) === made.after)
    return { from: root.start, to: root.end + blank(body.slice(root.end), /^(?:\r\n|\r|\n)/), text: '' };
  const key = pairsOf(root, body).find(({ value }) => value === servers)?.node ?? servers;
  return { from: endOfText(key.start), to: servers.end, text: '' };
}
