/** What symbols of a Clojure file mean, as its `ns` form says it: by its own name, its aliases and what it refers to. */
import { plainName } from './form-name';
import type { Source } from './reader';
import { formsOf, isBranch, type SyntaxNode } from './syntax-tree';
import type { TopLevelForm } from './top-level';

/** What a file calls other namespaces, and which of their names it uses bare. */
interface Names {
  own: string | null;
  aliases: Map<string, string>;
  /** null: all of them. */
  referred: Map<string, ReadonlySet<string> | null>;
}

/** Whether a symbol of that file is the var `query`; one without a namespace may be anybody's. */
export function namesIn(
  source: Source,
  forms: readonly TopLevelForm[],
  query: string,
): (written: string) => boolean {
  const [, space, simple = query] = /^([^/]+)\/(.+)$/.exec(query) ?? [];
  const names = namesOf(source, forms);
  return (written) => {
    const [, prefix, name = written] = /^([^/]+)\/(.+)$/.exec(written) ?? [];
    if (name !== simple) return false;
    if (space === undefined || names.own === null) return true;
    if (prefix !== undefined) return (names.aliases.get(prefix) ?? prefix) === space;
    if (names.own === space) return true;
    const referred = names.referred.get(space);
    return referred === null || referred?.has(name) === true;
  };
}

function namesOf(source: Source, forms: readonly TopLevelForm[]): Names {
  const ns = forms.find(({ type }) => type === 'ns');
  const names: Names = { own: ns?.name?.name ?? null, aliases: new Map(), referred: new Map() };
  if (ns === undefined || !isBranch(ns.form)) return names;
  for (const clause of formsOf(ns.form)) {
    const [keyword, ...libraries] = isBranch(clause) ? formsOf(clause) : [];
    const word = keyword && textOf(keyword, source);
    if (word !== ':require' && word !== ':use') continue;
    for (const library of libraries) addLibrary(library, word === ':use', source, names);
  }
  return names;
}

/** `[shop.core :as core :refer [price]]`, or `shop.core`. */
function addLibrary(library: SyntaxNode, isUsed: boolean, source: Source, names: Names): void {
  const [first = library, ...options] = isBranch(library) ? formsOf(library) : [];
  const space = textOf(first, source);
  if (isUsed) names.referred.set(space, null);
  for (const [place, option] of options.entries()) {
    const value = options[place + 1];
    if (value === undefined) continue;
    const word = textOf(option, source);
    if (word === ':as' || word === ':as-alias') names.aliases.set(textOf(value, source), space);
    else if (word === ':refer' || word === ':only') names.referred.set(space, referredIn(value, source));
  }
}

function referredIn(value: SyntaxNode, source: Source): ReadonlySet<string> | null {
  return isBranch(value) ? new Set(formsOf(value).map((each) => textOf(each, source))) : null;
}

function textOf({ start, end }: SyntaxNode, { text, dialect }: Source): string {
  return plainName(text.slice(start, end), dialect);
}
