/** Search in one text: definitions by name, uses of a symbol, or any text, each with its top-level form. */
import type { Dialect } from './dialect';
import { formTitle, sameName } from './locate';
import { namesIn, textOf, unqualified } from './names/namespaces';
import { EnteredPackages, lispToken } from './names/package-forms';
import { signatureOf } from './outline';
import { readFile } from './own-syntax';
import type { QualifiedName } from './qualified-name';
import type { Source } from './reader';
import { OLD, walkScopes } from './rename/clojure-scopes';
import { type Branch, firstForm, formsOf, type SyntaxNode, walk } from './syntax-tree';
import { Positions } from './text';
import {
  behindPrefixes,
  isDefiner,
  isList,
  operatorOf,
  type TopLevelForm,
  topLevelForms,
  withoutPackage,
} from './top-level-forms';

export type SearchKind = 'definition' | 'reference' | 'caller' | 'text';

export interface Match {
  /** The operator of a definition, else `reference` or `text`. */
  kind: string;
  /** A definition in one line, else the matching line. */
  text: string;
  /** From 1. */
  line: number;
  /** The enclosing top-level form, unless it is the match itself. */
  form?: string;
  /** For uses: the first and last line of that form, and the package of each use, as `usesOf` returns it. */
  lines?: readonly [number, number];
  packages?: readonly (string | null)[];
}

/** Maximum characters of a line in a result. */
const LONGEST_LINE = 300;

export interface SearchQuery {
  kind: SearchKind;
  query: string;
  /** The query as a symbol, if it has a package and those of the project are known. */
  symbol?: QualifiedName | null;
}

/** @param dialect null for text that is no Lisp, in which only text is searched */
export function searchText(
  text: string,
  dialect: Dialect | null,
  { kind, query, symbol }: SearchQuery,
): Match[] {
  const sought = kind === 'text' || dialect === null ? query : withoutPackage(query, dialect);
  if (!includes(text, sought)) return [];
  const source = dialect && readFile(text, dialect);
  const forms = source ? topLevelForms(source) : [];
  const meaning = source && meaningOf(query, source, forms, symbol);
  if (kind === 'definition') return meaning ? definitions(meaning, source, forms) : [];
  const found =
    kind === 'text'
      ? occurrences(text, query).map((offset) => ({ offset, package: null }))
      : meaning
        ? usesOf({ query, meaning }, source, forms, kind === 'caller')
        : [];
  const formAround = innermost(forms);
  return lines(found, text, (places, positions) => {
    const around = formAround(places[0].offset);
    if (source === null || around === undefined) return { kind };
    const { start, end } = around.whole;
    const lines: Match['lines'] = [positions.line(start), positions.line(end)];
    const form = formTitle(around, source.dialect);
    const packages = places.map((place) => place.package);
    return { kind, form, ...(kind === 'text' ? {} : { lines, packages }) };
  });
}

function definitions({ defined }: Meaning, source: Source, forms: readonly TopLevelForm[]): Match[] {
  const positions = new Positions(source.text);
  return forms
    .filter(({ type, name, form }) => isDefiner(type) && name !== null && defined(name.name, form.start))
    .map((form) => ({
      kind: form.type.toLowerCase(),
      text: signatureOf(form, source),
      line: positions.line(form.form.start),
    }));
}

function occurrences(text: string, query: string): number[] {
  const offsets: number[] = [];
  const [inText, wanted] = [folded(text), folded(query)];
  for (let at = inText.indexOf(wanted); at >= 0; at = inText.indexOf(wanted, at + wanted.length))
    offsets.push(at);
  return offsets;
}

/** Returns the innermost form at an offset. Offsets must be requested in ascending order. */
export function innermost(forms: readonly TopLevelForm[]): (offset: number) => TopLevelForm | undefined {
  const around: TopLevelForm[] = [];
  let next = 0;
  return (offset) => {
    for (let form = forms[next]; form && form.whole.start <= offset; form = forms[next]) {
      around.push(form);
      next += 1;
    }
    // Forms are nested or disjoint, so one that has ended does not contain later offsets.
    while ((around.at(-1)?.whole.end ?? Number.POSITIVE_INFINITY) <= offset) around.pop();
    return around.at(-1);
  };
}

