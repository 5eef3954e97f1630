/**
 * Exports the definitions of a Clojure session as a source file: the forms of the history that made the
 * unsaved definitions, and the forms that these need: namespaces, requires and extensions. Pure.
 */
import type { Finding } from '../../contract/knowledge';
import { replayed } from '../../images/nrepl/replayer';
import { read, type Source } from '../../source/reader';
import { formsOf, isBranch } from '../../source/syntax-tree';
import { behindPrefixes, type TopLevelForm, topLevelForms } from '../../source/top-level-forms';

import type { FileForm, RecordedRow } from './recorded-forms';

export interface ClojureDefinitions {
  /** The text without the comment at its head; empty if there is nothing to write. */
  text: string;
  /** The number of exported definitions, and the names of the missing ones. */
  count: number;
  missing: string[];
  /** The defining forms, each with its namespace. */
  forms: FileForm[];
}

interface Form {
  code: string;
  operator: string;
  evaluation: number;
  /** The namespace in which it was read. */
  namespace: string;
  /** The namespace that it enters; null if it enters none. */
  enters: string | null;
  /** The full names of the vars that it defines. */
  defines: string[];
}

/** Operators whose forms extend another definition. They do not replace earlier ones. */
const ADDING: ReadonlySet<string> = new Set(['defmethod']);

/** Operators whose forms must precede their uses. They stay at their first position. */
const EARLY: ReadonlySet<string> = new Set(['defmacro', 'defprotocol', 'defrecord', 'deftype', 'defmulti']);

/** Operators that make other names known in a namespace. */
const NAMING: ReadonlySet<string> = new Set(['require', 'use', 'import', 'refer', 'alias']);

