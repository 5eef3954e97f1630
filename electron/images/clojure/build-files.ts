/**
 * Reads build files of Clojure projects as data: source folders and dependencies.
 * https://clojure.org/reference/deps_edn, Leiningen's sample.project.clj,
 * https://shadow-cljs.github.io/docs/UsersGuide.html
 */

import { problemOffset } from '../../source/diagnosis';
import { read } from '../../source/reader';
import { type Branch, formsOf, isBranch, type SyntaxNode } from '../../source/syntax-tree';

/** A Maven library such as `org.clojure/data.json`; without a group, group and artifact are equal. */
export interface Coordinate {
  group: string;
  artifact: string;
  version: string;
}

export interface Declared {
  /** Relative to the project. */
  readonly paths: readonly string[];
  readonly libraries: readonly Coordinate[];
  /** Local folders or archives, relative to the project. */
  readonly roots: readonly string[];
  /** Dependencies from other sources, such as git, as text. */
  readonly others: readonly string[];
}

export type BuildFile = 'deps.edn' | 'project.clj' | 'shadow-cljs.edn' | 'bb.edn';

export const NOTHING = { paths: [], libraries: [], roots: [], others: [] } as const satisfies Declared;

const READERS: Readonly<Record<BuildFile, (value: EdnValue) => Declared | null>> = {
  'deps.edn': (value) => (value instanceof Map ? ofDeps(value, ['src']) : null),
  'bb.edn': (value) => (value instanceof Map ? ofDeps(value, []) : null),
  'project.clj': ofLeiningen,
  'shadow-cljs.edn': (value) => (value instanceof Map ? ofLists(value) : null),
};

/** Parses a build file; returns null if it is invalid or needs evaluation. */
export function declared(file: BuildFile, text: string): Declared | null {
  const value = readEdn(text);
  return value === undefined ? null : READERS[file](value);
}

/** Ignores aliases such as `:dev`, which apply only when named. */
function ofDeps(map: EdnMap, usual: string[]): Declared {
  const deps = map.get(':deps');
  const found = deps instanceof Map ? [...deps].map(dependency) : [];
  return {
    paths: stringsOf(map.get(':paths')) ?? usual,
    libraries: found.flatMap((each) => each.libraries),
    roots: found.flatMap((each) => each.roots),
    others: found.flatMap((each) => each.others),
  };
}

function dependency([library, spec]: [string, EdnValue]): Declared {
  if (!(spec instanceof Map)) return { ...NOTHING, others: [library] };
  const version = spec.get(':mvn/version');
  const root = spec.get(':local/root');
  if (typeof version === 'string') return { ...NOTHING, libraries: [coordinate(library, version)] };
  if (typeof root === 'string') return { ...NOTHING, roots: [root] };
  return { ...NOTHING, others: [`${library} (from git)`] };
}

/** `(defproject name "version" :key value …)` */
function ofLeiningen(value: EdnValue): Declared | null {
  if (!Array.isArray(value) || !(value[0] instanceof EdnName) || value[0].name !== 'defproject') return null;
  const entries: EdnMap = new Map();
  for (let at = 3; at + 1 < value.length; at += 2) {
    const key = value[at];
    if (key instanceof EdnName) entries.set(key.name, value[at + 1] ?? null);
  }
  return ofLists(entries);
}

function ofLists(map: EdnMap): Declared {
  const named = map.get(':dependencies');
  const libraries = (Array.isArray(named) ? named : []).flatMap((each) => {
    const [library, version] = Array.isArray(each) ? each : [];
    return library instanceof EdnName && typeof version === 'string'
      ? [coordinate(library.name, version)]
      : [];
  });
  const paths = [':source-paths', ':resource-paths', ':test-paths'].flatMap(
    (key) => stringsOf(map.get(key)) ?? [],
  );
  return { ...NOTHING, paths, libraries };
}

function coordinate(library: string, version: string): Coordinate {
  const [group = library, artifact = group] = library.split('/');
  // A classifier after a dollar sign names another archive of the same library.
  const [plain = artifact] = artifact.split('$', 1);
  return { group, artifact: plain, version };
}

function stringsOf(value: EdnValue | undefined): string[] | null {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : null;
}

/** A symbol as written, or a keyword with its colon. */
export class EdnName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Lists, vectors and sets become arrays; map keys are strings as written, without quotes. */
type EdnValue = string | number | boolean | null | EdnName | EdnValue[] | EdnMap;
type EdnMap = Map<string, EdnValue>;

/** Maximum nesting of collections. */
const DEEPEST = 1_000;

/**
 * Reads the first value of EDN text (https://github.com/edn-format/edn) without evaluating anything;
 * undefined if there is none or the text is not EDN.
 */
export function readEdn(text: string): EdnValue | undefined {
  const { tree, problem } = read(text, 'clojure');
  const [first] = formsOf(tree);
  if (first === undefined || (problem !== null && problemOffset(problem) < first.end)) return undefined;
  try {
    return ednOf(first, text, 0);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** @throws SyntaxError if it is not EDN or nested too deeply */
function ednOf(node: SyntaxNode, text: string, depth: number): EdnValue {
  if (depth > DEEPEST) throw new SyntaxError(`more than ${DEEPEST} nested collections`);
  const written = text.slice(node.start, node.end);
  if (node.kind === 'string') return stringValue(written);
  if (!isBranch(node)) return atomValue(written);
  if (node.kind === 'prefixed') return prefixedValue(node, text, depth);
  return written.startsWith('{') ? mapOf(items(node, text, depth)) : items(node, text, depth);
}

/** Reads a set, or a value with metadata, which is ignored. */
function prefixedValue(node: Branch, text: string, depth: number): EdnValue {
  const last = formsOf(node).at(-1);
  if (last && text.startsWith('^', node.start)) return ednOf(last, text, depth + 1);
  if (last && isBranch(last) && text.startsWith('#{', node.start)) return items(last, text, depth);
  throw new SyntaxError("syntax that only Clojure's reader supports");
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
  if (!/^[\w:+.*!?$%&=<>/-]/.test(atom)) throw new SyntaxError(`${atom} is not EDN`);
  return /^[+-]?\d/.test(atom) ? Number.parseFloat(atom) : new EdnName(atom);
}

const ESCAPES: ReadonlyMap<string, string> = new Map(Object.entries({ n: '\n', t: '\t', r: '\r' }));

function stringValue(written: string): string {
  if (written.startsWith('#')) throw new SyntaxError('a regular expression is not EDN');
  return written
    .slice(1, -1)
    .replace(/\\([\s\S])/g, (_, character: string) => ESCAPES.get(character) ?? character);
}
