/** A row as lists show it: the same cuts whether it is made from a whole evaluation or read from the database. */
import type { Evaluation, HistoryRow } from '../contract/model';
import { isSandboxNote } from '../contract/sandbox-note';
import { cut } from './cut-text';
import { summaryOfReport } from './proof-summary';

/** Longest text of a list row, in characters: its code; its output, each value and note, the condition's message. */
export const LONGEST_CODE = 20_000;
export const LONGEST_TEXT = 2_000;

/** Of so many forms before the last a list row has the values. */
export const EARLIER_FORMS = 20;

/** @returns the row of an evaluation that is at hand, as events tell it */
export function historyRow(evaluation: Evaluation): HistoryRow {
  const { forms, stdout, stderr, warnings, condition, notes, report, cost, outputDropped, ...rest } =
    evaluation;
  return cutRow({
    ...rest,
    values: forms.at(-1)?.values ?? [],
    ...earlierOf(forms),
    output: stdout.slice(0, LONGEST_TEXT + 1) + stderr.slice(0, LONGEST_TEXT + 1),
    conditionType: condition?.type ?? null,
    conditionMessage: condition?.message ?? null,
    notes,
    ...(report?.proof && { proof: summaryOfReport(report.proof) }),
  });
}

function earlierOf(forms: Evaluation['forms']): Pick<HistoryRow, 'earlier'> {
  if (forms.length < 2) return {};
  const values = forms.slice(-1 - EARLIER_FORMS, -1).map((form) => form.values);
  return { earlier: { forms: forms.length - 1, values } };
}

export function cutRow({ notes: told = [], ...row }: HistoryRow): HistoryRow {
  const { conditionMessage: message, earlier } = row;
  const notes = told.filter((note) => !isSandboxNote(note));
  const cuts = cutsOf({ ...row, notes });
  return {
    ...row,
    ...(notes.length > 0 && { notes: cutAll(notes) }),
    ...(cuts.length > 0 && { cut: cuts }),
    code: cut(row.code, LONGEST_CODE),
    values: cutAll(row.values),
    ...(earlier && { earlier: { ...earlier, values: earlier.values.map(cutAll) } }),
    output: cut(row.output, LONGEST_TEXT),
    conditionMessage: message === null ? null : cut(message, LONGEST_TEXT),
  };
}

function cutAll(texts: readonly string[]): string[] {
  return texts.map((text) => cut(text, LONGEST_TEXT));
}

function isLong(text: string): boolean {
  return text.length > LONGEST_TEXT;
}

function cutsOf(row: HistoryRow): NonNullable<HistoryRow['cut']> {
  const { code, values, output, conditionMessage, notes = [] } = row;
  const earlier = row.earlier ?? { forms: 0, values: [] };
  const tooLong = {
    code: code.length > LONGEST_CODE,
    values:
      earlier.forms > earlier.values.length || [...earlier.values, values].some((each) => each.some(isLong)),
    output: isLong(output),
    condition: isLong(conditionMessage ?? ''),
    notes: notes.some(isLong),
  };
  return (['code', 'values', 'output', 'condition', 'notes'] as const).filter((part) => tooLong[part]);
}
