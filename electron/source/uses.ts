/** Where a source text uses a symbol: where it stands as one, and neither is defined nor only named, as in a package's exports. */
import { behindPrefixes, isList, operatorOf } from './form-name';
import { sameName } from './locate';
import { textOf, unqualified } from './names/clojure-forms';
import { EnteredPackages } from './names/entered-packages';
import { lispToken } from './names/lisp-token';
import { namesIn } from './names/namespace-names';
import type { Source } from './reader';
import { OLD, walkScopes } from './rename/clojure-scopes';
import { type Branch, firstForm, formsOf, type SyntaxNode, walk } from './syntax-tree';
import { isDefiner, type TopLevelForm } from './top-level';

export interface Use {
  offset: number;
  /** Where the symbol is looked up, as the reader makes that name: by its prefix, else by the `in-package` before it. null: the
   * text does not tell. */
  package: string | null;
}

/** Common Lisp's packages are not in the text: whoever knows them tells by `package` which use is of another symbol. In
 * Clojure the `ns` form says it.
 * @param onlyCalls where it is called, or meant as a function: in Clojure, wherever its value is */
export function usesOf(
  query: string,
  source: Source,
  forms: readonly TopLevelForm[],
  onlyCalls: boolean,
): Use[] {
  const isMeant = meaningOf(query, source, forms);
  const passedOver = placesOfNames(forms, source);
  const isClojure = source.dialect === 'clojure';
  const entered = isClojure ? null : EnteredPackages.of(forms, source);
  const values = isClojure && onlyCalls ? placesOfValues(query, source) : new Set<number>();
  const uses: Use[] = [];
  for (const { node, parents } of walk(source.tree)) {
    if (node.kind !== 'token' || passedOver.has(node.start)) continue;
    const written = source.text.slice(node.start, node.end);
    if (!isMeant(written)) continue;
    if (onlyCalls && !values.has(node.start) && !isCalled(node, parents, source)) continue;
    uses.push({ offset: node.start, package: prefixOf(written, source) ?? entered?.at(node.start) ?? null });
  }
  return uses;
}

function meaningOf(
  query: string,
  source: Source,
  forms: readonly TopLevelForm[],
): (written: string) => boolean {
  if (source.dialect === 'clojure') return namesIn(source, forms, query);
  return (written) => !/^(?:#:|:)/.test(written) && sameName(written, query, source.dialect);
}

/** Of what top-level forms define, with all that an `ns` form names. */
function placesOfNames(forms: readonly TopLevelForm[], source: Source): ReadonlySet<number> {
  const places = new Set<number>();
  for (const { type, form } of forms) {
    if (!isDefiner(type) || !isList(form)) continue;
    const [, named] = formsOf(form);
    if (named !== undefined) places.add(nameIn(named, source));
    if (type === 'ns') for (const { node } of walk(form)) places.add(node.start);
  }
  return places;
}

/** Of `(setf area)` and `(point (:include …))` what is named is inside. */
function nameIn(written: SyntaxNode, source: Source): number {
  const named = behindPrefixes(written);
  if (!isList(named)) return named.start;
  const [first, second] = formsOf(named);
  const isPlace = /^(?:setf|cas)$/i.test(operatorOf(named, source) ?? '');
  return ((isPlace ? second : first) ?? named).start;
}

/** Where Clojure evaluates a symbol of that name which no local has. */
function placesOfValues(query: string, source: Source): ReadonlySet<number> {
  const places = new Set<number>();
  const names = { old: unqualified(query), new: '' };
  for (const form of formsOf(source.tree))
    walkScopes(form, source, names, ({ node, as, env }) => {
      const isLocal = (env & OLD) !== 0 && !textOf(node, source).includes('/');
      if (as === 'code' && !isLocal) places.add(node.start);
    });
  return places;
}

function prefixOf(written: string, { dialect }: Source): string | null {
  return dialect === 'clojure' ? null : (lispToken(written)?.package ?? null);
}

/** Macros whose forms are called though they stand there bare. */
const THREADING = /^(?:(?:some|cond|as)?->>?|doto)$/;

function isCalled({ start }: SyntaxNode, parents: readonly Branch[], source: Source): boolean {
  const around = parents.at(-1);
  if (around === undefined) return false;
  if (around.kind === 'prefixed') return source.text.startsWith("#'", around.start);
  if (source.text[around.start] !== '(') return false;
  return firstForm(around)?.start === start || THREADING.test(operatorOf(around, source) ?? '');
}
