/**
 * The top-level forms of a source text with their names: `defun area`, `in-package :shapes`, methods with
 * qualifiers and specializers. Definitions inside forms such as `eval-when` or `#?(:clj …)` are included.
 */
import type { Dialect } from './dialect';
import type { Source } from './reader';
import { type Branch, firstForm, formsOf, isBranch, type SyntaxNode } from './syntax-tree';

export interface TopLevelForm {
  /**
   * The operator as written, without its package: `defun`; empty unless it is a list that starts with a
   * symbol.
   */
  type: string;
  /** null if it names nothing. */
  name: FormName | null;
  /** The form itself, without a `#+sbcl` or metadata before it. */
  form: SyntaxNode;
  /** The form with its prefixes. */
  whole: SyntaxNode;
  /** Number of enclosing forms. */
  depth: number;
  /** Whether it is inside a form that is not evaluated, as `comment`. */
  inComment: boolean;
}

/**
 * Forms whose parts are top-level forms for the compiler or ACL2, and others that often contain definitions.
 */
const WRAPPERS: ReadonlySet<string> = new Set(
  'progn eval-when locally macrolet symbol-macrolet let let* flet labels encapsulate local mutual-recursion defsection do comment when'.split(
    ' ',
  ),
);

/** Maximum depth of nested forms. */
const DEEPEST = 20;

export function topLevelForms(source: Source): TopLevelForm[] {
  return formsOf(source.tree).flatMap((node) => formsAt(node, source, 0, false));
}

function formsAt(whole: SyntaxNode, source: Source, depth: number, inComment: boolean): TopLevelForm[] {
  const form = behindPrefixes(whole);
  const type = operatorOf(form, source) ?? '';
  const here = { type, name: nameOf(form, type, source), form, whole, depth, inComment };
  if (depth === DEEPEST || !isBranch(form) || !isWrapper(type)) return [here];
  const inside = formsOf(form).flatMap((part) =>
    formsAt(part, source, depth + 1, inComment || (type === 'comment' && source.dialect === 'clojure')),
  );
  return [here, ...inside.filter((part) => isDefiner(part.type))];
}

/**
 * Reports whether parts of the form are top-level forms. A branch of a reader conditional starts with a
 * keyword.
 */
function isWrapper(type: string): boolean {
  return type.startsWith(':') || WRAPPERS.has(type.toLowerCase());
}

/** Reports whether an operator looks like a defining one. */
export function isDefiner(type: string): boolean {
  return /^(?:def(?!ault)|test$|ns$|extend-)/i.test(type);
}

/** Name of a definition, normalized by `plainName` so that names can be compared. */
export interface FormName {
  name: string;
  /** Qualifiers of a method, such as `:around`. */
  qualifiers: readonly string[];
  /**
   * Specializers of a method, one for each required parameter; in Clojure its dispatch value. null unless it
   * is a method.
   */
  specializers: readonly string[] | null;
}

/** Returns the first symbol of a list, without its package or namespace; null for anything else. */
export function operatorOf(form: SyntaxNode, { text, dialect }: Source): string | null {
  if (!isList(form)) return null;
  const operator = firstForm(form);
  if (operator?.kind !== 'token') return null;
  const written = text.slice(operator.start, operator.end);
  return written.startsWith(':') ? written : withoutPackage(written, dialect);
}

/** @param type of the form, as `operatorOf` returns it */
function nameOf(form: SyntaxNode, type: string, source: Source): FormName | null {
  if (!isList(form) || type === '') return null;
  const [, second, ...rest] = formsOf(form);
  if (second === undefined) return null;
  const named = behindPrefixes(second);
  const name = plainName(nameText(named, source), source.dialect);
  if (!/^defmethod/i.test(type)) return { name, qualifiers: [], specializers: null };
  return { name, ...methodOf(rest, source) };
}

/** Returns the form after metadata, a quote or a feature expression. */
export function behindPrefixes(node: SyntaxNode): SyntaxNode {
  let form = node;
  while (form.kind === 'prefixed' && isBranch(form)) {
    const last = formsOf(form).at(-1);
    if (last === undefined) break;
    form = last;
  }
  return form;
}

/**
 * Returns the name in parentheses: a place, as in `(defun (setf area) …)`, or a list that starts with the
 * name: `(defstruct (point …))`.
 */
function nameText(named: SyntaxNode, source: Source): string {
  const { text } = source;
  const written = text.slice(named.start, named.end);
  if (!isList(named) || /^(?:setf|cas)$/i.test(operatorOf(named, source) ?? '')) return written;
  const first = firstForm(named);
  return first === undefined ? written : text.slice(first.start, first.end);
}

/** Identifies a method by the elements after the name of its generic function. */
export function methodOf(rest: readonly SyntaxNode[], source: Source): Omit<FormName, 'name'> {
  const plain = (node: SyntaxNode): string =>
    plainName(source.text.slice(node.start, node.end), source.dialect);
  if (source.dialect === 'clojure')
    return { qualifiers: [], specializers: rest[0] === undefined ? null : [plain(rest[0])] };
  const place = rest.findIndex(isList);
  const parameters = rest[place];
  return {
    qualifiers: rest
      .slice(0, place < 0 ? rest.length : place)
      .map(({ start, end }) => source.text.slice(start, end).toLowerCase()),
    specializers:
      parameters !== undefined && isList(parameters) ? specializersOf(parameters, source, plain) : null,
  };
}

/**
 * Returns the specializers of a lambda list, or of a list of only specializers as CLOS prints them: `(circle
 * (eql :red))`.
 */
function specializersOf(parameters: Branch, source: Source, plain: (node: SyntaxNode) => string): string[] {
  const forms = formsOf(parameters);
  const end = forms.findIndex(({ start }) => source.text[start] === '&');
  return forms.slice(0, end < 0 ? forms.length : end).map((parameter) => {
    if (!isList(parameter)) return 't';
    const [, specializer] = formsOf(parameter);
    return specializer === undefined ? 't' : plain(specializer);
  });
}

export function isList(node: SyntaxNode): node is Branch {
  return node.kind === 'list';
}

/** Normalizes a name: case, `#:` and `:`, quotes, and repeated blanks. */
export function plainName(written: string, dialect: Dialect): string {
  const text = written.trim().replace(/\s+/g, ' ');
  const bare = /^"([^"\\]*)"$/.exec(text)?.[1] ?? text;
  if (dialect === 'clojure') return bare;
  const symbol = bare.replace(/^(?:#:|#?'|:)(?=[^:])/, '');
  return /[|\\]/.test(symbol) ? symbol : symbol.toLowerCase();
}

/** Removes the package of a symbol, also in `(setf pkg:name)`. */
export function withoutPackage(name: string, dialect: Dialect): string {
  if (name.startsWith('(')) {
    const last = Math.max(name.lastIndexOf(' '), name.lastIndexOf('(')) + 1;
    return name.slice(0, last) + name.slice(last).replace(/^[^:()]+::?(?=[^:()]+\)$)/, '');
  }
  return dialect === 'clojure' ? name.replace(/^[^/]+\/(?=.)/, '') : name.replace(/^[^:|]+::?(?=[^:])/, '');
}
