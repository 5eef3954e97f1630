/**
 * Definitions in a text. Each has a key that identifies the definition: a later one with the same key
 * replaces it.
 */
import type { Dialect } from './dialect';
import { formTitle } from './locate';
import { namespaceEntered } from './names/namespaces';
import { EnteredPackages } from './names/package-forms';
import { read, type Source } from './reader';
import { formsOf, isBranch, type SyntaxNode } from './syntax-tree';
import { isDefiner, operatorOf, type TopLevelForm, topLevelForms, withoutPackage } from './top-level-forms';

export interface DefinedForm {
  key: string;
  /** Such as `defun area`. */
  title: string;
  /** The operator in lower case; the name without its package. */
  type: string;
  name: string;
  /** Method qualifiers. */
  qualifiers: readonly string[];
  specializers: readonly string[];
  /** Its package or namespace. */
  package: string;
  /** The whole form that is evaluated, which may define others too. */
  code: string;
  start: number;
  isDefiner: boolean;
}

/** Operators whose arguments are top-level forms. */
const SEQUENCES: ReadonlySet<string> = new Set(['progn', 'eval-when', 'do']);

/**
 * Returns the definitions. @param before the current package or namespace before the first form; absent: the
 * default
 */
export function definedForms(source: Source, before?: string): DefinedForm[] {
  const packageAt = packagesOf(source, before);
  return formsOf(source.tree).flatMap((node) => partsOf(node, source, packageAt(node.start)));
}

function partsOf(node: SyntaxNode, source: Source, here: string): DefinedForm[] {
  const parts = isBranch(node) && SEQUENCES.has(operatorOf(node, source)?.toLowerCase() ?? '');
  if (parts) return formsOf(node).flatMap((part) => (isBranch(part) ? partsOf(part, source, here) : []));
  const code = source.text.slice(node.start, node.end);
  const [outer, ...inner] = topLevelForms(read(code, source.dialect));
  if (outer === undefined) return [];
  // Definitions inside a LET or an ENCAPSULATE are made by the whole form.
  const found = isDefiner(outer.type) || inner.length === 0 ? [outer] : inner;
  return found.flatMap((form) =>
    form.name === null ? [] : [definedForm(form, source.dialect, { code, here, start: node.start })],
  );
}

interface Place {
  code: string;
  /** The current package. */
  here: string;
  start: number;
}

function definedForm(form: TopLevelForm, dialect: Dialect, { code, here, start }: Place): DefinedForm {
  const written = form.name?.name ?? '';
  const name = withoutPackage(written, dialect);
  const own = written === name ? here : packageIn(written, name, here);
  const sort = definitionNamespace(form.type, dialect);
  return {
    key: [sort, packageKey(own), name, methodKey(form)].join(' '),
    title: formTitle(form, dialect),
    ...{ type: form.type.toLowerCase(), name, package: own, code, start },
    qualifiers: form.name?.qualifiers ?? [],
    specializers: form.name?.specializers ?? [],
    isDefiner: isDefiner(form.type),
  };
}

/** Returns the package of a name with a prefix: `shop::price`, `(setf shop:price)`. */
function packageIn(written: string, name: string, here: string): string {
  if (written.startsWith('(')) return here;
  return written.slice(0, written.length - name.length).replace(/(?:::?|\/)$/, '') || here;
}

/**
 * Normalizes a package name. Package names have several spellings, and the standard user package has two
 * names.
 */
function packageKey(name: string): string {
  const small = name.toLowerCase();
  return small === 'common-lisp-user' ? 'cl-user' : small;
}

/** Returns the namespace of a definition: a macro replaces a function of the same name, for example. */
export function definitionNamespace(type: string, dialect: Dialect): string {
  if (dialect === 'clojure') return type === 'defmethod' ? type : 'var';
  const small = type.toLowerCase();
  if (/^def(?:un|macro|generic)$/.test(small)) return 'function';
  return /^def(?:var|parameter|constant)$/.test(small) ? 'variable' : small;
}

/** Identifies a method of a function; equal for all other definitions. */
export function methodKey({ name }: TopLevelForm): string {
  return [...(name?.qualifiers ?? []), '|', ...(name?.specializers ?? [])].join(' ');
}

/**
 * Returns a function that gives the current package or namespace at an offset.
 * @param before the one at the start; absent: the default
 */
export function packagesOf(source: Source, before?: string): (offset: number) => string {
  const forms = topLevelForms(source);
  if (source.dialect === 'common-lisp') {
    const entered = EnteredPackages.of(forms, source);
    return (offset) => entered.at(offset) ?? before ?? 'CL-USER';
  }
  const entries = forms.flatMap(({ form }) => {
    const name = namespaceEntered(form, source);
    return name === null ? [] : [{ from: form.end, name }];
  });
  return (offset) => entries.findLast(({ from }) => from <= offset)?.name ?? before ?? 'user';
}
