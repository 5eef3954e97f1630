/**
 * Reads EDN (https://github.com/edn-format/edn) as data, as far as build files of Clojure use it. Nothing is evaluated:
 * what only Clojure's own reader knows makes the text unreadable.
 */
import { faultOf } from '../../source/diagnosis';
import { read } from '../../source/reader';
import { type Branch, formsOf, isBranch, type SyntaxNode } from '../../source/syntax-tree';

/** A symbol as it is written, or a keyword with its colon. */
export class EdnName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Lists, vectors and sets are arrays; keys of maps are as they are written, strings without their quotes. */
export type EdnValue = string | number | boolean | null | EdnName | EdnValue[] | EdnMap;
export type EdnMap = Map<string, EdnValue>;

/** Collections within each other; no build file has as many. */
const DEEPEST = 1_000;

/** The first value of `text`; undefined when there is none, or something that is no EDN. */
export function readEdn(text: string): EdnValue | undefined {
  const { tree, problem } = read(text, 'clojure');
  const [first] = formsOf(tree);
  if (first === undefined || (problem !== null && faultOf(problem) < first.end)) return undefined;
  try {
    return ednOf(first, text, 0);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** @throws SyntaxError for what is no EDN, or too deep */
function ednOf(node: SyntaxNode, text: string, depth: number): EdnValue {
  if (depth > DEEPEST) throw new SyntaxError(`more than ${DEEPEST} collections within each other`);
  const written = text.slice(node.start, node.end);
  if (node.kind === 'string') return stringValue(written);
  if (!isBranch(node)) return atomValue(written);
  if (node.kind === 'prefixed') return prefixedValue(node, text, depth);
  return written.startsWith('{') ? mapOf(items(node, text, depth)) : items(node, text, depth);
}

/** A set, or a value behind metadata, which say nothing here. */
function prefixedValue(node: Branch, text: string, depth: number): EdnValue {
  const last = formsOf(node).at(-1);
  if (last && text.startsWith('^', node.start)) return ednOf(last, text, depth + 1);
  if (last && isBranch(last) && text.startsWith('#{', node.start)) return items(last, text, depth);
  throw new SyntaxError('what only a reader of Clojure knows');
}

function items(collection: Branch, text: string, depth: number): EdnValue[] {
  return formsOf(collection).map((part) => ednOf(part, text, depth + 1));
}

function mapOf(entries: readonly EdnValue[]): EdnMap {
  const map: EdnMap = new Map();
  for (let at = 0; at + 1 < entries.length; at += 2) map.set(keyText(entries[at]), entries[at + 1] ?? null);
  return map;
}

function keyText(key: EdnValue | undefined): string {
  return key instanceof EdnName ? key.name : String(key);
}

function atomValue(atom: string): EdnValue {
  if (atom === 'nil') return null;
  if (atom === 'true' || atom === 'false') return atom === 'true';
  if (!/^[\w:+.*!?$%&=<>/-]/.test(atom)) throw new SyntaxError(`${atom} is no EDN`);
  return /^[+-]?\d/.test(atom) ? Number.parseFloat(atom) : new EdnName(atom);
}

const ESCAPES: ReadonlyMap<string, string> = new Map(Object.entries({ n: '\n', t: '\t', r: '\r' }));

function stringValue(written: string): string {
  if (written.startsWith('#')) throw new SyntaxError('a regular expression is no EDN');
  return written
    .slice(1, -1)
    .replace(/\\([\s\S])/g, (_, character: string) => ESCAPES.get(character) ?? character);
}
