/** A row of the history by the parts in which it becomes known: what is asked, then what became of it. Pure. */
import type { Evaluation } from '../contract/model';

/** What is known before the code runs. */
export type OpenedEvaluation = Pick<
  Evaluation,
  'kind' | 'session' | 'engine' | 'client' | 'project' | 'package' | 'code' | 'startedAt'
>;

/** What changes while it runs, and when it ends. */
export type StateOfRow = Pick<
  Evaluation,
  | 'outcome'
  | 'package'
  | 'forms'
  | 'warnings'
  | 'condition'
  | 'notes'
  | 'report'
  | 'cost'
  | 'endedAt'
  | 'durationMs'
>;

/** What became of it. `package` is the one in force afterwards. */
export type ClosedEvaluation = Omit<StateOfRow, 'endedAt' | 'durationMs'> & {
  endedAt: number;
  durationMs: number;
};

/** What is known while it is held in the debugger. */
export type HeldEvaluation = Pick<Evaluation, 'package' | 'forms' | 'warnings'> & {
  condition: NonNullable<Evaluation['condition']>;
};

const STILL_RUNNING = {
  outcome: 'running',
  forms: [],
  warnings: [],
  condition: null,
  notes: [],
  endedAt: null,
  durationMs: null,
} satisfies Omit<StateOfRow, 'package'>;

/** The state of a row that has just been opened. */
export function beginningOf(row: Pick<OpenedEvaluation, 'package'>): StateOfRow {
  return { ...STILL_RUNNING, package: row.package };
}

/** The row of an evaluation that printed nothing, as it would be read back. */
export function silentRow(id: number, row: OpenedEvaluation, state: StateOfRow): Evaluation {
  const {
    outcome,
    package: now,
    forms,
    warnings,
    condition,
    notes,
    report,
    cost,
    endedAt,
    durationMs,
  } = state;
  const settled = { outcome, package: now, forms, warnings, condition, notes, endedAt, durationMs };
  const told = { ...(report === undefined ? {} : { report }), ...(cost === undefined ? {} : { cost }) };
  return { ...row, ...settled, ...told, id, stdout: '', stderr: '', outputDropped: 0 };
}

/** What is left of a state for which there is no room. */
export function outcomeAlone({
  outcome,
  package: now,
  endedAt,
  durationMs,
}: ClosedEvaluation): ClosedEvaluation {
  const notes = [
    'What it answered could not be kept: the history could not be written, and too much waited for that.',
  ];
  return { outcome, package: now, forms: [], warnings: [], condition: null, notes, endedAt, durationMs };
}