/** Returns each line once, however often it matches. */
function lines(
  places: readonly Use[],
  text: string,
  facts: (onLine: readonly [Use, ...Use[]], positions: Positions) => Omit<Match, 'text' | 'line'>,
): Match[] {
  const positions = new Positions(text);
  return [...Map.groupBy(places, ({ offset }) => positions.line(offset))].map(([line, onLine]) => {
    const written = text.slice(positions.startOf(line), positions.startOf(line + 1) || undefined);
    // Every line has at least one match.
    const found = facts(onLine as [Use, ...Use[]], positions);
    return { ...found, text: written.trim().slice(0, LONGEST_LINE), line };
  });
}

function includes(text: string, query: string): boolean {
  return folded(text).includes(folded(query));
}

/** Compares without case. Offsets are those of the text. */
function folded(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A use of a symbol: neither a definition nor only a mention, as in a package's exports. */
interface Use {
  offset: number;
  /**
   * The package in which the symbol is read, by its prefix or the preceding `in-package`; null if the text
   * does not tell.
   */
  package: string | null;
}

/**
 * Returns uses of a symbol. In Common Lisp the text does not determine the symbol, so `package` lets the
 * caller exclude uses of another one. In Clojure the `ns` form determines it.
 * @param onlyCalls only calls and references as a function; in Clojure, every evaluation of the symbol
 */
function usesOf(
  { query, meaning }: { query: string; meaning: Meaning },
  source: Source,
  forms: readonly TopLevelForm[],
  onlyCalls: boolean,
): Use[] {
  const passedOver = placesOfNames(forms, source);
  const isClojure = source.dialect === 'clojure';
  const { entered } = meaning;
  const values = isClojure && onlyCalls ? placesOfValues(query, source) : new Set<number>();
  const uses: Use[] = [];
  for (const { node, parents } of walk(source.tree)) {
    if (node.kind !== 'token' || passedOver.has(node.start)) continue;
    const written = source.text.slice(node.start, node.end);
    if (!meaning.used(written, node.start)) continue;
    if (onlyCalls && !values.has(node.start) && !isCalled(node, parents, source)) continue;
    uses.push({ offset: node.start, package: prefixOf(written, source) ?? entered?.at(node.start) ?? null });
  }
  return uses;
}

/** Whether a name at an offset is the sought one: of a definition, and in a use. */
interface Meaning {
  defined: (name: string, offset: number) => boolean;
  used: (written: string, offset: number) => boolean;
  /** null in Clojure */
  entered: EnteredPackages | null;
}

function meaningOf(
  query: string,
  source: Source,
  forms: readonly TopLevelForm[],
  symbol: QualifiedName | null = null,
): Meaning {
  const { dialect } = source;
  const isSame = (name: string) => sameName(name, query, dialect);
  if (dialect === 'clojure') return { defined: isSame, used: namesIn(source, forms, query), entered: null };
  const entered = EnteredPackages.of(forms, source);
  if (symbol === null)
    return { defined: isSame, used: (written) => !/^(?:#:|:)/.test(written) && isSame(written), entered };
  const denotes = (written: string, offset: number) => symbol.denotes(written, entered.at(offset));
  return { defined: denotes, used: denotes, entered };
}

/** Returns the offsets of defined names, and of all names in an `ns` form. */
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

/** Returns the offset of the name inside `(setf area)` and `(point (:include …))`. */
function nameIn(written: SyntaxNode, source: Source): number {
  const named = behindPrefixes(written);
  if (!isList(named)) return named.start;
  const [first, second] = formsOf(named);
  const isPlace = /^(?:setf|cas)$/i.test(operatorOf(named, source) ?? '');
  return ((isPlace ? second : first) ?? named).start;
}

/** Returns offsets at which Clojure evaluates the symbol and no local has its name. */
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

/** Macros that call their arguments without parentheses. */
const THREADING = /^(?:(?:some|cond|as)?->>?|doto)$/;

function isCalled({ start }: SyntaxNode, parents: readonly Branch[], source: Source): boolean {
  const around = parents.at(-1);
  if (around === undefined) return false;
  if (around.kind === 'prefixed') return source.text.startsWith("#'", around.start);
  if (source.text[around.start] !== '(') return false;
  return firstForm(around)?.start === start || THREADING.test(operatorOf(around, source) ?? '');
}
