/** Forms that define and change packages, the symbol names in them, and the current package at each place. */
import type { Source } from '../reader';
import { stringRead } from '../s-expression';
import { type Branch, formsOf, isBranch, type SyntaxNode, walk } from '../syntax-tree';
import { behindPrefixes, isList, operatorOf, type TopLevelForm } from '../top-level-forms';

/** A name as a symbol or string of any package: `price`, `:price`, `#:price`, `"PRICE"`. */
export interface Designator {
  name: string;
  /** The package prefix of a symbol. */
  package: string | null;
  /** Offset of the name without prefix. */
  start: number;
  end: number;
  isString: boolean;
}

export interface PackageOption {
  /** In lower case: `export`. */
  key: string;
  names: Designator[];
  /** For options that start with a package, such as `import-from`. */
  from: Designator | null;
  /** For local nicknames: each nickname with its package. */
  pairs: Designator[][];
}

export interface PackageForm {
  form: Branch;
  name: Designator;
  options: PackageOption[];
}

const DEFINERS: ReadonlySet<string> = new Set(['defpackage', 'define-package', 'defpkg']);
const WITH_PACKAGE: ReadonlySet<string> = new Set(['import-from', 'shadowing-import-from']);
/** Functions with the effect of an option on a package, by default the current one. */
const CALLS: ReadonlySet<string> = new Set(['export', 'import', 'shadow', 'shadowing-import', 'use-package']);

export function packageForm(form: Branch, source: Source): PackageForm | null {
  const operator = operatorOf(form, source)?.toLowerCase() ?? '';
  if (!DEFINERS.has(operator)) return null;
  const [, second, ...rest] = formsOf(form);
  const name = second && designator(second, source);
  if (!name) return null;
  if (operator === 'defpkg') return { form, name, options: defpkgOptions(rest, source) };
  const options = rest.map(behindPrefixes).filter(isBranch);
  return { form, name, options: options.flatMap((each) => optionOf(each, source) ?? []) };
}

/**
 * ACL2 gives the list of symbols that its package imports, and every package uses ACL2's Common Lisp symbols.
 */
function defpkgOptions([imports]: SyntaxNode[], source: Source): PackageOption[] {
  const names = imports ? quotedNames(imports, source) : [];
  return [
    { key: 'import', names, from: null, pairs: [] },
    { key: 'is-defpkg', names: [], from: null, pairs: [] },
  ];
}

function optionOf(option: Branch, source: Source): PackageOption | null {
  const [first, ...rest] = formsOf(option);
  const key = first && designator(first, source)?.name.toLowerCase();
  if (!key || key === 'documentation' || key === 'size') return null;
  if (key === 'local-nicknames') {
    const pairs = rest.map(behindPrefixes).filter(isBranch);
    return { key, names: [], from: null, pairs: pairs.map((pair) => designators(formsOf(pair), source)) };
  }
  const all = designators(rest, source);
  const from = WITH_PACKAGE.has(key) ? (all[0] ?? null) : null;
  return { key, names: from ? all.slice(1) : all, from, pairs: [] };
}

/** Reads a call such as `(export '(a b) :shop)`; the default is the current package. */
export function packageCall(
  form: SyntaxNode,
  source: Source,
): { operator: string; names: Designator[]; package: Designator | null } | null {
  const operator = operatorOf(form, source)?.toLowerCase() ?? '';
  if (!CALLS.has(operator) || !isBranch(form)) return null;
  const [, first, second] = formsOf(form);
  const names = first ? designators(listed(behindPrefixes(first)), source) : [];
  return { operator, names, package: second ? designator(behindPrefixes(second), source) : null };
}

/** Reads `(add-package-local-nickname :nickname :actual :package)`; the default is the current package. */
export function nicknameCall(form: SyntaxNode, source: Source): (Designator | null)[] | null {
  if (operatorOf(form, source)?.toLowerCase() !== 'add-package-local-nickname' || !isBranch(form))
    return null;
  return formsOf(form)
    .slice(1, 4)
    .map((each) => designator(behindPrefixes(each), source));
}

/** Returns the package that an `in-package` form switches to. */
function packageEntered(form: SyntaxNode, source: Source): string | null {
  if (operatorOf(form, source)?.toLowerCase() !== 'in-package' || !isBranch(form)) return null;
  const [, second] = formsOf(form);
  return (second && designator(behindPrefixes(second), source)?.name) ?? null;
}

export function designator(node: SyntaxNode, { text }: Source): Designator | null {
  const written = text.slice(node.start, node.end);
  if (node.kind === 'string') {
    const name = stringRead(written);
    return { name, package: null, start: node.start + 1, end: node.end - 1, isString: true };
  }
  const token = node.kind === 'token' ? lispToken(written) : null;
  if (!token) return null;
  const { name, kind, nameAt } = token;
  const where = kind === 'symbol' ? token.package : null;
  return { name, package: where, start: node.start + nameAt, end: node.end, isString: false };
}

