/**
 * The top-level forms that a Common Lisp session evaluated, from its history, and the source file made of
 * them.
 */

import { type Finding, lispString } from '../../contract/knowledge';
import type { FormResult, ReaderState } from '../../contract/model';
import { rowForms } from '../../history/session-rows';
import { characters } from '../../source/text';
import { inStandardSyntax } from './standard-syntax';

/** The needed columns of a row; `package` is the one after the evaluation. */
export interface RecordedRow {
  id: number;
  package: string;
  /** The package in which it began; absent if it is not known. */
  packageBefore?: string;
  code: string;
  forms: readonly FormResult[];
}

export interface RecordedForm {
  evaluation: number;
  /**
   * The position in the code of its row, including preceding comments, in code points as Lisp counts
   * characters.
   */
  start: number;
  end: number;
  package: string;
  code: string;
  /** The state of the reader that read it; absent in rows of earlier versions. */
  read?: ReaderState | undefined;
  /** The operator without package, in lower case; empty if the form is not a list. */
  operator: string;
  /** The defined name as written, with the operator; null if the form is not a definition. */
  defines: string | null;
}

/** @param rows of one session, oldest first */
export function recordedForms(rows: readonly RecordedRow[], firstPackage: string): RecordedForm[] {
  let current = firstPackage;
  return rows.flatMap((row) => {
    const begun = current;
    current = row.package;
    return formsOf(row, begun);
  });
}

/** Returns the forms of a row. Forms that did not finish are not in the row. */
function formsOf({ id, code, forms }: RecordedRow, begun: string): RecordedForm[] {
  let current = begun;
  return rowForms(code, forms).map(({ made: _made, start, ...form }) => {
    const head = headOf(form.code);
    const place = { evaluation: id, start, end: start + characters(form.code), package: current };
    if (head.operator === 'in-package') current = packageNamedIn(form.code) ?? current;
    return { ...place, ...form, ...head };
  });
}

function headOf(code: string): Pick<RecordedForm, 'operator' | 'defines'> {
  const form = code.replace(/^(?:\s|;[^\n]*(?:\n|$)|#\|[\s\S]*?\|#)+/, '');
  const [, written = '', second = ''] = /^\(\s*([^\s()'"`,;]+)\s*((?:\([^()]*\)|[^\s()]+)?)/.exec(form) ?? [];
  const operator = bareName(written);
  return { operator, defines: operator.startsWith('def') ? `${operator} ${second.toLowerCase()}` : null };
}

/** Returns the name without a package: `cl:defun` is DEFUN too. */
function bareName(written: string): string {
  return written.slice(written.lastIndexOf(':') + 1).toLowerCase();
}

/** Returns the package that an IN-PACKAGE form selects. */
function packageNamedIn(code: string): string | undefined {
  const [, quoted, symbol] = /\s(?:"([^"]+)"|(?:#?:)?([^\s()"]+))\s*\)$/.exec(code) ?? [];
  return quoted ?? symbol?.toUpperCase();
}

// Selects and orders the forms for a fresh image: definitions in the order of their last evaluation, and
// those that must precede their uses at their first position.

/** Kinds of definitions that must precede the reading or compiling of their uses. */
const EARLY: ReadonlySet<string> = new Set([
  'package',
  'macro',
  'compiler macro',
  'symbol macro',
  'setf expander',
  'type',
  'structure',
  'constant',
]);

/** Operators that change packages or compiler settings. The image does not report which form did so. */
const CONTEXT_OPERATORS: ReadonlySet<string> = new Set([
  'export',
  'import',
  'shadow',
  'shadowing-import',
  'use-package',
  'declaim',
]);

interface ExportedForms {
  /** The forms as the standard reader reads them, with their packages. */
  forms: (RecordedForm & FileForm)[];
  /**
   * Definitions that a file cannot contain: their form failed after it had made them, or was read with a readtable
   * that has no name.
   */
  missing: Finding[];
}

/**
 * @param definitions the unsaved definitions that the image reports
 * @param recorded all evaluated forms, in order
 * @param isAll whether all forms about packages are included
 */
