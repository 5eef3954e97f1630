/** The definitions that rows of the history made, one by one, and which of them are what is there now. Pure. */
import type { Finding } from '../../contract/knowledge';
import type { EvaluatedForms } from '../../history/evaluation-statements';
import { type DefinedForm, definedForms } from '../../source/defined-forms';
import type { Dialect } from '../../source/dialect';
import { sameName } from '../../source/locate';
import { read } from '../../source/reader';

/** A definition and the row that made it. */
export interface MadeForm extends DefinedForm {
  evaluation: number;
  client: string;
  at: number;
  /** Where the form that it is in begins and ends in the code of its row, in characters as Lisp counts them: code points. */
  from: number;
  until: number;
}

/** Operators whose forms take a definition away. */
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

/** What was tried and thrown away made nothing. @param rows oldest first */
export function madeForms(rows: readonly EvaluatedForms[], dialect: Dialect): MadeForm[] {
  return rows.flatMap((row) => (row.kind === 'try' ? [] : formsOfRow(row, dialect)));
}

/** Forms that were not evaluated to their end are not in the row, and not here. */
function formsOfRow({ id, client, startedAt, code, forms, packageBefore }: EvaluatedForms, dialect: Dialect) {
  const ends = formEnds(code, forms);
  const last = ends.at(-1)?.end ?? 0;
  const points = codePoints(code);
  return definedForms(read(code.slice(0, last), dialect), packageBefore).map((form): MadeForm => {
    const around = ends.find(({ end }) => form.start < end) ?? { start: 0, end: last };
    const place = { from: points(around.start), until: points(around.end) };
    const name = form.type === 'ns-unmap' ? unmapped(form) : form.name;
    return { ...form, ...place, name, evaluation: id, client, at: startedAt };
  });
}

/** What `(ns-unmap 'user 'area)` takes away. */
function unmapped({ code, name }: DefinedForm): string {
  return /'([^\s()]+)\s*\)$/.exec(code)?.[1] ?? name;
}

/** Where each of the forms is in the code. */
function formEnds(code: string, forms: EvaluatedForms['forms']): { start: number; end: number }[] {
  let from = 0;
  return forms.map((form) => {
    const start = Math.max(code.indexOf(form.code, from), from);
    from = start + form.code.length;
    return { start, end: from };
  });
}

/** Counts the code points before an offset; most texts have as many as UTF-16 units. */
function codePoints(text: string): (offset: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (offset) => offset;
  return (offset) => Array.from(text.slice(0, offset)).length;
}

/** What is there now under a key, and what the image calls it. */
export interface Present {
  form: MadeForm;
  /** Empty where the image does not say what it has. */
  findings: readonly Finding[];
}

/** @param found what only evaluations hold, as the image says; null: it does not say, so all counts that was not taken away */
export function presentForms(
  made: readonly MadeForm[],
  found: readonly Finding[] | null,
  dialect: Dialect,
): Map<string, Present> {
  if (found === null) return evaluatedForms(made);
  const present = new Map<string, Present>();
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

function evaluatedForms(made: readonly MadeForm[]): Map<string, Present> {
  const states = [...statesOf(made)];
  return new Map(states.map(([key, form]) => [key, { form, findings: [] }]));
}

/** The last form for each key, but for what was taken away, whatever it was: a name may be that of several. */
export function statesOf(made: readonly MadeForm[]): Map<string, MadeForm> {
  const states = new Map<string, MadeForm>();
  for (const form of made) {
    if (form.isDefiner) states.set(form.key, form);
    else if (isRemover(form)) {
      for (const [key, { name }] of states) if (name === form.name) states.delete(key);
    }
  }
  return states;
}

/** By its place where the image tells that, else the newest of its name. */
function formOf(finding: Finding, made: readonly MadeForm[], dialect: Dialect): MadeForm | undefined {
  const { evaluation, position = 0 } = finding.source ?? {};
  const isNamed = (form: MadeForm) => sameName(nameIn(finding), form.name, dialect);
  if (evaluation === undefined) return made.findLast((form) => form.isDefiner && isNamed(form));
  const there = made.filter(
    (form) => form.evaluation === evaluation && form.from <= position && position < form.until,
  );
  return there.findLast(isNamed) ?? there[0] ?? ofRow(made, evaluation, isNamed);
}

function ofRow(made: readonly MadeForm[], evaluation: number, isNamed: (form: MadeForm) => boolean) {
  return made.findLast((form) => form.evaluation === evaluation && isNamed(form));
}

/** `area` of the method `(area (circle t))`. */
function nameIn({ text }: Finding): string {
  return (
    /^\((?!setf )([^\s()]+)[\s\S]*\)$/i.exec(text)?.[1] ??
    /^\(setf [^()]+\)|^[^\s()]+/i.exec(text)?.[0] ??
    text
  );
}
