/** A row as lists show it: the same cuts whether it is made from a whole evaluation or read from the database. */
import type { Evaluation, HistoryRow } from '../contract/model';
import { cut } from './cut-text';
import { summaryOfReport } from './proof-summary';

/** Longest text of a list row, in characters: its code; its output, each value, the condition's message. */
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
    ...(report?.proof && { proof: summaryOfReport(report.proof) }),
  });
}

export function cutRow(row: HistoryRow): HistoryRow {
  const { conditionMessage: message } = row;
  const cuts = cutsOf(row);
  return {
    ...row,
    ...(cuts.length > 0 && { cut: cuts }),
    code: cut(row.code, LONGEST_CODE),
    values: row.values.map((value) => cut(value, LONGEST_TEXT)),
    output: cut(row.output, LONGEST_TEXT),
    conditionMessage: message === null ? null : cut(message, LONGEST_TEXT),
  };
}

function cutsOf({ code, values, output, conditionMessage }: HistoryRow): NonNullable<HistoryRow['cut']> {
  const tooLong = {
    code: code.length > LONGEST_CODE,
    values: values.some((value) => value.length > LONGEST_TEXT),
    output: output.length > LONGEST_TEXT,
    condition: (conditionMessage?.length ?? 0) > LONGEST_TEXT,
  };
  return (['code', 'values', 'output', 'condition'] as const).filter((part) => tooLong[part]);
}
