/** What the forms of a text define, each under a key that says which definition it is: one with the same key takes its place. */
import type { Dialect } from './dialect';
import { operatorOf, withoutPackage } from './form-name';
import { formTitle } from './locate';
import { EnteredPackages } from './names/entered-packages';
import { namespaceEntered } from './names/namespaces';
import { read, type Source } from './reader';
import { formsOf, isBranch, type SyntaxNode } from './syntax-tree';
import { isDefiner, type TopLevelForm, topLevelForms } from './top-level';

export interface DefinedForm {
  key: string;
  /** `defun area`. */
  title: string;
  /** The operator in small letters, and the name, without its package. */
  type: string;
  name: string;
  /** Of methods. */
  qualifiers: readonly string[];
  specializers: readonly string[];
  /** The package or namespace that it belongs to. */
  package: string;
  /** All that is evaluated for it, which may define others too. */
  code: string;
  start: number;
  isDefiner: boolean;
}

/** Forms whose parts are forms of their own. */
const SEQUENCES: ReadonlySet<string> = new Set(['progn', 'eval-when', 'do']);

/** @param before the package or namespace that is current before the first form; absent: the usual one */
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
  // Definitions inside of a LET or an ENCAPSULATE are made by all of it.
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
  const sort = definitionSort(form.type, dialect);
  return {
    key: [sort, packageKey(own), name, whichMethod(form)].join(' '),
    title: formTitle(form, dialect),
    ...{ type: form.type.toLowerCase(), name, package: own, code, start },
    qualifiers: form.name?.qualifiers ?? [],
    specializers: form.name?.specializers ?? [],
    isDefiner: isDefiner(form.type),
  };
}

/** The package of a name that is written with one: `shop::price`, `(setf shop:price)`. */
function packageIn(written: string, name: string, here: string): string {
  if (written.startsWith('(')) return here;
  return written.slice(0, written.length - name.length).replace(/(?:::?|\/)$/, '') || here;
}

/** Packages are written in several ways, and the first one has two names. */
function packageKey(name: string): string {
  const small = name.toLowerCase();
  return small === 'common-lisp-user' ? 'cl-user' : small;
}

/** What takes the place of what: a macro that of a function of the same name. */
export function definitionSort(type: string, dialect: Dialect): string {
  if (dialect === 'clojure') return type === 'defmethod' ? type : 'var';
  const small = type.toLowerCase();
  if (/^def(?:un|macro|generic)$/.test(small)) return 'function';
  return /^def(?:var|parameter|constant)$/.test(small) ? 'variable' : small;
}

/** Which method of its function it is; the same for all that are none. */
export function whichMethod({ name }: TopLevelForm): string {
  return [...(name?.qualifiers ?? []), '|', ...(name?.specializers ?? [])].join(' ');
}

/** Tells the package or namespace that is current at an offset.
 * @param before the one at the beginning; absent: the usual one */
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