export function exportedForms(
  definitions: readonly Finding[],
  recorded: readonly RecordedForm[],
  isAll = true,
): ExportedForms {
  const formOf = new Map(definitions.map((definition) => [definition, formAt(recorded, definition)]));
  const packages = new Map<RecordedForm, string>();
  const early = new Set<RecordedForm>();
  for (const [{ kind, source }, form] of formOf) {
    if (!form) continue;
    packages.set(form, source?.package ?? form.package);
    if (EARLY.has(kind)) early.add(form);
  }
  const making = recorded.filter((form) => packages.has(form));
  const chosen = isAll ? [...making, ...contextOf(making, recorded)] : making;
  const standard = new Map(chosen.map((form) => [form, inStandardSyntax(form.code, form.read)]));
  return {
    forms: inOrder(chosen, recorded, early).flatMap((form) => {
      const written = standard.get(form);
      return written ? [{ ...form, ...written, package: packages.get(form) ?? form.package }] : [];
    }),
    missing: definitions.filter((definition) => {
      const form = formOf.get(definition);
      return !form || !standard.get(form);
    }),
  };
}

function formAt(recorded: readonly RecordedForm[], { source }: Finding): RecordedForm | undefined {
  const at = source?.position ?? 0;
  return recorded.find(
    ({ evaluation, start, end }) => evaluation === source?.evaluation && start <= at && at < end,
  );
}

/**
 * Returns the context forms since the first form in `making`. Earlier ones may have been for another image.
 */
function contextOf(making: readonly RecordedForm[], recorded: readonly RecordedForm[]): RecordedForm[] {
  const since = Math.min(...making.map(({ evaluation }) => evaluation));
  return recorded.filter(
    ({ operator, evaluation }) => CONTEXT_OPERATORS.has(operator) && evaluation >= since,
  );
}

function inOrder(
  chosen: readonly RecordedForm[],
  recorded: readonly RecordedForm[],
  early: ReadonlySet<RecordedForm>,
): RecordedForm[] {
  const places = new Map(recorded.map((form, place) => [form, place]));
  const first = new Map(recorded.toReversed().map((form) => [form.defines, places.get(form)]));
  const place = (form: RecordedForm) =>
    (early.has(form) && form.defines !== null ? first.get(form.defines) : places.get(form)) ?? 0;
  return chosen.toSorted((one, other) => place(one) - place(other));
}

// The text of a Common Lisp source file that any Lisp can load by itself.

/** A form, the package in which it must be read, and lines that it needs around it. */
export interface FileForm {
  package: string;
  code: string;
  before?: readonly string[];
  after?: readonly string[];
}

/** A package that no form of the file defines. */
export interface NeededPackage {
  name: string;
  file?: string;
  uses: readonly string[];
}

interface DefinitionsFile {
  /** Lines of the comment at the head; the first one states the purpose of the file. */
  about: readonly string[];
  systems: readonly string[];
  packages: readonly NeededPackage[];
  forms: readonly FileForm[];
}

export function definitionsFile({ about, systems, packages, forms }: DefinitionsFile): string {
  const needed = [...loadingSystems(systems), ...packages.map(loadingPackage)];
  const parts = [
    about.map((line) => `;;;; ABOUTME: ${line}`).join('\n'),
    ...(needed.length > 0 ? [needed.join('\n')] : []),
    ...formsWithPackages(forms, null),
  ];
  return `${parts.join('\n\n').trimEnd()}\n`;
}

function loadingSystems(systems: readonly string[]): string[] {
  if (systems.length === 0) return [];
  return ['(require "asdf")', ...systems.map((name) => `(asdf:load-system ${lispString(name)})`)];
}

function loadingPackage({ name, file, uses }: NeededPackage): string {
  const designator = packageDesignator(name);
  const used = uses.map(packageDesignator).join(' ');
  const making =
    file === undefined ? `(make-package ${designator} :use '(${used}))` : `(load ${lispString(file)})`;
  return `(unless (find-package ${designator}) ${making})`;
}

/**
 * Joins the forms, with an IN-PACKAGE form where the package changes.
 * @param before the current package before the first form; null if it is not known
 */
export function formsWithPackages(forms: readonly FileForm[], before: string | null): string[] {
  let current = before === null ? null : packageDesignator(before);
  return forms.flatMap((form) => {
    const designator = packageDesignator(form.package);
    const entering = designator === current ? [] : [`(in-package ${designator})`];
    current = designator;
    return [...entering, ...linesOf(form)];
  });
}

/** Returns the form with the lines around it. */
export function linesOf({ code, before = [], after = [] }: FileForm): string[] {
  return [...before, code, ...after];
}

/** Returns `:shop`, or a string if a symbol would be read as another name. */
export function packageDesignator(name: string): string {
  if (name === 'COMMON-LISP-USER' || name === 'CL-USER') return ':cl-user';
  return /^[A-Z][A-Z0-9*+./-]*$/.test(name) ? `:${name.toLowerCase()}` : lispString(name);
}
