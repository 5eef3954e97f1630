/**
 * The rows of the history: opened before code runs, closed after it, read back whole or as pages. Rows of evaluations
 * that have not ended, and those that wait to be written, are read from memory.
 */
import { HarborError } from '../contract/errors';
import type { Evaluation, HistoryPage, HistoryQuery, HistoryRow, Stream } from '../contract/model';
import { isRedacted } from '../contract/redaction';
import { wellFormed, wellFormedData } from '../host/well-formed';
import {
  closedColumns,
  type EvaluatedForms,
  fromStored,
  fromStoredForms,
  heldColumns,
  prepareEvaluations,
  sizeOf,
} from './evaluation-statements';
import { searchText } from './index/entry-select';
import { historyRow } from './list-row';
import { LongValues } from './long-values';
import { Output, type OutputPage } from './output';
import { laidOver, type Overlay, rowMatches, textMatches } from './overlay';
import { asPage, pageSelect, type SelectedRow } from './page';
import {
  beginningOf,
  type ClosedEvaluation,
  type HeldEvaluation,
  type OpenedEvaluation,
  outcomeAlone,
  type StateOfRow,
  silentRow,
} from './row-state';
import { type RowAtHand, RowsAtHand } from './rows-at-hand';
import { lostNote, waitingNote } from './waiting-notes';
import type { Writer } from './writer';

/** How often it is noted up to which row all have ended: a start looks only at those after that. */
const MARKED_EVERY = 500;

/** How many of the newest rows are looked through for what no index of the table has: that takes the main thread's time. */
const LOOKED_BACK = 20_000;

export class Evaluations {
  readonly #rows: RowsAtHand;
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepareEvaluations>;
  readonly #output: Output;
  readonly #longValues: LongValues;
  readonly #changed: (id: number) => void;
  #newest: number;

  /** @param changed is told of rows that have ended, or have changed since */
  constructor(writer: Writer, rows = new RowsAtHand(), changed: (id: number) => void = () => undefined) {
    this.#changed = changed;
    this.#writer = writer;
    this.#rows = rows;
    this.#statements = prepareEvaluations(writer.database);
    this.#output = new Output(writer);
    this.#longValues = new LongValues(writer.database);
    this.#newest = this.#statements.newest.get() ?? 0;
  }

  /** The row stands before this returns: in the database, or, where that cannot be written, in memory.
   * @returns the row's id; ids grow with time. Where the database could not be written and the harbor died, its rows are lost,
   * and the next harbor gives their ids again: nothing on the disk can tell it of them */
  open(asked: OpenedEvaluation): number {
    const opened = wellFormedData(asked);
    const id = ++this.#newest;
    const opening = {
      size: opened.code.length,
      run: () => {
        this.#statements.open.run({ ...opened, id });
        if (id % MARKED_EVERY === 0) this.#statements.markClosed.run(this.#rows.oldest - 1);
      },
      written: () => {
        row.onDisk = true;
      },
    };
    const row: RowAtHand = {
      ...{ opened, opening, state: beginningOf(opened) },
      ...{ packageBefore: opened.package, printed: false, onDisk: false },
    };
    this.#rows.set(id, row);
    this.#writer.write(opening);
    return id;
  }

  /** Output may still come after the row was closed. Never throws.
   * @param dropped counts characters printed right before `text` that never came */
  appendOutput(id: number, stream: Stream, text: string, dropped = 0): void {
    const row = this.#rows.get(id);
    if (row !== undefined) row.printed = true;
    this.#output.append(id, stream, wellFormed(text), dropped);
  }

