/**
 * The table of evaluations: rows are opened before code runs, closed after it, and read singly or as pages.
 * Rows that are open or not yet written are read from memory.
 */

import type { Database } from 'better-sqlite3';
import { HarborError } from '../contract/errors';
import type { Evaluation, HistoryPage, HistoryQuery, HistoryRow, Stream } from '../contract/model';
import { type Note, recordedNote, storedNotes } from '../contract/note';
import { isRedacted } from '../contract/settings';
import { wellFormed, wellFormedData } from '../host/json';
import { searchText } from './index/queries';
import { type LongValue, LongValues } from './long-text';
import {
  applyOverlay,
  type ClosedEvaluation,
  initialState,
  lostNote,
  type OpenedEvaluation,
  type OpenRow,
  OpenRowCache,
  type Overlay,
  outcomeOnly,
  type RowState,
  rowMatches,
  rowWithoutOutput,
  type SuspendedEvaluation,
  textMatches,
  waitingNote,
} from './open-row-cache';
import { Output, type OutputPage } from './output';
import { asPage, historyRow, pageSelect, type SelectedRow } from './pages';
import { type ClosedColumns, rowWrite, type SuspendedColumns } from './row-writes';
import type { Writer } from './writer';

/** How often the last row before the oldest open one is marked. A start checks only rows after the mark. */
const MARK_INTERVAL_ROWS = 500;

/** Maximum rows that a query without an index scans on the main thread. */
const MAX_ROWS_SCANNED = 20_000;

export class Evaluations {
  readonly #rows: OpenRowCache;
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepareEvaluations>;
  readonly #output: Output;
  readonly #longValues: LongValues;
  readonly #changed: (id: number) => void;
  #newest: number;

  /** @param changed called for rows that have ended, or have changed since */
  constructor(writer: Writer, rows = new OpenRowCache(), changed: (id: number) => void = () => undefined) {
    this.#changed = changed;
    this.#writer = writer;
    this.#rows = rows;
    this.#statements = prepareEvaluations(writer.database);
    this.#output = new Output(writer);
    this.#longValues = new LongValues(writer.database);
    this.#newest = Math.max(this.#statements.newest.get() ?? 0, writer.newestRecorded.evaluation);
  }

