/** Rows whose current state is in memory: open evaluations, and rows that are not yet written. */

import type { Evaluation, HistoryPage, HistoryQuery, HistoryRow } from '../contract/model';
import { type Note, note } from '../contract/note';
import { matchingOutcomes } from './index/queries';
import type { OpenedColumns, Write } from './row-writes';
import type { Waiting } from './writer';

export interface OpenRow {
  readonly opened: OpenedEvaluation;
  /** The write that inserts the row. */
  readonly opening: Write;
  state: RowState;
  /** The initial package. */
  packageBefore: string;
  /** Whether it has output, which is stored elsewhere. */
  printed: boolean;
  /** Whether the journal or the database has the row, in any state. */
  onDisk: boolean;
}

/** Maximum closed rows whose notes are remembered. */
const MAX_MENTIONING = 200;

export class OpenRowCache {
  readonly #rows = new Map<number, OpenRow>();
  /** By session: the number of rows that were dropped. */
  readonly #lost = new Map<string, number>();
  /** By row: notes of recently closed rows that mention tools. */
  readonly #mentioning = new Map<number, readonly Note[]>();

  get(id: number): OpenRow | undefined {
    return this.#rows.get(id);
  }

  set(id: number, row: OpenRow): void {
    this.#rows.set(id, row);
  }

  /** Removes a row that the database has in its current state. */
  delete(id: number): void {
    this.#rows.delete(id);
  }

  /**
   * Counts a row of the session that was dropped.
   * @returns the number of such rows
   */
  countLost(session: string): number {
    const count = this.lostCount(session) + 1;
    this.#lost.set(session, count);
    return count;
  }

