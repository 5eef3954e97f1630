/** A Clojure file for renaming: its current namespaces, its definitions, and the occurrences of names. */
import {
  listed,
  type Namespaces,
  namespaceEntered,
  namespaceForm,
  ofPackage,
  textOf,
  unqualified,
} from '../names/namespaces';
import type { Source } from '../reader';
import { formsOf, isBranch, type SyntaxNode, walk } from '../syntax-tree';
import { behindPrefixes } from '../top-level-forms';
import { NEW, OLD, type Seen, walkScopes } from './clojure-scopes';
import type { SourceFile } from './renaming';

export const USER = 'user';

/**
 * The requested names: the old one, the new one, and the names that Clojure generates from the name of a
 * type.
 */
export interface Names {
  old: string;
  new: string;
}

/** An occurrence of such a name in a file. */
export interface ClojureOccurrence {
  /** Offset of the name without its qualifier. */
  start: number;
  end: number;
  name: string;
  kind: 'symbol' | 'class' | 'keyword' | 'quoted' | 'local' | 'method';
  /** The namespace of the named definition; null for an unqualified keyword or quoted symbol. */
  namespace: string | null;
  /** The current namespace at that place. */
  here: string;
  isQualified: boolean;
  /** Whether a local has the new name there. */
  isCaptured: boolean;
  /** For a method: its protocol in full. */
  protocol: string | null;
}

/** Returns the names that Clojure generates from a type's name, with itself. */
export function variants(name: string): string[] {
  return [name, `->${name}`, `map->${name}`, `${name}.`];
}

export class ClojureFile {
  readonly file: SourceFile;
  readonly #source: Source;
  /** Places where the current namespace changes. */
  readonly #entries: { from: number; name: string }[] = [];
  readonly #referred = new Map<number, string>();
  /** Protocols by the full names of their functions, as far as they are requested. */
  readonly protocols = new Map<string, string>();
  /** Full names of types, with the ends of their names. */
  readonly types = new Map<string, number[]>();

  constructor(file: SourceFile, namespaces: Namespaces, names: Names) {
    this.file = file;
    this.#source = file.source;
    const requested = new Set([names.old, names.new].flatMap(variants));
    for (const { node, parents } of walk(file.source.tree)) {
      if (node.kind !== 'list' || file.source.text[node.start] !== '(') continue;
      const entered = parents.length === 1 ? namespaceEntered(node, file.source) : null;
      if (entered !== null) this.#entries.push({ from: node.start, name: entered });
      const here = this.namespaceAt(node.start);
      namespaces.of(here);
      for (const referred of namespaceForm(node, here, file.source, namespaces) ?? [])
        this.#referred.set(referred.node.start, referred.namespace);
      this.#define(node, here, namespaces, requested);
    }
  }

  namespaceAt(offset: number): string {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.from ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#entries[low - 1]?.name ?? USER;
  }

  /** Returns where the namespace becomes current; null if it never does. */
  entryOf(namespace: string): number | null {
    return this.#entries.find(({ name }) => name === namespace)?.from ?? null;
  }