  /** The row says `debugger` and what holds its evaluation, until that goes on or ends. */
  hold(id: number, told: HeldEvaluation): void {
    const { forms, size, ...held } = this.#apart(id, told);
    this.#change(id, { ...held, forms, outcome: 'debugger' });
    const columns = heldColumns(id, { ...held, forms });
    this.#writer.write({
      size: sizeOf(columns) + size,
      run: () => this.#longValues.writeWith(id, () => this.#statements.hold.run(columns)),
    });
  }

  /** A held evaluation goes on: its row says `running` again. */
  resume(id: number): void {
    this.#change(id, { outcome: 'running', condition: null });
    this.#writer.write({ size: 0, run: () => void this.#statements.resume.run(id) });
  }

  /** Closes the row and makes it searchable.
   * @returns the closed row, with its values whole */
  close(id: number, settled: ClosedEvaluation): Evaluation {
    const { size, ...closed } = this.#apart(id, settled);
    this.#output.flush();
    this.#change(id, closed);
    const row = this.#rows.get(id);
    const columns = closedColumns(id, closed);
    const kept = this.#writer.writeIfRoom({
      size: sizeOf(columns) + size,
      run: () => this.#longValues.writeWith(id, () => this.#statements.close.run(columns)),
      written: () => this.#closed(id),
    });
    const found = (row ? this.#told(id, row) : this.find(id)) ?? noRow(id);
    const answer = size === 0 ? found : { ...found, forms: wellFormedData(settled.forms) };
    return kept ? answer : { ...answer, notes: [...closed.notes, this.#giveUp(id, answer.session, closed)] };
  }

  /** The row, with its output so far while it runs. Of long values it has the beginnings. */
  find(id: number): Evaluation | null {
    const row = this.#rows.get(id);
    return row === undefined ? this.#read(id) : this.#told(id, row);
  }

  /** The row with its values whole. */
  whole(id: number): Evaluation | null {
    const row = this.find(id);
    return row && { ...row, forms: this.#longValues.whole(id, row.forms) };
  }

  /**
   * Both streams in the order they came.
   * @param offset counts all characters printed, also those since dropped
   * @param limit characters, 2 or more
   */
  output(id: number, offset: number, limit: number): OutputPage {
    return this.#output.page(id, offset, limit);
  }

  /** The end of both streams in the order they came: at most `limit` characters. */
  outputEnd(id: number, limit: number): ReturnType<Output['end']> {
    return this.#output.end(id, limit);
  }

  /** Newest first. Rows that come later do not move the pages that follow. Answered right here, without an index: for one
   * session, or among the newest rows; whoever looks for others asks `History.page`. */
  page(query: HistoryQuery): HistoryPage {
    const overlay = this.overlay(query);
    const { session, before, limit, ...narrowed } = overlay.query;
    const isNarrowed = Object.values(narrowed).some((value) => value !== undefined);
    const after = session === undefined && isNarrowed ? (before ?? this.#newest) - LOOKED_BACK : 0;
    const { sql, parameters } = pageSelect(overlay.query, after);
    const rows = this.#writer.database.prepare<(string | number)[], SelectedRow>(sql).all(...parameters);
    return laidOver(asPage(rows, overlay.query.limit), overlay, query.limit);
  }

  /** Writes what the database must have to answer the query, and tells what it has not all the same. */
  overlay(query: HistoryQuery): Overlay {
    this.#writer.flush();
    this.#output.flush();
    if (this.#writer.waiting === null) return { query, rows: [], hidden: new Set() };
    const hidden = new Set(this.#rows.ids);
    const limit = query.limit + [...hidden].filter((id) => this.#rows.get(id)?.onDisk).length;
    return { query: { ...query, limit }, rows: this.#matching(query, hidden), hidden };
  }

  /** What a session has evaluated, oldest first: the code of each row and its forms, without output. Not what was redacted: that
   * is not the text that was evaluated. */
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

  /** Closes what an earlier run left open, as crashed; when it ended is not known. Reads what came after the last mark.
   * @returns how many rows that were, as far as they could be closed at once */
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

  /** Writes what still waits, as far as that can be done. */
  flush(): void {
    this.#writer.flush();
    this.#output.flush();
  }

  #change(id: number, change: Partial<StateOfRow>): void {
    const row = this.#rows.get(id);
    if (row) row.state = { ...row.state, ...change };
  }

  /** What is told, fit for the row; its long values wait to be written with that, of which `size` is the number of characters. */
  #apart<T extends HeldEvaluation | ClosedEvaluation>(id: number, told: T): T & { size: number } {
    const fit = wellFormedData(told);
    return { ...fit, ...this.#longValues.take(id, fit.forms) };
  }

  #closed(id: number): void {
    this.#longValues.forget(id);
    this.#rows.delete(id);
    this.#changed(id);
  }

  /** There is no room for the closed row. One that the database knows as running must not stay so.
   * @returns what to tell of it */
  #giveUp(id: number, session: string, closed: ClosedEvaluation): string {
    const row = this.#rows.get(id);
    this.#longValues.forget(id);
    if (row && !row.onDisk) {
      this.#writer.drop(row.opening);
      this.#output.forget(id);
      this.#rows.delete(id);
    } else {
      const rest = outcomeAlone(closed);
      this.#change(id, rest);
      const columns = closedColumns(id, rest);
      const run = () => void this.#statements.close.run(columns);
      this.#writer.write({ size: sizeOf(columns), run, written: () => this.#closed(id) });
    }
    return lostNote(this.#rows.lose(session));
  }

  /** Newest first, one more than a page has. */
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

  /** A row at hand, with what is to be said while it cannot be written. */
  #told(id: number, { opened, state, printed }: RowAtHand): Evaluation {
    const { waiting } = this.#writer;
    const lost = this.#rows.lostOf(opened.session);
    const notes = [...(waiting ? [waitingNote(waiting)] : []), ...(lost > 0 ? [lostNote(lost)] : [])];
    const row = silentRow(
      id,
      opened,
      notes.length === 0 ? state : { ...state, notes: [...state.notes, ...notes] },
    );
    return printed ? { ...row, ...this.#printed(id), outputDropped: this.#output.dropped(id) } : row;
  }

  #printed(id: number): Pick<Evaluation, 'stdout' | 'stderr'> {
    return { stdout: this.#output.whole(id, 'stdout'), stderr: this.#output.whole(id, 'stderr') };
  }

  #read(id: number): Evaluation | null {
    this.#output.flush();
    const stored = this.#statements.find.get(id);
    return stored === undefined ? null : { ...fromStored(stored), ...this.#printed(id) };
  }
}

/** The row of an evaluation that has just been opened, as it would be read back. */
export function openRow(id: number, row: OpenedEvaluation): Evaluation {
  return silentRow(id, row, beginningOf(row));
}

function noRow(id: number): never {
  throw new HarborError('internal', `Row ${id} of the history is missing.`);
}
