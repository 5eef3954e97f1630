/** Code that makes a definition what it was before, in the package that it belongs to. Pure. */
import { code, functionName, OneForm, SymbolName } from '../../source/code';
import type { DefinedForm } from '../../source/defined-forms';
import { definitionSort } from '../../source/defined-forms';
import type { Dialect } from '../../source/dialect';
import type { Redefinition } from './definition-changes';

/** Keeps the value that a variable has. */
const KEEPS_VALUE: ReadonlySet<string> = new Set(['defvar', 'defonce']);

/** null where it cannot be undone: a structure is more than its name, and what uses a type has it built in. */
export function undoingCode({ before, now }: Redefinition, dialect: Dialect): string | null {
  const removing = now && removingCode(now.form, dialect);
  if (before === null) return removing;
  const keeps = now !== null && KEEPS_VALUE.has(now.form.type);
  return keeps && removing !== null ? `${removing}\n${before.code}` : before.code;
}

function removingCode(form: DefinedForm, dialect: Dialect): string | null {
  return dialect === 'clojure' ? unmapping(form) : unbinding(form);
}

/** Operators that make nothing but the one var. */
const VARS: ReadonlySet<string> = new Set(['def', 'defn', 'defn-', 'defmacro', 'defonce', 'defmulti']);

function unmapping({ type, name, package: here, specializers }: DefinedForm): string | null {
  const symbol = SymbolName.read(name, 'clojure', 'name');
  if (VARS.has(type))
    return String(code`(ns-unmap '${SymbolName.read(here, 'clojure', 'namespace')} '${symbol})`);
  const [dispatched] = specializers;
  if (type !== 'defmethod' || dispatched === undefined) return null;
  return String(code`(remove-method ${symbol} ${OneForm.read(dispatched, 'clojure', 'dispatch value')})`);
}

function unbinding({ type, name, qualifiers, specializers }: DefinedForm): string | null {
  if (definitionSort(type, 'common-lisp') === 'function')
    return String(code`(cl:fmakunbound '${functionName(name, 'name')})`);
  if (type === 'defvar' || type === 'defparameter')
    return String(code`(cl:makunbound '${SymbolName.read(name, 'common-lisp', 'name')})`);
  if (type === 'defclass' || type === 'define-condition')
    return String(code`(cl:setf (cl:find-class '${SymbolName.read(name, 'common-lisp', 'name')}) cl:nil)`);
  if (type !== 'defmethod') return null;
  const generic = functionName(name, 'name');
  const read = (text: string) => OneForm.read(text, 'common-lisp', 'specializer');
  const classes = specializers.map((each) =>
    each.startsWith('(')
      ? code`(cl:list 'cl:eql ${read(each).elements('specializer').slice(1)})`
      : code`(cl:find-class '${read(each)})`,
  );
  const method = code`(cl:find-method #'${generic} '(${qualifiers.map(read)}) (cl:list ${classes}))`;
  return String(code`(cl:remove-method #'${generic} ${method})`);
}