  sightings(names: Names, namespaces: Namespaces): ClojureOccurrence[] {
    const found: ClojureOccurrence[] = [];
    const requested = new Set([names.old, names.new].flatMap(variants));
    for (const form of formsOf(this.#source.tree)) {
      const here = this.namespaceAt(form.start);
      const isNs = namespaceEntered(behindPrefixes(form), this.#source) !== null;
      walkScopes(form, this.#source, names, (seen) => {
        if (isNs && !this.#referred.has(seen.node.start)) return;
        const sighting = this.#sighting(seen, here, { names, requested }, namespaces);
        if (sighting) found.push(sighting);
      });
    }
    return found;
  }

  #define(form: SyntaxNode, here: string, namespaces: Namespaces, requested: ReadonlySet<string>): void {
    if (!isBranch(form)) return;
    const [operator, named, ...rest] = formsOf(form);
    if (!operator || !named) return;
    const kind = unqualified(textOf(operator, this.#source));
    if (kind === 'declare')
      for (const each of [named, ...rest]) this.#defineNamed(each, here, namespaces, requested);
    if (!kind.startsWith('def') || kind === 'defmethod') return;
    this.#defineNamed(named, here, namespaces, requested);
    const name = textOf(behindPrefixes(named), this.#source);
    if (/^def(?:record|type)$/.test(kind) && requested.has(name)) {
      for (const each of variants(name)) namespaces.define(here, each);
      const full = `${here}/${name}`;
      this.types.set(full, [...(this.types.get(full) ?? []), behindPrefixes(named).end]);
    }
    if (kind !== 'defprotocol') return;
    for (const [method] of rest.map(listed)) {
      if (!method || !this.#defineNamed(method, here, namespaces, requested)) continue;
      this.protocols.set(`${here}/${textOf(behindPrefixes(method), this.#source)}`, `${here}/${name}`);
    }
  }

  #defineNamed(
    node: SyntaxNode,
    here: string,
    namespaces: Namespaces,
    requested: ReadonlySet<string>,
  ): boolean {
    const name = textOf(behindPrefixes(node), this.#source);
    if (!requested.has(name)) return false;
    namespaces.define(here, name);
    return true;
  }

  #sighting(
    { node, as, env, protocol }: Seen,
    here: string,
    { names, requested }: { names: Names; requested: ReadonlySet<string> },
    namespaces: Namespaces,
  ): ClojureOccurrence | null {
    const written = textOf(node, this.#source);
    const symbol = parted(written);
    const isClass = !requested.has(symbol.name) && requested.has(afterPoint(written));
    const name = isClass ? afterPoint(written) : symbol.name;
    if (!requested.has(name)) return null;
    const isQualified = symbol.qualifier !== null || isClass;
    const place = { start: node.end - name.length, end: node.end, name, here, isQualified };
    const free = { ...place, isCaptured: !isQualified && (env & NEW) !== 0, protocol: null };
    const referred = this.#referred.get(node.start);
    if (referred !== undefined) return { ...free, isQualified: true, kind: 'symbol', namespace: referred };
    if (isClass) return { ...free, kind: 'class', namespace: ofPackage(packageOf(written, name)) };
    if (symbol.isKeyword)
      return { ...free, kind: 'keyword', namespace: keywordNamespace(written, here, namespaces) };
    if (as === 'local') return { ...free, kind: 'local', namespace: null };
    if (as === 'method')
      return { ...free, kind: 'method', namespace: null, protocol: fullName(protocol, here, namespaces) };
    const local = name === names.old ? OLD : name === names.new ? NEW : 0;
    if (as === 'code' && !isQualified && (env & local) !== 0)
      return { ...free, kind: 'local', namespace: null };
    if (as === 'quoted' && !isQualified) return { ...free, kind: 'quoted', namespace: null };
    const imported = isQualified ? undefined : namespaces.of(here).imports.get(name.replace(/\.$/, ''));
    const namespace = imported ?? namespaces.home(here, symbol.qualifier, name);
    return { ...free, kind: 'symbol', namespace };
  }
}

function parted(written: string): { qualifier: string | null; name: string; isKeyword: boolean } {
  const isKeyword = written.startsWith(':');
  const symbol = written.replace(/^::?/, '');
  const slash = symbol.indexOf('/', 1);
  if (slash < 0 || slash === symbol.length - 1) return { qualifier: null, name: symbol, isKeyword };
  return { qualifier: symbol.slice(0, slash), name: symbol.slice(slash + 1), isKeyword };
}

function keywordNamespace(written: string, here: string, namespaces: Namespaces): string | null {
  const { qualifier, name } = parted(written);
  if (written.startsWith('::')) return qualifier === null ? here : namespaces.home(here, qualifier, name);
  return qualifier;
}

function fullName(symbol: string | undefined, here: string, namespaces: Namespaces): string | null {
  if (symbol === undefined) return null;
  const { qualifier, name } = parted(symbol);
  return `${namespaces.home(here, qualifier, name) ?? here}/${name}`;
}

/** Returns the part after the package of a class name such as `shop.core.Item` or `shop.core.Item.`. */
function afterPoint(written: string): string {
  const point = written.lastIndexOf('.', written.length - 2);
  return point <= 0 ? '' : written.slice(point + 1);
}

function packageOf(written: string, name: string): string {
  return written.slice(0, written.length - name.length - 1);
}

/**
 * Returns the offsets at which a file names a namespace: in requires, and in qualified names, keywords and
 * classes; ascending.
 */
export function namespacePlaces(source: Source, namespace: string): number[] {
  const point = namespace.lastIndexOf('.');
  const [prefix, last] = [namespace.slice(0, Math.max(point, 0)), namespace.slice(point + 1)];
  const isListed = (lists: readonly SyntaxNode[]) =>
    lists.slice(-2).some((each) => beginsWith(each, prefix, source));
  const places: number[] = [];
  for (const { node, parents } of walk(source.tree)) {
    const written = node.kind === 'token' ? textOf(node, source) : '';
    if (isWrittenWith(written, namespace) || (written === last && isListed(parents))) places.push(node.start);
  }
  return places;
}

/**
 * Matches the name itself, or qualified with it: `shop.core/price`, `:shop.core/price`, the class
 * `shop.core.Item`.
 */
function isWrittenWith(written: string, namespace: string): boolean {
  const symbol = written.replace(/^:+/, '');
  if (symbol === namespace || symbol.startsWith(`${namespace}/`)) return true;
  const [owner = ''] = symbol.split(/\.(?=\p{Lu})/u);
  return owner === namespace.replaceAll('-', '_');
}

/** Matches a prefix list such as `(shop [core :as c])`. */
function beginsWith(list: SyntaxNode, prefix: string, source: Source): boolean {
  const [first] = isBranch(list) ? formsOf(list) : [];
  return first?.kind === 'token' && prefix !== '' && textOf(first, source) === prefix;
}
