/**
 * Which top-level forms of Clojure are evaluated again when an image is rebuilt: what defines, and what definitions need.
 * Everything else is left out: to send a message or to count up a second time could do harm.
 */
import { isList } from '../../source/form-name';
import { read } from '../../source/reader';
import { type Branch, formsOf, isBranch, type SyntaxNode, walk } from '../../source/syntax-tree';

/** Beside all whose name begins with `def`, of whatever library: `defroutes`, `s/def`. */
const DEFINING: ReadonlySet<string> = new Set([
  ...['ns', 'in-ns', 'require', 'use', 'import', 'refer', 'refer-clojure', 'alias', 'load', 'load-file'],
  ...['declare', 'extend', 'extend-type', 'extend-protocol', 'derive', 'underive', 'prefer-method'],
  ...['gen-class', 'gen-interface', 'remove-method', 'ns-unmap', 'ns-unalias'],
  ...['lisp-harbor.loading/load-file', 'lisp-harbor.loading/load-namespaces'],
]);

/** Variables of the compiler and the printer, which are set rather than defined. */
const SETTING = /^\*[\w-]+\*$/;

/** Operators that definitions are wrapped in, with the number of arguments before the body. */
const WRAPPERS: ReadonlyMap<string, number> = new Map(Object.entries({ do: 0, let: 1 }));

/** `without effect`: nothing is missed when it is not evaluated again. */
export type Replayed = 'again' | 'left out' | 'without effect';

/** @param code of one form */
export function replayed(code: string): Replayed {
  const [form] = formsOf(read(code, 'clojure').tree);
  if (form === undefined || !isBranch(form)) return 'without effect';
  if (!isCall(form, code)) return mayCall(form, code) ? 'left out' : 'without effect';
  if (operatorOf(form, code) === 'comment') return 'without effect';
  return defines(form, code) ? 'again' : 'left out';
}

/** Whether the form, or each form that it wraps, defines something. */
function defines(whole: SyntaxNode, code: string): boolean {
  const left = [whole];
  for (let form = left.pop(); form !== undefined; form = left.pop()) {
    if (!isCall(form, code)) return false;
    const operator = operatorOf(form, code);
    if (isDefining(operator) || isSetting(form, operator, code)) continue;
    const before = WRAPPERS.get(operator);
    const body = before === undefined ? [] : formsOf(form).slice(1 + before);
    if (body.length === 0) return false;
    for (const part of body) left.push(part);
  }
  return true;
}

function isDefining(operator: string): boolean {
  return DEFINING.has(operator) || operator.slice(operator.indexOf('/') + 1).startsWith('def');
}

function isSetting(form: Branch, operator: string, code: string): boolean {
  const [, variable] = formsOf(form);
  return operator === 'set!' && variable !== undefined && SETTING.test(textOf(variable, code));
}

/** A list in parentheses; `#(…)` and `'(…)` are values. */
function isCall(form: SyntaxNode, code: string): form is Branch {
  return isList(form) && code[form.start] === '(';
}

/** Of what is no call itself: a dereference, or a collection with a call in it. */
function mayCall(form: Branch, code: string): boolean {
  const written = textOf(form, code);
  if (written.startsWith('@')) return true;
  return /^(?:\[|#?\{)/.test(written) && [...walk(form)].some(({ node }) => isCall(node, code));
}

/** As it is written; empty where the list begins with something else than a symbol. */
function operatorOf(form: Branch, code: string): string {
  const [first] = formsOf(form);
  return first?.kind === 'token' ? textOf(first, code) : '';
}

function textOf({ start, end }: SyntaxNode, code: string): string {
  return code.slice(start, end);
}