  /**
   * Opens the row: in the database, or in memory if the database cannot be written.
   * @returns the id; ids increase with time. If the database could not be written and the harbor crashes, its
   *   rows are lost and the next harbor reuses their ids
   */
  open(requested: OpenedEvaluation): number {
    const opened = wellFormedData(requested);
    const id = ++this.#newest;
    const closedUpTo = id % MARK_INTERVAL_ROWS === 0 ? Math.min(this.#rows.oldest, id) - 1 : null;
    const onDisk = () => {
      row.onDisk = true;
    };
    const data = { row: { ...opened, id }, closedUpTo };
    const opening = rowWrite(['open', data], { recorded: onDisk, written: onDisk });
    const row: OpenRow = {
      ...{ opened, opening, state: initialState(opened) },
      ...{ packageBefore: opened.package, printed: false, onDisk: false },
    };
    this.#rows.set(id, row);
    this.#writer.write(opening);
    return id;
  }

  /**
   * Adds output, which may come after the row was closed. Never throws.
   * @param dropped counts the lost characters right before `text`
   */
  appendOutput(id: number, stream: Stream, text: string, dropped = 0): void {
    const row = this.#rows.get(id);
    if (row !== undefined) row.printed = true;
    this.#output.append(id, stream, wellFormed(text), dropped);
  }

  /** Sets the outcome to `debugger` with the condition, until the evaluation resumes or ends. */
  suspend(id: number, reported: SuspendedEvaluation): void {
    const { long, ...suspended } = this.#splitLongValues(id, reported);
    this.#change(id, { ...suspended, outcome: 'debugger' });
    this.#writer.write(rowWrite(['suspend', { row: suspendedColumns(id, suspended), long }]));
  }

  /** Sets the outcome to `running` again. */
  resume(id: number): void {
    this.#change(id, { outcome: 'running', condition: null });
    this.#writer.write(rowWrite(['resume', { id }]));
  }

  /**
   * Closes the row and schedules its indexing.
   * @returns the closed row with complete values
   */
  close(id: number, settled: ClosedEvaluation): Evaluation {
    const { long, ...closed } = this.#splitLongValues(id, settled);
    this.#change(id, closed);
    this.#rows.rememberNotes(id, closed.notes);
    const row = this.#rows.get(id);
    // Before it is written, because it need not be read back then.
    const printed = row && this.#printedBy(id, row);
    this.#output.flush();
    const isWritten = this.#writer.writeIfRoom(
      rowWrite(['close', { row: closedColumns(id, closed), long }], { written: () => this.#closed(id) }),
    );
    this.#writer.settleFirst();
    const found = (row ? this.#fromCache(id, row, printed) : this.find(id)) ?? noRow(id);
    const answer = long.length === 0 ? found : { ...found, forms: wellFormedData(settled.forms) };
    return isWritten
      ? answer
      : { ...answer, notes: [...closed.notes, this.#giveUp(id, answer.session, closed)] };
  }

  /** Returns the row with its output so far. Long values are cut. */
  find(id: number): Evaluation | null {
    const row = this.#rows.get(id);
    return row === undefined ? this.#read(id) : this.#fromCache(id, row);
  }

  /** Returns the row with complete values. */
  whole(id: number): Evaluation | null {
    const row = this.find(id);
    return row && { ...row, forms: this.#longValues.whole(id, row.forms) };
  }

  /**
   * Returns a page of both streams in order.
   * @param offset counts all printed characters, including dropped ones
   * @param limit characters, at least 2
   */
  output(id: number, offset: number, limit: number): OutputPage {
    return this.#output.page(id, offset, limit);
  }

  /** Returns the last `limit` characters of both streams, in order. */
  outputEnd(id: number, limit: number): ReturnType<Output['end']> {
    return this.#output.end(id, limit);
  }

  /**
   * Returns a page, newest first; newer rows do not move later pages. It uses no index: it is for one session
   * or for the newest rows. For other queries use `History.page`.
   */
  page(query: HistoryQuery): HistoryPage {
    this.#output.flush();
    this.#writer.settle();
    const overlay = this.overlay(query);
    const { session, before, limit, ...narrowed } = overlay.query;
    const isNarrowed = Object.values(narrowed).some((value) => value !== undefined);
    const after = session === undefined && isNarrowed ? (before ?? this.#newest) - MAX_ROWS_SCANNED : 0;
    const { sql, parameters } = pageSelect(overlay.query, after);
    const rows = this.#writer.database.prepare<(string | number)[], SelectedRow>(sql).all(...parameters);
    return applyOverlay(asPage(rows, overlay.query.limit), overlay, query.limit);
  }

  /** Flushes, and returns what the database cannot answer because rows could not be written. */
  overlay(query: HistoryQuery): Overlay {
    this.flush();
    if (this.#writer.waiting === null) return { query, rows: [], hidden: new Set() };
    const hidden = new Set(this.#rows.ids);
    const limit = query.limit + [...hidden].filter((id) => this.#rows.get(id)?.onDisk).length;
    return { query: { ...query, limit }, rows: this.#matching(query, hidden), hidden };
  }

  /**
   * Returns the evaluations of a session, oldest first: code and forms without output. Omits redacted rows,
   * whose text is not what was evaluated.
   */
  formsOf(session: string): EvaluatedForms[] {
    const stored = this.#statements.formsOf.all(session);
    const rows = new Map(stored.map((row) => [row.id, fromStoredForms(row)]));
    for (const { id, opened, state, packageBefore } of this.#rows.of(session)) {
      const { kind, client, code, startedAt } = opened;
      const { package: now, forms, report } = state;
      const row = { id, kind, client, package: now, packageBefore, code, forms, startedAt };
      rows.set(id, { ...row, loaded: report?.loaded ?? [] });
    }
    return [...rows.values()].filter(({ code }) => !isRedacted(code));
  }

  /**
   * Closes rows that a crashed harbor left open, as crashed; their end is unknown. Reads only rows after the
   * last mark.
   * @returns the number of rows that could be closed at once
   */
  closeAbandoned(note: string): number {
    const until = this.#newest;
    let abandoned: number[] = [];
    this.#writer.write({
      size: 0,
      run: () => {
        abandoned = this.#statements.abandon.all(note, until);
      },
      written: () => {
        for (const id of abandoned) this.#closed(id);
      },
    });
    return abandoned.length;
  }

  /** Writes pending rows and output if possible. */
  flush(): void {
    this.#writer.flush();
    this.#output.flush();
  }

  #change(id: number, change: Partial<RowState>): void {
    const row = this.#rows.get(id);
    if (row) row.state = { ...row.state, ...change };
  }

  /**
   * Makes the data fit for the row; its long values are written with the row.
   */
  #splitLongValues<T extends SuspendedEvaluation | ClosedEvaluation>(
    id: number,
    reported: T,
  ): T & { long: readonly LongValue[] } {
    const fit = wellFormedData(reported);
    return { ...fit, ...this.#longValues.take(id, fit.forms) };
  }

  #closed(id: number): void {
    this.#longValues.forget(id);
    this.#rows.delete(id);
    this.#changed(id);
  }

  /**
   * Handles a closed row for which memory has no room. A row that is running in the database must still be
   * closed.
   * @returns the note about it
   */
  #giveUp(id: number, session: string, closed: ClosedEvaluation): Note {
    const row = this.#rows.get(id);
    this.#longValues.forget(id);
    if (row && !row.onDisk) {
      this.#writer.drop(row.opening);
      this.#output.forget(id);
      this.#rows.delete(id);
    } else {
      const rest = outcomeOnly(closed);
      this.#change(id, rest);
      this.#writer.write(
        rowWrite(['close', { row: closedColumns(id, rest), long: [] }], { written: () => this.#closed(id) }),
      );
    }
    return lostNote(this.#rows.countLost(session));
  }

  /** Newest first; at most one more than a page has. */
  #matching(query: HistoryQuery, ids: ReadonlySet<number>): HistoryRow[] {
    const text = searchText(query);
    const matching: HistoryRow[] = [];
    for (const id of [...ids].sort((one, other) => other - one)) {
      const row = this.find(id);
      if (!row || !rowMatches(query, row) || (text !== null && !textMatches(text, row))) continue;
      matching.push(historyRow(row));
      if (matching.length > query.limit) break;
    }
    return matching;
  }

  /** Returns a cached row, with notes if it cannot be written. */
  #fromCache(id: number, row: OpenRow, printed = this.#printedBy(id, row)): Evaluation {
    const { opened, state } = row;
    const { waiting } = this.#writer;
    const lost = this.#rows.lostCount(opened.session);
    const notes = [...(waiting ? [waitingNote(waiting)] : []), ...(lost > 0 ? [lostNote(lost)] : [])];
    const shown = notes.length === 0 ? state : { ...state, notes: [...state.notes, ...notes] };
    return { ...rowWithoutOutput(id, opened, shown), ...printed };
  }

  #printedBy(id: number, { printed }: OpenRow): Partial<Evaluation> {
    return printed ? { ...this.#printed(id), outputDropped: this.#output.dropped(id) } : {};
  }

  #printed(id: number): Pick<Evaluation, 'stdout' | 'stderr'> {
    return { stdout: this.#output.whole(id, 'stdout'), stderr: this.#output.whole(id, 'stderr') };
  }

  #read(id: number): Evaluation | null {
    const stored = this.#statements.find.get(id);
    if (stored === undefined) return null;
    return { ...fromStored(stored), ...this.#rows.rememberedNotes(id), ...this.#printed(id) };
  }
}

/** Returns the row of an evaluation that was just opened. */
export function openRow(id: number, row: OpenedEvaluation): Evaluation {
  return rowWithoutOutput(id, row, initialState(row));
}

function noRow(id: number): never {
  throw new HarborError('internal', `The history has no row ${id}.`);
}

// Statements of the table of evaluations. Lists are stored as JSON.

/** A row as stored. */
type StoredEvaluation = Omit<
  Evaluation,
  'parent' | 'forms' | 'warnings' | 'condition' | 'notes' | 'report' | 'cost' | 'trace' | 'stdout' | 'stderr'
> & {
  parent: number | null;
  forms: string;
  warnings: string;
  condition: string | null;
  notes: string;
  report: string | null;
  cost: string | null;
  trace: string | null;
};

function closedColumns(id: number, closed: ClosedEvaluation): ClosedColumns {
  return {
    id,
    outcome: closed.outcome,
    package: closed.package,
    forms: JSON.stringify(closed.forms),
    warnings: JSON.stringify(closed.warnings),
    condition: closed.condition === null ? null : JSON.stringify(closed.condition),
    notes: JSON.stringify(storedNotes(closed.notes)),
    report: closed.report === undefined ? null : JSON.stringify(closed.report),
    cost: closed.cost === undefined ? null : JSON.stringify(closed.cost),
    endedAt: closed.endedAt,
    durationMs: closed.durationMs,
  };
}

function suspendedColumns(id: number, suspended: SuspendedEvaluation): SuspendedColumns {
  return {
    id,
    package: suspended.package,
    forms: JSON.stringify(suspended.forms),
    warnings: JSON.stringify(suspended.warnings),
    condition: JSON.stringify(suspended.condition),
  };
}

/** The definitions and loads of a row; `packageBefore` is its initial package. */
export type EvaluatedForms = Pick<
  Evaluation,
  'id' | 'kind' | 'client' | 'package' | 'code' | 'forms' | 'startedAt'
> & { packageBefore: string; loaded: readonly string[] };

type StoredForms = Omit<EvaluatedForms, 'forms' | 'loaded'> & { forms: string; loaded: string | null };

function fromStoredForms({ forms, loaded, ...row }: StoredForms): EvaluatedForms {
  return { ...row, forms: JSON.parse(forms), loaded: loaded === null ? [] : JSON.parse(loaded) };
}

/** Parses a stored row, without its output. */
function fromStored(stored: StoredEvaluation): Omit<Evaluation, 'stdout' | 'stderr'> {
  const { parent, report, cost, trace, ...row } = stored;
  return {
    ...row,
    ...(parent === null ? {} : { parent }),
    forms: JSON.parse(stored.forms),
    warnings: JSON.parse(stored.warnings),
    condition: stored.condition === null ? null : JSON.parse(stored.condition),
    notes: JSON.parse(stored.notes).map(recordedNote),
    ...(report === null ? {} : { report: JSON.parse(report) }),
    ...(cost === null ? {} : { cost: JSON.parse(cost) }),
    ...(trace === null ? {} : { trace: JSON.parse(trace) }),
  };
}

function prepareEvaluations(database: Database) {
  return {
    newest: database
      .prepare<[], number>(`select coalesce(max(seq), 0) from sqlite_sequence where name = 'evaluations'`)
      .pluck(),
    find: database.prepare<[number], StoredEvaluation>(
      `select id, kind, parent, session, engine, client, project, package, code, outcome, forms, warnings, condition, notes,
         report, cost, output_dropped as outputDropped, started_at as startedAt, ended_at as endedAt, duration_ms as durationMs,
         trace
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
  };
}
