/** The tests that source text defines, and the ASDF systems of a file with their source files. */
import path from 'node:path';
import { commonLispLexeme } from './common-lisp-lexer';
import type { Dialect } from './dialect';
import { namespaceEntered } from './names/namespaces';
import { designator, nameRead } from './names/package-forms';
import { read, type Source } from './reader';
import { formsOf, isBranch, type SyntaxNode } from './syntax-tree';
import { behindPrefixes, operatorOf, topLevelForms } from './top-level-forms';

/** A definition of a test; `home` is its package or namespace. */
interface DefinedTest {
  home: string;
  name: string;
  suite: string | null;
  line: number;
  /** Its beginning. */
  form: string;
}

/** Maximum characters of a form. */
const LONGEST_FORM = 4_000;

/** Operators that define a test: of FiveAM, Fiasco, Parachute, Rove, RT and clojure.test. */
const TESTS: ReadonlySet<string> = new Set(['test', 'def-test', 'deftest', 'deftest-', 'define-test']);

/** Operators after which tests belong to the suite that they name. */
const SUITES: ReadonlySet<string> = new Set(['in-suite', 'in-suite*', 'def-suite*', 'defsuite']);

/** Returns the tests that a text defines, in its order. */
export function testsIn(text: string, dialect: Dialect): DefinedTest[] {
  const source = read(text, dialect);
  const tests: DefinedTest[] = [];
  let home = dialect === 'clojure' ? 'user' : 'COMMON-LISP-USER';
  let suite: string | null = null;
  let [line, counted] = [1, 0];
  for (const { type, form, whole, inComment } of topLevelForms(source)) {
    const operator = type.toLowerCase();
    const entered = homeEntered(form, operator, source);
    if (entered !== null) [home, suite] = [entered, null];
    const name = inComment ? null : nameIn(form, source);
    if (name === null) continue;
    if (SUITES.has(operator)) suite = name;
    if (!TESTS.has(operator)) continue;
    if (whole.start >= counted) line += text.slice(counted, whole.start).split('\n').length - 1;
    counted = Math.max(counted, whole.start);
    const end = Math.min(whole.end, whole.start + LONGEST_FORM);
    tests.push({ home, name, suite, line, form: text.slice(whole.start, end) });
  }
  return tests;
}

function homeEntered(form: SyntaxNode, operator: string, source: Source): string | null {
  if (source.dialect === 'clojure') return namespaceEntered(form, source);
  const [, second] = operator === 'in-package' && isBranch(form) ? formsOf(form) : [];
  return (second && designator(behindPrefixes(second), source)?.name) ?? null;
}

/** Returns the name after the operator, also of `(name option…)`. */
function nameIn(form: SyntaxNode, source: Source): string | null {
  const [, second] = isBranch(form) ? formsOf(form) : [];
  if (!second) return null;
  const named = behindPrefixes(second);
  const [first = named] = isBranch(named) ? formsOf(named) : [];
  if (isBranch(first)) return null;
  const written = source.text.slice(first.start, first.end);
  if (source.dialect === 'clojure') return written;
  return first.kind === 'string' ? written.slice(1, -1) : nameRead(written.replace(/^.*:/, ''));
}

/** A system and its source files, relative to the folder of the file that defines it. */
interface DefinedSystem {
  name: string;
  files: readonly string[];
}

/** Returns the systems that the text of an `.asd` file defines. Computed components are not known. */
export function systemsIn(text: string): DefinedSystem[] {
  const source = read(text, 'common-lisp');
  return topLevelForms(source).flatMap(({ type, form }) => {
    const name = type.toLowerCase() === 'defsystem' ? nameIn(form, source)?.toLowerCase() : undefined;
    if (name === undefined || !isBranch(form)) return [];
    const options = optionsOf(formsOf(form).slice(2), source);
    const below = stringOf(options.get(':pathname'), source) ?? '';
    return [{ name, files: filesOf(options.get(':components'), below, source) }];
  });
}

function filesOf(components: SyntaxNode | undefined, folder: string, source: Source): string[] {
  if (!components || !isBranch(components)) return [];
  return formsOf(components).flatMap((component) => {
    const type = operatorOf(component, source)?.toLowerCase();
    const [, named, ...rest] = isBranch(component) ? formsOf(component) : [];
    if (!named) return [];
    const options = optionsOf(rest, source);
    const name = stringOf(named, source) ?? textOf(named, source).replace(/^#?:/, '').toLowerCase();
    const place = path.join(folder, stringOf(options.get(':pathname'), source) ?? name);
    if (type === ':module') return filesOf(options.get(':components'), place, source);
    if (type === undefined || !/^:.*file$/.test(type) || type === ':static-file') return [];
    return [/\.(?:lisp|lsp|cl)$/i.test(place) ? place : `${place}.lisp`];
  });
}

function optionsOf(nodes: readonly SyntaxNode[], source: Source): Map<string, SyntaxNode> {
  const options = new Map<string, SyntaxNode>();
  for (let at = 0; at + 1 < nodes.length; at += 2) {
    const [key, value] = [nodes[at], nodes[at + 1]];
    if (key && value) options.set(textOf(key, source).toLowerCase(), value);
  }
  return options;
}

function stringOf(node: SyntaxNode | undefined, source: Source): string | undefined {
  return node?.kind === 'string' ? textOf(node, source).slice(1, -1) : undefined;
}

function textOf({ start, end }: SyntaxNode, { text }: Source): string {
  return text.slice(start, end);
}

/**
 * Reports whether a text starts with the IN-PACKAGE form of a book. ACL2 requires a string there; files for
 * other Lisps usually have `:shop` or `#:shop`.
 */
export function isBook(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const { kind, end } = commonLispLexeme(text, at);
    if (kind !== 'blank' && kind !== 'comment')
      return /^\(\s*(?:acl2::)?in-package\s+"/i.test(text.slice(at, at + 100));
    at = end;
  }
  return false;
}
