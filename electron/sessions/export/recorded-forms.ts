/**
 * The top-level forms that a session has evaluated, as its rows of the history hold them: what each says at a glance,
 * and the package it was read in as far as the rows tell. For Common Lisp.
 */
import type { FormResult } from '../../contract/model';

/** A row as far as it matters here; `package` is the one in force after it. */
export interface RecordedRow {
  id: number;
  package: string;
  /** The one that it began in, which may have been asked for; absent where that is not known. */
  packageBefore?: string;
  code: string;
  forms: readonly FormResult[];
}

export interface RecordedForm {
  evaluation: number;
  /** Where it is in the code of its row, comments before it included, in characters as Lisp counts them: code points. */
  start: number;
  end: number;
  package: string;
  code: string;
  /** The operator's bare name in small letters; empty where the form is no list. */
  operator: string;
  /** What the form defines, as it is written, with its operator; null for what is no definition. */
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

/** Forms that were not evaluated to their end are not in the row, and not here. */
function formsOf({ id, code, forms }: RecordedRow, begun: string): RecordedForm[] {
  let current = begun;
  let from = 0;
  return forms.map((form) => {
    const at = Math.max(code.indexOf(form.code, from), from);
    from = at + form.code.length;
    const start = characters(code.slice(0, at));
    const head = headOf(form.code);
    const place = { evaluation: id, start, end: start + characters(form.code), package: current };
    if (head.operator === 'in-package') current = packageNamedIn(form.code) ?? current;
    return { ...place, code: form.code, ...head };
  });
}

function characters(text: string): number {
  return Array.from(text).length;
}

function headOf(code: string): Pick<RecordedForm, 'operator' | 'defines'> {
  const form = code.replace(/^(?:\s|;[^\n]*(?:\n|$)|#\|[\s\S]*?\|#)+/, '');
  const [, written = '', second = ''] = /^\(\s*([^\s()'"`,;]+)\s*((?:\([^()]*\)|[^\s()]+)?)/.exec(form) ?? [];
  const operator = bareName(written);
  return { operator, defines: operator.startsWith('def') ? `${operator} ${second.toLowerCase()}` : null };
}

/** `cl:defun` is DEFUN as well. */
function bareName(written: string): string {
  return written.slice(written.lastIndexOf(':') + 1).toLowerCase();
}

/** The package that an IN-PACKAGE form switches to. */
function packageNamedIn(code: string): string | undefined {
  const [, quoted, symbol] = /\s(?:"([^"]+)"|(?:#?:)?([^\s()"]+))\s*\)$/.exec(code) ?? [];
  return quoted ?? symbol?.toUpperCase();
}
