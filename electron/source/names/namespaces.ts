/**
 * Namespaces of a project according to its files: what a symbol refers to in each
 * (https://clojure.org/reference/namespaces).
 */
import type { Source } from '../reader';
import { formsOf, isBranch, type SyntaxNode } from '../syntax-tree';
import { behindPrefixes, isDefiner, type TopLevelForm } from '../top-level-forms';

interface Namespace {
  readonly aliases: Map<string, string>;
  /** Namespace by referred name. */
  readonly refers: Map<string, string>;
  /** Names that are renamed here. */
  readonly renamed: Set<string>;
  /** Namespaces that are referred to as a whole, with excluded names. */
  readonly uses: Map<string, ReadonlySet<string>>;
  /** Namespace by simple class name. */
  readonly imports: Map<string, string>;
}

/** A symbol in a `:refer` or similar option, which names a definition of `namespace`. */
interface Referred {
  node: SyntaxNode;
  namespace: string;
}

export class Namespaces {
  readonly #namespaces = new Map<string, Namespace>();
  /** Requested names that files define, by namespace. */
  readonly #defined = new Map<string, Set<string>>();

  of(name: string): Namespace {
    const found = this.#namespaces.get(name);
    if (found) return found;
    const made: Namespace = {
      ...{ aliases: new Map(), refers: new Map(), renamed: new Set() },
      ...{ uses: new Map(), imports: new Map() },
    };
    this.#namespaces.set(name, made);
    return made;
  }

  define(namespace: string, name: string): void {
    const names = this.#defined.get(namespace) ?? new Set<string>();
    this.#defined.set(namespace, names.add(name));
  }

  defines(namespace: string, name: string): boolean {
    return this.#defined.get(namespace)?.has(name) === true;
  }

  /** Returns the namespaces that define it. */
  definersOf(name: string): string[] {
    return [...this.#defined].filter(([, names]) => names.has(name)).map(([namespace]) => namespace);
  }

  isThere(namespace: string): boolean {
    return this.#namespaces.has(namespace);
  }

  /**
   * Returns the namespace of a symbol that is written in `here`; null if the name means something else there.
   */
  home(here: string, qualifier: string | null, name: string): string | null {
    const from = this.#namespaces.get(here);
    if (qualifier !== null) return from?.aliases.get(qualifier) ?? qualifier;
    if (!from || this.defines(here, name)) return here;
    if (from.renamed.has(name)) return null;
    const referred = from.refers.get(name);
    if (referred !== undefined) return referred;
    const used = [...from.uses].find(([each, but]) => this.defines(each, name) && !but.has(name));
    return used?.[0] ?? here;
  }
}

/**
 * Records what a form says about namespaces, and returns the symbols in it that name definitions; null for
 * other forms.
 * @param here the current namespace
 */
export function namespaceForm(
  form: SyntaxNode,
  here: string,
  source: Source,
  namespaces: Namespaces,
): Referred[] | null {
  const [operator, ...rest] = listed(form);
  const name = operator && textOf(operator, source);
  const reading = new Reading(source, namespaces);
  if (name === 'ns') {
    const [named, ...clauses] = rest;
    const entered = named ? textOf(behindPrefixes(named), source) : here;
    for (const clause of clauses.flatMap((each) => branches(each, source))) reading.clause(clause, entered);
    return reading.referred;
  }
  if (name === undefined || !CALLS.has(name)) return null;
  reading.call(name, rest, here);
  return reading.referred;
}

/** Returns the namespace that the form switches to. */
export function namespaceEntered(form: SyntaxNode, source: Source): string | null {
  const [operator, second] = listed(form);
  const name = operator && textOf(operator, source);
  if ((name !== 'ns' && name !== 'in-ns') || !second) return null;
  const entered = behindPrefixes(second);
  return entered.kind === 'token' ? textOf(entered, source) : null;
}

/** Functions that do the same as clauses of `ns`. */
const CLAUSES: ReadonlySet<string> = new Set([
  'require',
  'use',
  'import',
  'refer',
  'require-macros',
  'use-macros',
]);

const CALLS: ReadonlySet<string> = new Set([...CLAUSES, 'alias', 'in-ns']);

class Reading {
  readonly referred: Referred[] = [];
  readonly #source: Source;
  readonly #namespaces: Namespaces;

  constructor(source: Source, namespaces: Namespaces) {
    this.#source = source;
    this.#namespaces = namespaces;
  }

