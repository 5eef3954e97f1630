/** Forms that make packages and change them, and the names in them, which stand for symbols without being read as such. */
import { behindPrefixes, isList, operatorOf } from '../form-name';
import type { Source } from '../reader';
import { stringRead } from '../s-expression';
import { type Branch, formsOf, isBranch, type SyntaxNode, walk } from '../syntax-tree';
import { lispToken } from './lisp-token';

/** A name as a symbol or a string of any package: `price`, `:price`, `#:price`, `"PRICE"`. */
export interface Designator {
  name: string;
  /** Of a symbol that is written with one. */
  package: string | null;
  /** Of the name alone. */
  start: number;
  end: number;
  isString: boolean;
}

export interface PackageOption {
  /** In small letters: `export`. */
  key: string;
  names: Designator[];
  /** Of options that begin with a package, such as `import-from`. */
  from: Designator | null;
  /** Of local nicknames: each name and its package. */
  pairs: Designator[][];
}

export interface PackageForm {
  form: Branch;
  name: Designator;
  options: PackageOption[];
}

const DEFINERS: ReadonlySet<string> = new Set(['defpackage', 'define-package', 'defpkg']);
const WITH_PACKAGE: ReadonlySet<string> = new Set(['import-from', 'shadowing-import-from']);
/** Functions that do to a package, the current one unless given, what options do. */
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

/** ACL2 gives a list of the symbols that its package imports, and every package uses what ACL2 has of Common Lisp. */
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

/** A call such as `(export '(a b) :shop)`, whose package is the current one where none is named. */
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

/** The package that an `in-package` form switches to. */
export function packageEntered(form: SyntaxNode, source: Source): string | null {
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

/** Elements of a list, or what is none. */
function listed(node: SyntaxNode): SyntaxNode[] {
  return isList(node) ? formsOf(node) : [node];
}

/** Names in the quoted lists of an expression. */
function quotedNames(tree: SyntaxNode, source: Source): Designator[] {
  if (!isBranch(tree)) return [];
  const quotes = [...walk(tree)].map(({ node }) => node).concat(tree);
  return quotes
    .filter(({ kind, start }) => kind === 'prefixed' && source.text[start] === "'")
    .flatMap((quote) => designators(listed(behindPrefixes(quote)), source));
}
