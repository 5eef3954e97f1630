/**
 * Which top-level forms of Clojure are evaluated again when an image is rebuilt: what defines, and what definitions need.
 * Everything else is left out: to send a message or to count up a second time could do harm.
 */
import { topLevelForms } from './top-level-forms';

/** Beside all whose name begins with `def`, of whatever library: `defroutes`, `s/def`. */
const DEFINING: ReadonlySet<string> = new Set([
  ...['ns', 'in-ns', 'require', 'use', 'import', 'refer', 'refer-clojure', 'alias', 'load', 'load-file'],
  ...['declare', 'extend', 'extend-type', 'extend-protocol', 'derive', 'underive', 'prefer-method'],
  ...['gen-class', 'gen-interface', 'remove-method', 'ns-unmap', 'ns-unalias'],
  ...['lisp-harbor.loading/load-file', 'lisp-harbor.loading/load-namespaces'],
]);

/** Variables of the compiler and the printer, which are set rather than defined. */
const SETTINGS = /^\(\s*set!\s+\*[\w-]+\*\s/;

/** Operators that definitions are wrapped in, with the number of arguments before the body. */
const WRAPPERS: Readonly<Record<string, number>> = { do: 0, let: 1 };

/** What is no list and may call something: a collection with a call in it, a dereference. */
const CALLING = /^(?:@|[[{][\s\S]*\(|#\{[\s\S]*\()/;

/** `without effect`: nothing is missed when it is not evaluated again. */
export type Replayed = 'again' | 'left out' | 'without effect';

/** @param code of one form */
export function replayed(code: string): Replayed {
  const operator = operatorOf(code);
  if (operator === null) return CALLING.test(code) ? 'left out' : 'without effect';
  if (operator === 'comment') return 'without effect';
  return defines(code, operator) ? 'again' : 'left out';
}

function defines(code: string, operator: string | null): boolean {
  if (operator === null) return false;
  const simple = operator.slice(operator.indexOf('/') + 1);
  if (simple.startsWith('def') || DEFINING.has(operator) || SETTINGS.test(code)) return true;
  const before = WRAPPERS[operator];
  if (before === undefined) return false;
  const body = topLevelForms(code.slice(1, -1)).slice(1 + before);
  return body.length > 0 && body.every((form) => defines(form.code, operatorOf(form.code)));
}

/** null for what is no list; `#(…)` and `'(…)` are values. */
function operatorOf(code: string): string | null {
  if (!code.startsWith('(')) return null;
  return /^\(\s*([^\s()[\]{}"';,]+)/.exec(code)?.[1] ?? '';
}