/** Settings of the compiler. Printer settings are not exported. */
const COMPILER = /^\(set!\s+\*(?:warn-on-reflection|unchecked-math)\*/;

/**
 * @param definitions unsaved vars, by their full names
 * @param rows of one session, oldest first
 * @param isAll whether forms in other namespaces are included
 */
export function clojureDefinitions(
  definitions: readonly Finding[],
  rows: readonly RecordedRow[],
  isAll = true,
): ClojureDefinitions {
  // Functions of a protocol are defined by its form.
  const wanted = definitions.filter(({ kind }) => kind !== 'protocol function').map(({ text }) => text);
  const forms = formsIn(rows);
  const making = new Set(forms.filter(({ defines }) => wanted.some((name) => isMade(name, defines))));
  const made = [...making].flatMap(({ defines }) => defines);
  const since = Math.min(...[...making].map(({ evaluation }) => evaluation));
  const homes = new Set([...making].map(({ namespace }) => namespace));
  const words = wordsOf([...making].map(({ code }) => code).join('\n'));
  const belongs = (form: Form) => {
    if (form.defines.length > 0 || isSession(form)) return false;
    const isHome = homes.has(form.enters ?? form.namespace);
    return form.evaluation < since ? isHome && isNeeded(form, words) : isAll || isHome;
  };
  const retained = forms.filter((form) => making.has(form) || belongs(form));
  const missing = wanted.filter((name) => !isMade(name, made));
  const ordered = inOrder(retained);
  return {
    text: textOf(ordered),
    count: wanted.length - missing.length,
    missing,
    forms: ordered.flatMap(({ code, namespace, defines }) =>
      defines.length > 0 ? [{ package: namespace, code }] : [],
    ),
  };
}

/**
 * Reports whether the form only changes the session's namespace or printing. The file enters its namespaces
 * itself.
 */
function isSession({ code, operator, enters }: Form): boolean {
  if (operator === 'set!') return !COMPILER.test(code);
  return enters !== null && (operator === 'in-ns' || /^\(ns\s+[^\s()^]+\s*\)$/.test(code));
}

/**
 * Reports whether a form before the first definition makes known a name that definitions use.
 * @param words the words of the definitions
 */
function isNeeded({ code, operator, enters }: Form, words: ReadonlySet<string>): boolean {
  if (enters !== null) return true;
  if (!NAMING.has(operator)) return false;
  const namesAll = operator === 'use' || code.includes(':all');
  return namesAll || [...wordsOf(code.slice(operator.length + 1))].some((word) => words.has(word));
}

/** Returns the symbols in code, including qualifiers and class names without their packages. */
function wordsOf(code: string): Set<string> {
  const written = code.match(/[^\s()[\]{}"',;@^`~#]+/g) ?? [];
  const symbols = written.filter((word) => !/^:[^:]/.test(word)).map((word) => word.replace(/^::|\.$/g, ''));
  return new Set(
    symbols.flatMap((symbol) => [symbol, symbol.replace(/\/.*/, ''), symbol.replace(/^.*\./, '')]),
  );
}

/** Reports whether a constructor function of a record or type was defined. */
function isMade(name: string, made: readonly string[]): boolean {
  return made.includes(name) || made.includes(name.replace(/\/(?:map)?->/, '/'));
}

/** Returns the forms of rows, without trials. */
function formsIn(rows: readonly RecordedRow[]): Form[] {
  let after = 'user';
  return rows.flatMap((row) => {
    let namespace = row.packageBefore ?? after;
    const forms = row.forms.flatMap(({ code }): Form[] => {
      const form = { code, evaluation: row.id, namespace, ...partsOf(code, namespace) };
      namespace = form.enters ?? namespace;
      return replayed(code) === 'again' && !code.startsWith('(lisp-harbor.') ? [form] : [];
    });
    after = row.package;
    return forms;
  });
}

/** Splits one form that was read in `namespace`; definitions inside a `do` or a `let` count separately. */
function partsOf(code: string, namespace: string): Pick<Form, 'operator' | 'enters' | 'defines'> {
  const source = read(code, 'clojure');
  const [outer, ...inner] = topLevelForms(source);
  if (outer === undefined) return { operator: '', enters: null, defines: [] };
  const { type: operator } = outer;
  const goes = operator === 'ns' || operator === 'in-ns';
  const names = [outer, ...inner]
    .filter(({ type }) => type.startsWith('def'))
    .flatMap((form) => symbolNamedBy(form, source) ?? []);
  return {
    operator,
    enters: goes ? (symbolNamedBy(outer, source) ?? namespace) : null,
    defines: names.map((name) => `${namespace}/${name}`),
  };
}

/**
 * Returns the symbol after the operator; null if another kind of form follows, such as the keyword of a spec.
 */
function symbolNamedBy({ form }: TopLevelForm, { text }: Source): string | null {
  const [, second] = isBranch(form) ? formsOf(form) : [];
  const named = second && behindPrefixes(second);
  const symbol = named?.kind === 'token' ? text.slice(named.start, named.end) : ':';
  return symbol.startsWith(':') ? null : symbol;
}

/**
 * Returns each form at its last position. Names that were defined more than once are declared at their first
 * position.
 */
function inOrder(forms: readonly Form[]): Form[] {
  const last = new Map(forms.map((form) => [keyOf(form), form]));
  const begun = new Set<string>();
  return forms.flatMap((form) => {
    const key = keyOf(form);
    const [latest, first] = [last.get(key) ?? form, !begun.has(key)];
    begun.add(key);
    if (EARLY.has(form.operator)) return first ? [latest] : [];
    if (latest === form) return [form];
    return first && form.defines.length > 0 ? [declaration(form)] : [];
  });
}

function keyOf({ code, operator, namespace, defines }: Form): string {
  return defines.length !== 1 || ADDING.has(operator) ? `${namespace} ${code}` : (defines[0] ?? '');
}

function declaration(form: Form): Form {
  const names = form.defines.map((name) => name.slice(name.indexOf('/') + 1));
  return { ...form, code: `(declare ${names.join(' ')})`, operator: 'declare', enters: null };
}

/**
 * Returns the text; the namespace is entered where it changes. A namespace that the file creates is not
 * created again: that would refer again to names that it may have redefined.
 */
function textOf(forms: readonly Form[]): string {
  let here = '';
  const made = new Set<string>();
  return forms
    .flatMap(({ code, namespace, enters }) => {
      const entering = made.has(namespace) ? `(in-ns '${namespace})` : `(ns ${namespace})`;
      const before = enters !== null || here === namespace ? [] : [entering];
      here = enters ?? namespace;
      made.add(here);
      return [...before, code];
    })
    .join('\n\n');
}
