/**
 * The rows of the history: opened before code runs, closed after it, read back whole or as pages. Rows that run are
 * remembered, so that one that printed nothing need not be read back.
 */
import type { Database } from 'better-sqlite3';
import { HarborError } from '../contract/errors';
import type { Evaluation, HistoryPage, HistoryQuery, Stream } from '../contract/model';
import { wellFormed, wellFormedData } from '../host/well-formed';
import { tellingWhy } from './database-errors';
import { FullText } from './full-text';
import { Output, type OutputPage } from './output';
import { asPage, pageSelect, type SelectedRow, searchText } from './page';

/** What is known before the code runs. */
export type OpenedEvaluation = Pick<
  Evaluation,
  'kind' | 'session' | 'engine' | 'client' | 'project' | 'package' | 'code' | 'startedAt'
>;

/** What changes when a row is closed. */
type StateOfRow = Pick<
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

/** A row as it lies in the table: lists are JSON. */
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

/** A row that is as it was opened, but for its output. */
interface Running {
  row: OpenedEvaluation;
  printed: boolean;
}

export class Evaluations {
  readonly #running = new Map<number, Running>();
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #output: Output;
  readonly #fullText: FullText;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
    this.#output = new Output(database);
    this.#fullText = new FullText(database, this.#output);
  }

  /** @returns the row's id; ids grow with time and are never given twice
   * @throws HarborError `data_folder_unusable` when the row cannot be written */
  open(opened: OpenedEvaluation): number {
    const row = wellFormedData(opened);
    const id = tellingWhy(this.#database.name, () => Number(this.#statements.open.run(row).lastInsertRowid));
    this.#running.set(id, { row, printed: false });
    return id;
  }

  /** Output may still come after the row was closed. Never throws: what cannot be written is counted as dropped.
   * @param dropped counts characters printed right before `text` that never came */
  appendOutput(id: number, stream: Stream, text: string, dropped = 0): void {
    const running = this.#running.get(id);
    if (running !== undefined) running.printed = true;
    this.#output.append(id, stream, wellFormed(text), dropped);
  }

  /** The row says `debugger` and what holds its evaluation, until that goes on or ends.
   * @throws HarborError `data_folder_unusable` */
  hold(id: number, held: HeldEvaluation): void {
    const { package: packageName, forms, warnings, condition } = wellFormedData(held);
    this.#running.delete(id);
    tellingWhy(this.#database.name, () =>
      this.#statements.hold.run({
        id,
        package: packageName,
        forms: JSON.stringify(forms),
        warnings: JSON.stringify(warnings),
        condition: JSON.stringify(condition),
      }),
    );
  }

  /** A held evaluation goes on: its row says `running` again.
   * @throws HarborError `data_folder_unusable` */
  resume(id: number): void {
    tellingWhy(this.#database.name, () => this.#statements.resume.run(id));
  }

  /** Closes the row and makes it searchable.
   * @returns the closed row
   * @throws HarborError `data_folder_unusable` */
  close(id: number, settled: ClosedEvaluation): Evaluation {
    const closed = wellFormedData(settled);
    this.#output.flush();
    tellingWhy(this.#database.name, () =>
      this.#statements.close.run({
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
      }),
    );
    this.#fullText.add(id);
    const running = this.#running.get(id);
    this.#running.delete(id);
    return running?.printed === false ? silent(id, running.row, closed) : this.#whole(id);
  }

  /** The whole row, with its output so far while it runs. */
  find(id: number): Evaluation | null {
    const running = this.#running.get(id);
    return running?.printed === false ? openRow(id, running.row) : this.#read(id);
  }

  /**
   * Both streams in the order they came.
   * @param offset counts all characters printed, also those since dropped
   * @param limit characters, 2 or more
   */
  output(id: number, offset: number, limit: number): OutputPage {
    return this.#output.page(id, offset, limit);
  }

  /** Newest first. Rows that come later do not move the pages that follow. A search text is looked for right here,
   * on this thread: `History.page` leaves that to the worker. */
  page(query: HistoryQuery): HistoryPage {
    if (searchText(query) === null) this.#output.flush();
    else this.flush();
    const { sql, parameters } = pageSelect(query);
    const rows = this.#database.prepare<(string | number)[], SelectedRow>(sql).all(...parameters);
    return asPage(rows, query.limit);
  }

  /** What a session has evaluated, oldest first: the code of each row and its forms, without output. */
  formsOf(session: string): Pick<Evaluation, 'id' | 'package' | 'code' | 'forms'>[] {
    return this.#statements.formsOf.all(session).map((row) => ({ ...row, forms: JSON.parse(row.forms) }));
  }

  /** Closes what an earlier run left open, as crashed; when it ended is not known.
   * @returns how many rows that were */
  closeAbandoned(note: string): number {
    const { changes } = this.#statements.abandon.run(note);
    this.#fullText.addMissing();
    return changes;
  }

  /** Writes the output and indexes the texts that still wait.
   * @throws HarborError `data_folder_unusable` when the texts cannot be written */
  flush(): void {
    this.#output.flush();
    tellingWhy(this.#database.name, () => this.#fullText.flush());
  }

  #whole(id: number): Evaluation {
    const evaluation = this.#read(id);
    if (evaluation === null) throw new HarborError('internal', `Row ${id} of the history is missing.`);
    return evaluation;
  }

  #read(id: number): Evaluation | null {
    this.#output.flush();
    const stored = this.#statements.find.get(id);
    if (stored === undefined) return null;
    const { report, cost, ...row } = stored;
    return {
      ...row,
      forms: JSON.parse(stored.forms),
      warnings: JSON.parse(stored.warnings),
      condition: stored.condition === null ? null : JSON.parse(stored.condition),
      notes: JSON.parse(stored.notes),
      ...(report === null ? {} : { report: JSON.parse(report) }),
      ...(cost === null ? {} : { cost: JSON.parse(cost) }),
      stdout: this.#output.whole(id, 'stdout'),
      stderr: this.#output.whole(id, 'stderr'),
    };
  }
}

const STILL_RUNNING = {
  outcome: 'running',
  forms: [],
  warnings: [],
  condition: null,
  notes: [],
  endedAt: null,
  durationMs: null,
} satisfies Omit<StateOfRow, 'package'>;

/** The row of an evaluation that has just been opened, as it would be read back. */
export function openRow(id: number, row: OpenedEvaluation): Evaluation {
  return silent(id, row, { ...STILL_RUNNING, package: row.package });
}

/** The row of an evaluation that printed nothing, as it would be read back. */
function silent(id: number, row: OpenedEvaluation, state: StateOfRow): Evaluation {
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

function prepare(database: Database) {
  return {
    open: database.prepare<[OpenedEvaluation]>(
      `insert into evaluations (kind, session, engine, client, project, package, package_before, code, outcome, started_at)
       values (@kind, @session, @engine, @client, @project, @package, @package, @code, 'running', @startedAt)`,
    ),
    close: database.prepare(
      `update evaluations set outcome = @outcome, package = @package, forms = @forms, warnings = @warnings,
         condition = @condition, notes = @notes, report = @report, cost = @cost, ended_at = @endedAt, duration_ms = @durationMs
       where id = @id`,
    ),
    hold: database.prepare(
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
    formsOf: database.prepare<[string], Pick<StoredEvaluation, 'id' | 'package' | 'code' | 'forms'>>(
      'select id, package, code, forms from evaluations where session = ? order by id',
    ),
    abandon: database.prepare<[string]>(
      `update evaluations set outcome = 'crashed', notes = json_insert(notes, '$[#]', ?)
       where outcome in ('running', 'debugger')`,
    ),
  };
}
