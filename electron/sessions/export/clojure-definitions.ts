/**
 * What a session of Clojure has defined, as a source file: the forms of the history that made what the image says no
 * file holds, and what they need to be read: namespaces, requires, extensions. Pure.
 */
import type { Finding } from '../../contract/knowledge';
import { replayed } from '../../images/nrepl/replayed-forms';
import { behindPrefixes } from '../../source/form-name';
import { read, type Source } from '../../source/reader';
import { formsOf, isBranch } from '../../source/syntax-tree';
import { type TopLevelForm, topLevelForms } from '../../source/top-level';
import type { FileForm } from './definitions-file';
import type { RecordedRow } from './recorded-forms';

export interface ClojureDefinitions {
  /** The text of the file, without its head; empty where there is nothing to write. */
  text: string;
  /** How many of the definitions it holds, and the names of the others. */
  count: number;
  missing: string[];
  /** Those of its forms that define, each with its namespace. */
  forms: FileForm[];
}

interface Form {
  code: string;
  operator: string;
  evaluation: number;
  /** The namespace that it was read in. */
  namespace: string;
  /** The namespace that it goes to; null for what goes nowhere. */
  enters: string | null;
  /** The full names of the vars that it defines. */
  defines: string[];
}

/** Operators whose forms add to what another one defined: none of them takes the place of the one before. */
const ADDING: ReadonlySet<string> = new Set(['defmethod']);

/** Operators of what must be known before its uses are compiled: it stays where it was defined first. */
const EARLY: ReadonlySet<string> = new Set(['defmacro', 'defprotocol', 'defrecord', 'deftype', 'defmulti']);

/** Operators that make names of elsewhere known in a namespace. */
const NAMING: ReadonlySet<string> = new Set(['require', 'use', 'import', 'refer', 'alias']);

/** Settings of the compiler. Those of the printer are the session's alone. */
const COMPILER = /^\(set!\s+\*(?:warn-on-reflection|unchecked-math)\*/;

/** @param definitions vars that no file holds, by their full names
 * @param rows of one session, oldest first
 * @param isAll whether what was said in other namespaces than theirs comes along */
export function clojureDefinitions(
  definitions: readonly Finding[],
  rows: readonly RecordedRow[],
  isAll = true,
): ClojureDefinitions {
  // Functions of a protocol come with it.
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
  const kept = forms.filter((form) => making.has(form) || belongs(form));
  const missing = wanted.filter((name) => !isMade(name, made));
  const ordered = inOrder(kept);
  return {
    text: textOf(ordered),
    count: wanted.length - missing.length,
    missing,
    forms: ordered.flatMap(({ code, namespace, defines }) =>
      defines.length > 0 ? [{ package: namespace, code }] : [],
    ),
  };
}

/** What only says where the session goes, or how it prints: the file enters the namespaces that its forms are in by itself. */
function isSession({ code, operator, enters }: Form): boolean {
  if (operator === 'set!') return !COMPILER.test(code);
  return enters !== null && (operator === 'in-ns' || /^\(ns\s+[^\s()^]+\s*\)$/.test(code));
}

/** Whether a form from before the first definition makes known what definitions use, of which these are the words. */
function isNeeded({ code, operator, enters }: Form, words: ReadonlySet<string>): boolean {
  if (enters !== null) return true;
  if (!NAMING.has(operator)) return false;
  const namesAll = operator === 'use' || code.includes(':all');
  return namesAll || [...wordsOf(code.slice(operator.length + 1))].some((word) => words.has(word));
}

/** The symbols of code, qualifiers and names of classes without their packages among them. */
function wordsOf(code: string): Set<string> {
  const written = code.match(/[^\s()[\]{}"',;@^`~#]+/g) ?? [];
  const symbols = written.filter((word) => !/^:[^:]/.test(word)).map((word) => word.replace(/^::|\.$/g, ''));
  return new Set(
    symbols.flatMap((symbol) => [symbol, symbol.replace(/\/.*/, ''), symbol.replace(/.*\./, '')]),
  );
}

/** A record, or a type, is known by the functions that make one. */
function isMade(name: string, made: readonly string[]): boolean {
  return made.includes(name) || made.includes(name.replace(/\/(?:map)?->/, '/'));
}

/** Those that are no mere doing. */
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

/** @param code of one form, read in `namespace`; definitions inside a `do` or a `let` count as its own */
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

/** The symbol after the operator; null where something else stands there, such as the keyword of a spec. */
function symbolNamedBy({ form }: TopLevelForm, { text }: Source): string | null {
  const [, second] = isBranch(form) ? formsOf(form) : [];
  const named = second && behindPrefixes(second);
  const symbol = named?.kind === 'token' ? text.slice(named.start, named.end) : ':';
  return symbol.startsWith(':') ? null : symbol;
}

/** Each as it was defined last. What was defined twice is declared where it was first, for what uses it before the end. */
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

/** Each form, behind one that goes to its namespace where the one before it was elsewhere. One that the file has made is
 * not made a second time: that would refer to names again which it may define itself. */
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