  clause(clause: SyntaxNode, here: string): void {
    const [first, ...rest] = listed(clause);
    const key = first && textOf(first, this.#source);
    if (key?.startsWith(':')) this.#take(key.slice(1), rest, here);
  }

  call(name: string, rest: readonly SyntaxNode[], here: string): void {
    const [one, other] = rest.map(behindPrefixes);
    if (name !== 'alias') this.#take(name, rest, here);
    else if (one && other)
      this.#namespaces.of(here).aliases.set(textOf(one, this.#source), textOf(other, this.#source));
  }

  #take(kind: string, specs: readonly SyntaxNode[], here: string): void {
    if (kind === 'refer') this.#spec(specs, '', here, kind);
    if (kind === 'refer' || !CLAUSES.has(kind)) return;
    for (const spec of specs.flatMap((each) => branches(each, this.#source))) {
      const parts = listed(spec);
      if (kind === 'import') this.#import(parts, here);
      else if (isPrefixList(parts, this.#source)) {
        const prefix = `${textOf(parts[0] as SyntaxNode, this.#source)}.`;
        for (const part of parts.slice(1))
          this.#spec(listed(part).length > 0 ? listed(part) : [part], prefix, here, kind);
      } else this.#spec(parts.length > 0 ? parts : [spec], '', here, kind);
    }
  }

  /** Reads `shop.core :as s :refer [price] :rename {price p}`, and options of `use` and `refer`. */
  #spec(parts: readonly SyntaxNode[], prefix: string, here: string, kind: string): void {
    const [named, ...options] = parts.map(behindPrefixes);
    if (named?.kind !== 'token') return;
    const name = `${prefix}${textOf(named, this.#source)}`;
    const from = this.#namespaces.of(here);
    const found = new Map<string, SyntaxNode>();
    for (let at = 0; at + 1 < options.length; at += 2) {
      const [key, value] = [options[at], options[at + 1]];
      if (key && value) found.set(textOf(key, this.#source), value);
    }
    for (const key of [':as', ':as-alias']) {
      const alias = found.get(key);
      if (alias) from.aliases.set(textOf(alias, this.#source), name);
    }
    const renamed = listed(found.get(':rename') ?? named);
    this.#refer(
      renamed.filter((_, index) => index % 2 === 0),
      name,
    );
    for (const each of renamed) from.renamed.add(textOf(each, this.#source));
    const lists = [':refer', ':only', ':refer-macros'].flatMap((key) => found.get(key) ?? []);
    for (const list of lists) for (const each of this.#symbols(list, name)) from.refers.set(each, name);
    const isAll = lists.some((list) => textOf(list, this.#source) === ':all') || lists.length === 0;
    const uses = (kind !== 'require' && kind !== 'require-macros') || lists.length > 0;
    if (isAll && uses) from.uses.set(name, new Set(this.#symbols(found.get(':exclude'), name)));
  }

  /** Returns symbols in a list or a map that name definitions of `namespace`. */
  #symbols(list: SyntaxNode | undefined, namespace: string): string[] {
    return this.#refer(list ? listed(list).filter(({ kind }) => kind === 'token') : [], namespace);
  }

  #refer(nodes: readonly SyntaxNode[], namespace: string): string[] {
    for (const node of nodes) this.referred.push({ node, namespace });
    return nodes.map((node) => textOf(node, this.#source));
  }

  #import([first, ...classes]: readonly SyntaxNode[], here: string): void {
    if (first?.kind !== 'token') return;
    const where = ofPackage(textOf(first, this.#source));
    for (const each of this.#refer(classes, where)) this.#namespaces.of(here).imports.set(each, where);
  }
}

/**
 * Reports whether it is a prefix list such as `(shop [core :as c] util)`: a list with more than options after
 * its first element.
 */
function isPrefixList(parts: readonly SyntaxNode[], source: Source): boolean {
  const [, second] = parts;
  return second !== undefined && !textOf(second, source).startsWith(':');
}

/** Converts a package name: packages have `_` where namespaces have `-`. */
export function ofPackage(name: string): string {
  return name.replaceAll('_', '-');
}

/** Returns the elements of a list or a vector, also of a quoted one; empty for anything else. */
export function listed(node: SyntaxNode): SyntaxNode[] {
  const form = behindPrefixes(node);
  return isBranch(form) ? formsOf(form) : [];
}

/** Returns the node, or the alternatives of a reader conditional. */
export function branches(node: SyntaxNode, source: Source): SyntaxNode[] {
  if (!isConditional(node, source)) return [node];
  const chosen = listed(node).filter((_, index) => index % 2 === 1);
  const isSpliced = source.text.startsWith('#?@', node.start);
  return isSpliced ? chosen.flatMap(listed) : chosen;
}

export function isConditional({ start }: SyntaxNode, { text }: Source): boolean {
  return text.startsWith('#?', start);
}

export function textOf({ start, end }: SyntaxNode, { text }: Source): string {
  return text.slice(start, end);
}

/** Returns the symbol without its namespace. */
export function unqualified(symbol: string): string {
  return symbol.replace(/^[^/]+\/(?=.)/, '');
}

export function isVector(node: SyntaxNode, { text }: Source): boolean {
  const form = behindPrefixes(node);
  return form.kind === 'list' && text[form.start] === '[';
}

export function isCall(node: SyntaxNode, { text }: Source): boolean {
  return node.kind === 'list' && text[node.start] === '(';
}

const QUALIFIED = /^([^/]+)\/(.+)$/;

/**
 * Returns a function that decides whether a symbol of the file is the var `query`, from the file alone. A
 * query without a namespace matches vars of any namespace.
 */
export function namesIn(
  source: Source,
  forms: readonly TopLevelForm[],
  query: string,
): (written: string) => boolean {
  const [, space, simple = query] = QUALIFIED.exec(query) ?? [];
  const own = forms.map(({ form }) => namespaceEntered(form, source)).find((name) => name !== null);
  const isNamed = (written: string): boolean => (QUALIFIED.exec(written)?.[2] ?? written) === simple;
  if (space === undefined || own === undefined) return isNamed;
  const namespaces = new Namespaces();
  namespaces.define(space, simple);
  for (const { type, name, form } of forms) {
    namespaceForm(form, own, source, namespaces);
    if (isDefiner(type) && name?.name === simple) namespaces.define(own, simple);
  }
  return (written) =>
    isNamed(written) && namespaces.home(own, QUALIFIED.exec(written)?.[1] ?? null, simple) === space;
}
