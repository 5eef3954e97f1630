/** A row as lists show it: the same cuts whether it is made from a whole evaluation or read from the database. */
import type { Evaluation, HistoryRow } from '../contract/model';
import { isSandboxNote } from '../contract/sandbox-note';
import { cut } from './cut-text';
import { summaryOfReport } from './proof-summary';

/** Longest text of a list row, in characters: its code; its output, each value and note, the condition's message. */
export const LONGEST_CODE = 20_000;
export const LONGEST_TEXT = 2_000;

/** @returns the row of an evaluation that is at hand, as events tell it */
export function historyRow(evaluation: Evaluation): HistoryRow {
  const { forms, stdout, stderr, warnings, condition, notes, report, cost, outputDropped, ...rest } =
    evaluation;
  return cutRow({
    ...rest,
    values: forms.at(-1)?.values ?? [],
    output: stdout.slice(0, LONGEST_TEXT + 1) + stderr.slice(0, LONGEST_TEXT + 1),
    conditionType: condition?.type ?? null,
    conditionMessage: condition?.message ?? null,
    notes,
    ...(report?.proof && { proof: summaryOfReport(report.proof) }),
  });
}

export function cutRow({ notes: told = [], ...row }: HistoryRow): HistoryRow {
  const { conditionMessage: message } = row;
  const notes = told.filter((note) => !isSandboxNote(note));
  const cuts = cutsOf({ ...row, notes });
  return {
    ...row,
    ...(notes.length > 0 && { notes: notes.map((note) => cut(note, LONGEST_TEXT)) }),
    ...(cuts.length > 0 && { cut: cuts }),
    code: cut(row.code, LONGEST_CODE),
    values: row.values.map((value) => cut(value, LONGEST_TEXT)),
    output: cut(row.output, LONGEST_TEXT),
    conditionMessage: message === null ? null : cut(message, LONGEST_TEXT),
  };
}

function cutsOf(row: HistoryRow): NonNullable<HistoryRow['cut']> {
  const { code, values, output, conditionMessage, notes = [] } = row;
  const tooLong = {
    code: code.length > LONGEST_CODE,
    values: values.some((value) => value.length > LONGEST_TEXT),
    output: output.length > LONGEST_TEXT,
    condition: (conditionMessage?.length ?? 0) > LONGEST_TEXT,
    notes: notes.some((note) => note.length > LONGEST_TEXT),
  };
  return (['code', 'values', 'output', 'condition', 'notes'] as const).filter((part) => tooLong[part]);
}