function designators(nodes: readonly SyntaxNode[], source: Source): Designator[] {
  return nodes.flatMap((node) => designator(behindPrefixes(node), source) ?? []);
}

/** Returns the elements of a list; empty for anything else. */
function listed(node: SyntaxNode): SyntaxNode[] {
  return isList(node) ? formsOf(node) : [node];
}

/** Returns names in the quoted lists of an expression. */
function quotedNames(tree: SyntaxNode, source: Source): Designator[] {
  if (!isBranch(tree)) return [];
  const names: Designator[] = [];
  let leftTo = 0;
  for (const node of [tree, ...[...walk(tree)].map((each) => each.node)]) {
    if (node.start < leftTo || node.kind !== 'prefixed' || !isBranch(node)) continue;
    leftTo = endOfFeature(node, source);
    if (source.text[node.start] === "'") names.push(...designators(listed(behindPrefixes(node)), source));
  }
  return names;
}

/** Returns the end of the feature expression of `#+` or `#-`; 0 for anything else. */
export function endOfFeature(node: Branch, { text }: Source): number {
  if (node.kind !== 'prefixed' || !/^#[+-]/.test(text.slice(node.start, node.start + 2))) return 0;
  return formsOf(node)[0]?.end ?? 0;
}

/** The current package at each place of a Common Lisp text, according to its `in-package` forms. */
export class EnteredPackages {
  readonly #entries: readonly { from: number; name: string }[];

  /** @param forms top-level forms in text order */
  constructor(forms: readonly SyntaxNode[], source: Source) {
    this.#entries = forms.flatMap((form) => {
      const name = packageEntered(form, source);
      return name === null ? [] : [{ from: form.end, name }];
    });
  }

  static of(forms: readonly TopLevelForm[], source: Source): EnteredPackages {
    return new EnteredPackages(
      forms.map(({ form }) => form),
      source,
    );
  }

  /** Returns its name as read; null before the first `in-package`. */
  at(offset: number): string | null {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.from ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#entries[low - 1]?.name ?? null;
  }
}

/** A token as the symbol that the standard reader makes of it (CLHS 2.3.4, 2.3.5). */
export interface LispToken {
  /** `symbol`: looked up in its package, or in the current one. */
  kind: 'symbol' | 'keyword' | 'uninterned';
  /** As read; null without a prefix. */
  package: string | null;
  name: string;
  /** Offset of the name in the token. */
  nameAt: number;
}

/**
 * Returns null for a token that cannot be a symbol, such as `#xFF`. Numbers are returned as symbols; no name
 * is equal to one.
 */
export function lispToken(written: string): LispToken | null {
  const uninterned = written.startsWith('#:');
  if (written.startsWith('#') && !uninterned) return null;
  const first = uninterned ? 2 : 0;
  const colon = firstColon(written, first);
  if (uninterned || colon < 0) {
    const kind = uninterned ? 'uninterned' : 'symbol';
    return { kind, package: null, name: nameRead(written.slice(first)), nameAt: first };
  }
  const nameAt = written[colon + 1] === ':' ? colon + 2 : colon + 1;
  const name = nameRead(written.slice(nameAt));
  if (colon === first) return { kind: 'keyword', package: 'KEYWORD', name, nameAt };
  return { kind: 'symbol', package: nameRead(written.slice(first, colon)), name, nameAt };
}

/** Returns part of a token as the reader converts it: in upper case, except for escaped characters. */
export function nameRead(written: string): string {
  let [name, isWithinBars] = ['', false];
  for (let at = 0; at < written.length; at += 1) {
    const character = written.charAt(at);
    if (character === '\\') {
      at += 1;
      name += written.charAt(at);
    } else if (character === '|') isWithinBars = !isWithinBars;
    else name += isWithinBars ? character : character.toUpperCase();
  }
  return name;
}

/** Returns -1 if there is no colon outside of escapes. */
function firstColon(written: string, from: number): number {
  let isWithinBars = false;
  for (let at = from; at < written.length; at += 1) {
    const character = written[at];
    if (character === '\\') at += 1;
    else if (character === '|') isWithinBars = !isWithinBars;
    else if (character === ':' && !isWithinBars) return at;
  }
  return -1;
}

/** Writes a new name in the style of `written`: with its bars or in its case. */
export function respelled(written: string, newName: string): string {
  if (/^\|.*\|$/s.test(written)) return `|${nameRead(newName).replace(/[|\\]/g, '\\$&')}|`;
  if (/[|\\]/.test(newName)) return newName;
  const small = written.toLowerCase();
  if (written === small) return newName;
  if (written === written.toUpperCase()) return newName.toUpperCase();
  return written === capitalized(small) ? capitalized(newName.toLowerCase()) : newName;
}

function capitalized(text: string): string {
  return text.replace(/[a-z0-9]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}
