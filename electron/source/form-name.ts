/** What a form is called: its operator and, of what it defines, the name, and of methods which one it is. */
import type { Dialect } from './dialect';
import type { Source } from './reader';
import { type Branch, firstForm, formsOf, isBranch, type SyntaxNode } from './syntax-tree';

/** Texts are as `plainName` makes them, so that they can be compared. */
export interface FormName {
  name: string;
  /** Of a method, such as `:around`. */
  qualifiers: readonly string[];
  /** Of a method, one for each required parameter; in Clojure its dispatch value. null for what is no method. */
  specializers: readonly string[] | null;
}

/** The symbol that a list begins with, without its package or namespace; null for everything else. */
export function operatorOf(form: SyntaxNode, { text, dialect }: Source): string | null {
  if (!isList(form)) return null;
  const operator = firstForm(form);
  if (operator?.kind !== 'token') return null;
  const written = text.slice(operator.start, operator.end);
  return written.startsWith(':') ? written : withoutPackage(written, dialect);
}

/** @param type of the form, as `operatorOf` says it */
export function nameOf(form: SyntaxNode, type: string, source: Source): FormName | null {
  if (!isList(form) || type === '') return null;
  const [, second, ...rest] = formsOf(form);
  if (second === undefined) return null;
  const named = behindPrefixes(second);
  const name = plainName(nameText(named, source), source.dialect);
  if (!/^defmethod/i.test(type)) return { name, qualifiers: [], specializers: null };
  return { name, ...methodOf(rest, source) };
}

/** What metadata, a quote or a feature stands before. */
export function behindPrefixes(node: SyntaxNode): SyntaxNode {
  let form = node;
  while (form.kind === 'prefixed' && isBranch(form)) {
    const last = formsOf(form).at(-1);
    if (last === undefined) break;
    form = last;
  }
  return form;
}

/** A name in parentheses is either a place, as in `(defun (setf area) …)`, or begins with the name: `(defstruct (point …))`. */
function nameText(named: SyntaxNode, source: Source): string {
  const { text } = source;
  const written = text.slice(named.start, named.end);
  if (!isList(named) || /^(?:setf|cas)$/i.test(operatorOf(named, source) ?? '')) return written;
  const first = firstForm(named);
  return first === undefined ? written : text.slice(first.start, first.end);
}

/** Which method it is, from what follows the name of its generic function. */
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

/** Of a lambda list, or of a list of nothing but specializers as CLOS prints them: `(circle (eql :red))`. */
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

/** A name without what its notation adds: case, `#:` and `:`, quotes, more than one blank. */
export function plainName(written: string, dialect: Dialect): string {
  const text = written.trim().replace(/\s+/g, ' ');
  const bare = /^"([^"\\]*)"$/.exec(text)?.[1] ?? text;
  if (dialect === 'clojure') return bare;
  const symbol = bare.replace(/^(?:#:|#?'|:)(?=[^:])/, '');
  return /[|\\]/.test(symbol) ? symbol : symbol.toLowerCase();
}

/** Of a symbol, also of the one in `(setf pkg:name)`. */
export function withoutPackage(name: string, dialect: Dialect): string {
  if (name.startsWith('(')) {
    const last = Math.max(name.lastIndexOf(' '), name.lastIndexOf('(')) + 1;
    return name.slice(0, last) + name.slice(last).replace(/^[^:()]+::?(?=[^:()]+\)$)/, '');
  }
  return dialect === 'clojure' ? name.replace(/^[^/]+\/(?=.)/, '') : name.replace(/^[^:|]+::?(?=[^:])/, '');
}
