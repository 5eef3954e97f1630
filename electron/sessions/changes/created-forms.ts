/**
 * The definitions that evaluations of the history made, the definitions that exist now, and the loaded files
 * and systems. Pure.
 */

import path from 'node:path';
import type { FileLoad, SystemChange } from '../../contract/changes';
import type { Finding } from '../../contract/knowledge';
import type { EvaluatedForms } from '../../history/evaluations';
import { type DefinedForm, definedForms } from '../../source/defined-forms';
import type { Dialect } from '../../source/dialect';
import { sameName } from '../../source/locate';
import { read, type Source } from '../../source/reader';
import { stringRead } from '../../source/s-expression';
import { formsOf, isBranch } from '../../source/syntax-tree';
import { operatorOf } from '../../source/top-level-forms';

/** A definition and the evaluation that made it. */
export interface CreatedForm extends DefinedForm {
  evaluation: number;
  client: string;
  at: number;
  /** The range of its top-level form in the code of the row, in code points as Lisp counts characters. */
  from: number;
  until: number;
}

/** Operators that remove a definition. */
const REMOVERS: ReadonlySet<string> = new Set([
  'fmakunbound',
  'makunbound',
  'unintern',
  'remove-method',
  'ns-unmap',
]);

export function isRemover({ type }: DefinedForm): boolean {
  return REMOVERS.has(type);
}

/**
 * Returns the definitions that rows made, without trials.
 * @param rows oldest first
 */
export function createdForms(rows: readonly EvaluatedForms[], dialect: Dialect): CreatedForm[] {
  return rows.flatMap((row) => (row.kind === 'try' ? [] : formsOfRow(row, dialect)));
}

/** Forms that did not finish are not in the row. */
function formsOfRow({ id, client, startedAt, code, forms, packageBefore }: EvaluatedForms, dialect: Dialect) {
  const ends = formEnds(code, forms);
  const last = ends.at(-1)?.end ?? 0;
  const points = codePoints(code);
  return definedForms(read(code.slice(0, last), dialect), packageBefore).map((form): CreatedForm => {
    const around = ends.find(({ end }) => form.start < end) ?? { start: 0, end: last };
    const place = { from: points(around.start), until: points(around.end) };
    const name = form.type === 'ns-unmap' ? unmapped(form) : form.name;
    return { ...form, ...place, name, evaluation: id, client, at: startedAt };
  });
}

/** Returns the name that `(ns-unmap 'user 'area)` removes. */
function unmapped({ code, name }: DefinedForm): string {
  return /'([^\s()']+)\s*\)$/.exec(code)?.[1] ?? name;
}

/** Returns the range of each form in the code. */
function formEnds(code: string, forms: EvaluatedForms['forms']): { start: number; end: number }[] {
  let from = 0;
  return forms.map((form) => {
    const start = Math.max(code.indexOf(form.code, from), from);
    from = start + form.code.length;
    return { start, end: from };
  });
}

/** Returns a function that converts an offset to code points; for most texts it is the identity. */
function codePoints(text: string): (offset: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (offset) => offset;
  return (offset) => Array.from(text.slice(0, offset)).length;
}

/** A definition that exists now, and what the image calls it. */
export interface CurrentDefinition {
  form: CreatedForm;
  /** Empty if the image does not report its definitions. */
  findings: readonly Finding[];
}

/**
 * Returns the current definitions by key.
 * @param found the unsaved definitions that the image reports; null: it does not report them, so every
 *   definition counts that was not removed
 */
export function currentDefinitions(
  made: readonly CreatedForm[],
  found: readonly Finding[] | null,
  dialect: Dialect,
): Map<string, CurrentDefinition> {
  if (found === null) return evaluatedForms(made);
  const present = new Map<string, CurrentDefinition>();
  for (const finding of found) {
    const form = formOf(finding, made, dialect);
    if (!form) continue;
    const there = present.get(form.key);
    const isNewer = !there || there.form.evaluation <= form.evaluation;
    const findings = [...(there?.findings ?? []), finding];
    present.set(form.key, { form: isNewer ? form : there.form, findings });
  }
  return present;
}

function evaluatedForms(made: readonly CreatedForm[]): Map<string, CurrentDefinition> {
  const states = [...statesOf(made)];
  return new Map(states.map(([key, form]) => [key, { form, findings: [] }]));
}

/** Returns the last form of each key. A removal applies to all keys with its name. */
export function statesOf(made: readonly CreatedForm[]): Map<string, CreatedForm> {
  const states = new Map<string, CreatedForm>();
  for (const form of made) {
    if (form.isDefiner) states.set(form.key, form);
    else if (isRemover(form)) {
      for (const [key, { name }] of states) if (name === form.name) states.delete(key);
    }
  }
  return states;
}

/** Finds the form of a reported definition by its position, or else the newest form of its name. */
function formOf(finding: Finding, made: readonly CreatedForm[], dialect: Dialect): CreatedForm | undefined {
  const { evaluation, position = 0 } = finding.source ?? {};
  const isNamed = (form: CreatedForm) => sameName(nameIn(finding), form.name, dialect);
  if (evaluation === undefined) return made.findLast((form) => form.isDefiner && isNamed(form));
  const there = made.filter(
    (form) => form.evaluation === evaluation && form.from <= position && position < form.until,
  );
  return there.findLast(isNamed) ?? there[0] ?? ofRow(made, evaluation, isNamed);
}

function ofRow(made: readonly CreatedForm[], evaluation: number, isNamed: (form: CreatedForm) => boolean) {
  return made.findLast((form) => form.evaluation === evaluation && isNamed(form));
}

/** Returns `area` for the method `(area (circle t))`. */
function nameIn({ text }: Finding): string {
  return (
    /^\((?!setf )([^\s()]+)[\s\S]*\)$/i.exec(text)?.[1] ??
    /^\(setf [^()]+\)|^[^\s()]+/i.exec(text)?.[0] ??
    text
  );
}

/** Operators whose first argument is the file name. */
const LOADERS: ReadonlySet<string> = new Set(['load', 'load-file', 'ld']);

/**
 * Returns the last load of each file, newest first. Only top-level forms that succeeded count.
 * @param project the folder for relative names
 */
export function fileLoads(rows: readonly EvaluatedForms[], dialect: Dialect, project: string): FileLoad[] {
  const loads = new Map<string, FileLoad>();
  for (const { id, client, startedAt, forms, kind } of rows)
    for (const file of kind === 'try' ? [] : forms.flatMap(({ code }) => filesNamed(read(code, dialect)))) {
      const loaded = path.resolve(project, file);
      loads.delete(loaded);
      loads.set(loaded, { path: loaded, evaluation: id, client, at: startedAt });
    }
  return [...loads.values()].reverse();
}

function filesNamed(source: Source): string[] {
  return formsOf(source.tree).flatMap((form) => {
    if (!isBranch(form) || !LOADERS.has(operatorOf(form, source)?.toLowerCase() ?? '')) return [];
    const [, file] = formsOf(form);
    return file?.kind === 'string' ? [stringRead(source.text.slice(file.start, file.end))] : [];
  });
}

/** Returns the first load of each system, newest first. */
export function systemLoads(rows: readonly EvaluatedForms[]): SystemChange[] {
  const systems = new Map<string, SystemChange>();
  for (const { id, client, startedAt, loaded } of rows)
    for (const name of loaded)
      if (!systems.has(name)) systems.set(name, { name, evaluation: id, client, at: startedAt });
  return [...systems.values()].reverse();
}