  /** Remembers notes that mention tools, for callers that poll the row soon. The database has only the facts. */
  rememberNotes(id: number, notes: readonly Note[]): void {
    if (!notes.some(({ mentions }) => mentions)) return;
    this.#mentioning.set(id, notes);
    const [oldest] = this.#mentioning.keys();
    if (this.#mentioning.size > MAX_MENTIONING && oldest !== undefined) this.#mentioning.delete(oldest);
  }

  /** Returns the notes of a closed row, if they mention tools and the row was closed recently. */
  rememberedNotes(id: number): { notes?: Note[] } {
    const notes = this.#mentioning.get(id);
    return notes ? { notes: [...notes] } : {};
  }

  lostCount(session: string): number {
    return this.#lost.get(session) ?? 0;
  }

  /** The id of the oldest row; Infinity if there is none. */
  get oldest(): number {
    return this.#rows.keys().next().value ?? Number.POSITIVE_INFINITY;
  }

  /** Oldest first. */
  get ids(): number[] {
    return [...this.#rows.keys()];
  }

  /** Returns the rows of a session, oldest first. */
  of(session: string): (OpenRow & { id: number })[] {
    return [...this.#rows]
      .filter(([, { opened }]) => opened.session === session)
      .map(([id, row]) => ({ ...row, id }));
  }
}

// The state of a row: what is known before the evaluation, while it runs, and after it.

/** The columns known before the code runs. */
export type OpenedEvaluation = Omit<OpenedColumns, 'id'>;

/** The columns that change while it runs and when it ends. */
export type RowState = Pick<
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

/** The columns of a closed row. `package` is the one after the evaluation. */
export type ClosedEvaluation = Omit<RowState, 'endedAt' | 'durationMs'> & {
  endedAt: number;
  durationMs: number;
};

/** The columns of an evaluation that is suspended in the debugger. */
export type SuspendedEvaluation = Pick<Evaluation, 'package' | 'forms' | 'warnings'> & {
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
} satisfies Omit<RowState, 'package'>;

/** Returns the state of a row that was just opened. */
export function initialState(row: Pick<OpenedEvaluation, 'package'>): RowState {
  return { ...STILL_RUNNING, package: row.package };
}

/** Returns the row of an evaluation without output. */
export function rowWithoutOutput(id: number, row: OpenedEvaluation, state: RowState): Evaluation {
  const { report, cost } = state;
  const shown: Evaluation = {
    id,
    kind: row.kind,
    session: row.session,
    engine: row.engine,
    client: row.client,
    project: row.project,
    package: state.package,
    code: row.code,
    startedAt: row.startedAt,
    outcome: state.outcome,
    forms: state.forms,
    warnings: state.warnings,
    condition: state.condition,
    notes: state.notes,
    endedAt: state.endedAt,
    durationMs: state.durationMs,
    stdout: '',
    stderr: '',
    outputDropped: 0,
  };
  if (row.parent !== undefined) shown.parent = row.parent;
  if (row.trace !== undefined) shown.trace = row.trace;
  if (report !== undefined) shown.report = report;
  if (cost !== undefined) shown.cost = cost;
  return shown;
}

/** Returns a state without values, for which memory has room. */
export function outcomeOnly({
  outcome,
  package: now,
  endedAt,
  durationMs,
}: ClosedEvaluation): ClosedEvaluation {
  const notes = [
    note(
      'history',
      'The result was dropped: the history could not be written, and too much is queued in memory.',
    ),
  ];
  return { outcome, package: now, forms: [], warnings: [], condition: null, notes, endedAt, durationMs };
}

/** Rows in memory that replace or complement a page of the database. Pure. */
export interface Overlay {
  /** The query for the database, with a limit that makes up for hidden rows. */
  query: HistoryQuery;
  /** Matching rows in memory, newest first; at most one more than a page has. */
  rows: readonly HistoryRow[];
  /** Ids of rows in the database that are out of date. */
  hidden: ReadonlySet<number>;
}

/** @param limit the limit of the requested page */
export function applyOverlay(page: HistoryPage, { rows, hidden }: Overlay, limit: number): HistoryPage {
  if (rows.length === 0 && hidden.size === 0) return page;
  const shown = new Map(page.rows.filter(({ id }) => !hidden.has(id)).map((row) => [row.id, row]));
  for (const row of rows) shown.set(row.id, row);
  const newestFirst = [...shown.values()].sort((one, other) => other.id - one.id);
  const fitting = newestFirst.slice(0, limit);
  return { rows: fitting, next: newestFirst.length > limit ? (fitting.at(-1)?.id ?? null) : null };
}

/** Reports whether the row passes the filters. */
export function rowMatches(
  { session, engine, outcome, kind, client, project, seenBy, before }: HistoryQuery,
  row: Evaluation,
): boolean {
  return (
    (session === undefined || session === row.session) &&
    (engine === undefined || engine === row.engine) &&
    (outcome === undefined || matchingOutcomes(outcome).includes(row.outcome)) &&
    (kind === undefined || kind === row.kind) &&
    (client === undefined || client === row.client) &&
    (project === undefined || project === row.project) &&
    (!seenBy || seenBy.client === row.client || seenBy.project === row.project) &&
    (before === undefined || row.id < before)
  );
}

/** Reports whether the row contains the text, as the full-text index would. */
export function textMatches(text: string, row: Evaluation): boolean {
  const { condition } = row;
  const texts = [
    row.code,
    ...row.forms.flatMap(({ values }) => values),
    row.stdout,
    row.stderr,
    ...(condition ? [condition.type, condition.message] : []),
  ];
  const wanted = text.toLowerCase();
  return texts.some((each) => each.toLowerCase().includes(wanted));
}

// Messages about rows that cannot be written.

/** The note of an evaluation whose row is queued. */
export function waitingNote({ because }: Waiting): Note {
  return note(
    'history',
    `The history cannot be written now: ${because}. This row is queued in memory and written later; it is lost if the harbor ends first.`,
  );
}

/** The note of a session with dropped rows. */
export function lostNote(count: number): Note {
  const rows = count === 1 ? 'One evaluation of this session is' : `${count} evaluations of this session are`;
  return note(
    'history',
    `${rows} missing from the history, which could not be written for too long: their definitions are not restored when the image is replaced, and are not exported.`,
  );
}

/** The message for the window and the log; null if everything is written. */
export function writingNotice(waiting: Waiting | null, lost: number): string | null {
  const missing = lost === 0 ? '' : ` ${lost} were dropped and are lost.`;
  if (waiting !== null)
    return `The history cannot be written: ${waiting.because}. Evaluation continues; ${waiting.writes} writes are queued in memory and written later, in order.${missing}`;
  return lost === 0 ? null : `The history could not be written for a while: ${lost} writes are lost.`;
}

/** The message for the window and the log about a damaged file. */
export function damageNotice(file: string, verdict: string): string {
  return `The history in ${file} is damaged (${verdict}). The readable part stays in use; the next start moves the file aside and creates a new one.`;
}

/** The message for the user about damaged files of the journal. */
export function journalNotice(files: readonly string[]): string {
  return `Parts of the history's journal could not be read, and their records are lost. The damaged files are kept: ${files.join(', ')}. All other records are in the history.`;
}
