/** What is asked of the table of evaluations, as SQL. Lists lie there as JSON. */
import type { Database } from 'better-sqlite3';
import type { Evaluation } from '../contract/model';
import type { ClosedEvaluation, HeldEvaluation, OpenedEvaluation } from './row-state';

/** A row as it lies in the table. */
type StoredEvaluation = Omit<
  Evaluation,
  'forms' | 'warnings' | 'condition' | 'notes' | 'report' | 'cost' | 'stdout' | 'stderr'
> & {
  forms: string;
  warnings: string;
  condition: string | null;
  notes: string;
  report: string | null;
  cost: string | null;
};

type ClosedColumns = Pick<ClosedEvaluation, 'outcome' | 'package' | 'endedAt' | 'durationMs'> &
  Pick<StoredEvaluation, 'id' | 'forms' | 'warnings' | 'condition' | 'notes' | 'report' | 'cost'>;

type HeldColumns = Pick<StoredEvaluation, 'id' | 'package' | 'forms' | 'warnings' | 'condition'>;

export function closedColumns(id: number, closed: ClosedEvaluation): ClosedColumns {
  return {
    id,
    outcome: closed.outcome,
    package: closed.package,
    forms: JSON.stringify(closed.forms),
    warnings: JSON.stringify(closed.warnings),
    condition: closed.condition === null ? null : JSON.stringify(closed.condition),
    notes: JSON.stringify(closed.notes),
    report: closed.report === undefined ? null : JSON.stringify(closed.report),
    cost: closed.cost === undefined ? null : JSON.stringify(closed.cost),
    endedAt: closed.endedAt,
    durationMs: closed.durationMs,
  };
}

export function heldColumns(id: number, held: HeldEvaluation): HeldColumns {
  return {
    id,
    package: held.package,
    forms: JSON.stringify(held.forms),
    warnings: JSON.stringify(held.warnings),
    condition: JSON.stringify(held.condition),
  };
}

/** A row as far as it says what was defined and loaded; `packageBefore` is the package that it began in. */
export type EvaluatedForms = Pick<
  Evaluation,
  'id' | 'kind' | 'client' | 'package' | 'code' | 'forms' | 'startedAt'
> & { packageBefore: string; loaded: readonly string[] };

type StoredForms = Omit<EvaluatedForms, 'forms' | 'loaded'> & { forms: string; loaded: string | null };

export function fromStoredForms({ forms, loaded, ...row }: StoredForms): EvaluatedForms {
  return { ...row, forms: JSON.parse(forms), loaded: loaded === null ? [] : JSON.parse(loaded) };
}

/** How much text is in the columns that may have much. */
export function sizeOf({ forms, warnings, condition, ...rest }: ClosedColumns | HeldColumns): number {
  const report = 'report' in rest ? (rest.report?.length ?? 0) + rest.notes.length : 0;
  return forms.length + warnings.length + (condition?.length ?? 0) + report;
}

/** A row as it is read back, but for what it printed. */
export function fromStored(stored: StoredEvaluation): Omit<Evaluation, 'stdout' | 'stderr'> {
  const { report, cost, ...row } = stored;
  return {
    ...row,
    forms: JSON.parse(stored.forms),
    warnings: JSON.parse(stored.warnings),
    condition: stored.condition === null ? null : JSON.parse(stored.condition),
    notes: JSON.parse(stored.notes),
    ...(report === null ? {} : { report: JSON.parse(report) }),
    ...(cost === null ? {} : { cost: JSON.parse(cost) }),
  };
}

export function prepareEvaluations(database: Database) {
  return {
    newest: database
      .prepare<[], number>(`select coalesce(max(seq), 0) from sqlite_sequence where name = 'evaluations'`)
      .pluck(),
    open: database.prepare<[OpenedEvaluation & { id: number }]>(
      `insert into evaluations (id, kind, session, engine, client, project, package, package_before, code, outcome, started_at)
       values (@id, @kind, @session, @engine, @client, @project, @package, @package, @code, 'running', @startedAt)`,
    ),
    close: database.prepare<[ClosedColumns]>(
      `update evaluations set outcome = @outcome, package = @package, forms = @forms, warnings = @warnings,
         condition = @condition, notes = @notes, report = @report, cost = @cost, ended_at = @endedAt, duration_ms = @durationMs
       where id = @id`,
    ),
    hold: database.prepare<[HeldColumns]>(
      `update evaluations set outcome = 'debugger', package = @package, forms = @forms, warnings = @warnings,
         condition = @condition
       where id = @id`,
    ),
    resume: database.prepare<[number]>(
      `update evaluations set outcome = 'running', condition = null where id = ?`,
    ),
    find: database.prepare<[number], StoredEvaluation>(
      `select id, kind, session, engine, client, project, package, code, outcome, forms, warnings, condition, notes,
         report, cost, output_dropped as outputDropped, started_at as startedAt, ended_at as endedAt, duration_ms as durationMs
       from evaluations where id = ?`,
    ),
    formsOf: database.prepare<[string], StoredForms>(
      `select id, kind, client, package, coalesce(package_before, package) as packageBefore, code, forms,
         started_at as startedAt, json_extract(report, '$.loaded') as loaded
       from evaluations where session = ? order by id`,
    ),
    abandon: database
      .prepare<[string, number], number>(
        `update evaluations set outcome = 'crashed', notes = json_insert(notes, '$[#]', ?)
         where outcome in ('running', 'debugger') and id > (select value from marks where name = 'closed') and id <= ?
         returning id`,
      )
      .pluck(),
    markClosed: database.prepare<[number]>(`update marks set value = ? where name = 'closed'`),
  };
}
