/**
 * The writes of evaluations, their output and calls, as data: so they can wait in memory or in the journal, and
 * run on any connection.
 */

import type { Database, Statement } from 'better-sqlite3';
import type { ErrorCode } from '../contract/errors';
import type { Evaluation, Stream } from '../contract/model';
import type { TraceContext } from '../contract/trace-context';
import { beginning, type LongValue, pieces } from './long-text';

/** The columns known before the code runs. */
export type OpenedColumns = Pick<
  Evaluation,
  | 'id'
  | 'kind'
  | 'parent'
  | 'session'
  | 'engine'
  | 'client'
  | 'project'
  | 'package'
  | 'code'
  | 'startedAt'
  | 'trace'
>;

/** The columns of a row that ended. Lists are JSON. */
export type ClosedColumns = Pick<Evaluation, 'id' | 'outcome' | 'package'> & {
  endedAt: number;
  durationMs: number;
  forms: string;
  warnings: string;
  condition: string | null;
  notes: string;
  report: string | null;
  cost: string | null;
};

/** The columns of a row that waits in the debugger. */
export type SuspendedColumns = Pick<ClosedColumns, 'id' | 'package' | 'forms' | 'warnings' | 'condition'>;

export interface OpenedCall {
  endpoint: string;
  client: string;
  tool: string;
  /** JSON, without secrets. */
  arguments: string;
  startedAt: number;
  /** The session named in the arguments. */
  session: string | null;
  trace?: TraceContext;
}

export interface ClosedCall {
  outcome: 'ok' | 'error';
  errorCode: ErrorCode | null;
  durationMs: number;
  /** The id of the evaluation that the call made, if any. */
  evaluation: number | null;
  /** The beginning of the answer if the call evaluated nothing; else null. */
  answer: string | null;
}

/** Text with the number of lost characters right before it. */
export interface Printed {
  stream: Stream;
  text: string;
  dropped: number;
}

/** Output of an evaluation, in order; `lost` counts dropped characters after the last piece. */
export interface PrintedOutput {
  evaluation: number;
  printed: readonly Printed[];
  lost: number;
}

/** The kinds of writes with their data, which is JSON. */
export interface RowWriteData {
  /** `closedUpTo`: no row up to this id is open; null: not to be marked. */
  open: { row: OpenedColumns; closedUpTo: number | null };
  began: { id: number; package: string };
  suspend: { row: SuspendedColumns; long: readonly LongValue[] };
  resume: { id: number };
  close: { row: ClosedColumns; long: readonly LongValue[] };
  output: PrintedOutput;
  openCall: OpenedCall & { id: number };
  closeCall: ClosedCall & { id: number };
}

export type RowWrite = { [K in keyof RowWriteData]: readonly [K, RowWriteData[K]] }[keyof RowWriteData];

/** Characters stored at each end of an evaluation's output, plus at most one chunk. */
export const RETAINED_AT_EACH_END = 2 * 1024 * 1024;
/** Maximum characters of a chunk of output. */
export const CHUNK = 16 * 1024;

/** A stored chunk; `sequence` is its offset in all printed output. */
export interface Chunk {
  sequence: number;
  stream: Stream;
  characters: number;
  text: string;
}

export function endOf({ sequence, characters }: Pick<Chunk, 'sequence' | 'characters'>): number {
  return sequence + characters;
}

/** A write. It runs in a transaction and must tolerate another run if the transaction failed. */
export type Write = {
  /** The approximate number of characters. */
  size: number;
  /** Called when the journal has it. */
  recorded?(): void;
  /** Called when it is in the database. */
  written?(): void;
} & ({ data: RowWrite } | { run(): void });

/** Returns a write that the journal can record. */
export function rowWrite(data: RowWrite, callbacks: Pick<Write, 'recorded' | 'written'> = {}): Write {
  return { data, size: sizeOf(data), ...callbacks };
}

/** Bytes of a queued write in addition to its texts. */
const OVERHEAD = 512;

/** Returns the approximate bytes of a queued write. */
export function weightOf({ size }: Write): number {
  return 2 * size + OVERHEAD;
}

export class RowWrites {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #runs: { readonly [K in keyof RowWriteData]: (data: RowWriteData[K]) => void };

  constructor(database: Database) {
    const statements = prepare(database);
    this.#statements = statements;
    this.#runs = {
      open: ({ row, closedUpTo }) => {
        statements.open.run({ ...withTrace(row), parent: row.parent ?? null });
        if (closedUpTo !== null) statements.markClosed.run(closedUpTo);
      },
      began: (row) => void statements.began.run(row.package, row.id),
      suspend: ({ row, long }) => this.#withLongValues(statements.suspend, row, long),
      resume: ({ id }) => void statements.resume.run(id),
      close: ({ row, long }) => this.#withLongValues(statements.close, row, long),
      output: (output) => this.#print(output),
      openCall: (row) => void statements.openCall.run(withTrace(row)),
      closeCall: (row) => void statements.closeCall.run(row),
    };
  }

  /** Runs a write, in the transaction of the caller if it consists of several statements. */
  run<K extends keyof RowWriteData>([kind, data]: readonly [K, RowWriteData[K]]): void {
    this.#runs[kind](data);
  }

  #withLongValues<T extends { id: number }>(
    statement: Statement<[T]>,
    row: T,
    long: readonly LongValue[],
  ): void {
    statement.run(row);
    for (const value of long) this.#statements.addLong.run({ evaluation: row.id, ...value });
  }

  /** Adds chunks after those in the database, and drops those that are in the middle by now. */
  #print({ evaluation, printed, lost }: PrintedOutput): void {
    const { lastChunk, addChunk, dropChunks, countDropped } = this.#statements;
    let last = lastChunk.get(evaluation) ?? { sequence: 0, stream: 'stdout', characters: 0 };
    let removed = lost;
    for (const { stream, text, dropped } of printed) {
      if (dropped > 0) last = { stream, sequence: endOf(last) + dropped, characters: 0 };
      removed += dropped;
      const room = last.stream === stream ? CHUNK - last.characters : 0;
      for (const piece of fill(text, room)) {
        const sequence = piece.joins ? last.sequence : endOf(last);
        addChunk.run(evaluation, sequence, stream, piece.text.length, piece.text);
        last = { sequence, stream, characters: (piece.joins ? last.characters : 0) + piece.text.length };
      }
    }
    const retainedFrom = endOf(last) - RETAINED_AT_EACH_END;
    const middle = dropChunks.all(evaluation, RETAINED_AT_EACH_END, retainedFrom, retainedFrom);
    for (const { characters } of middle) removed += characters;
    if (removed > 0) countDropped.run(removed, evaluation);
  }
}

/** Splits text into chunks: first a piece that fits the last chunk's `room`, then new chunks. */
function* fill(text: string, room: number): Generator<{ text: string; joins: boolean }> {
  const joined = room < 2 ? '' : beginning(text, room);
  if (joined !== '') yield { text: joined, joins: true };
  for (const piece of pieces(text.slice(joined.length), CHUNK)) yield { text: piece, joins: false };
}

type WithTrace<Row> = Omit<Row, 'trace'> & { trace: string | null };

/** Returns the row with its trace as JSON. Rows of an older journal have none. */
function withTrace<Row extends { trace?: TraceContext | undefined }>({ trace, ...row }: Row): WithTrace<Row> {
  return { ...row, trace: trace === undefined ? null : JSON.stringify(trace) };
}

function prepare(database: Database) {
  return {
    open: database.prepare<[Omit<WithTrace<OpenedColumns>, 'parent'> & { parent: number | null }]>(
      `insert into evaluations (id, kind, parent, session, engine, client, project, package, package_before, code, outcome, started_at, trace)
       values (@id, @kind, @parent, @session, @engine, @client, @project, @package, @package, @code, 'running', @startedAt, @trace)`,
    ),
    markClosed: database.prepare<[number]>(`update marks set value = ? where name = 'closed'`),
    began: database.prepare<[string, number]>('update evaluations set package_before = ? where id = ?'),
    suspend: database.prepare<[SuspendedColumns]>(
      `update evaluations set outcome = 'debugger', package = @package, forms = @forms, warnings = @warnings,
         condition = @condition
       where id = @id`,
    ),
    resume: database.prepare<[number]>(
      `update evaluations set outcome = 'running', condition = null where id = ?`,
    ),
    close: database.prepare<[ClosedColumns]>(
      `update evaluations set outcome = @outcome, package = @package, forms = @forms, warnings = @warnings,
         condition = @condition, notes = @notes, report = @report, cost = @cost, ended_at = @endedAt, duration_ms = @durationMs
       where id = @id`,
    ),
    addLong: database.prepare<[LongValue & { evaluation: number }]>(
      'insert or replace into long_values (evaluation, form, value, text) values (@evaluation, @form, @value, @text)',
    ),
    lastChunk: database.prepare<[number], Omit<Chunk, 'text'>>(
      'select sequence, stream, characters from output where evaluation = ? order by sequence desc limit 1',
    ),
    addChunk: database.prepare<[number, number, Stream, number, string]>(
      `insert into output (evaluation, sequence, stream, characters, text) values (?, ?, ?, ?, ?)
       on conflict do update set characters = characters + excluded.characters, text = text || excluded.text`,
    ),
    dropChunks: database.prepare<[number, number, number, number], Pick<Chunk, 'characters'>>(
      `delete from output where evaluation = ? and sequence >= ? and sequence < ? and sequence + characters <= ?
       returning characters`,
    ),
    countDropped: database.prepare<[number, number]>(
      'update evaluations set output_dropped = output_dropped + ? where id = ?',
    ),
    openCall: database.prepare<[WithTrace<OpenedCall & { id: number }>]>(
      `insert into calls (id, endpoint, client, tool, arguments, session, started_at, trace)
       values (@id, @endpoint, @client, @tool, @arguments, @session, @startedAt, @trace)`,
    ),
    closeCall: database.prepare<[ClosedCall & { id: number }]>(
      // The row of the evaluation may have been dropped.
      `update calls set outcome = @outcome, error_code = @errorCode, duration_ms = @durationMs, answer = @answer,
         evaluation = (select id from evaluations where id = @evaluation)
       where id = @id`,
    ),
  };
}

/** Returns the number of characters of a write, approximately. */
function sizeOf([, data]: RowWrite): number {
  if ('printed' in data) return data.printed.reduce((sum, { text }) => sum + text.length, 0);
  if ('arguments' in data) return data.arguments.length;
  if ('answer' in data) return data.answer?.length ?? 0;
  if ('closedUpTo' in data) return data.row.code.length;
  if (!('long' in data)) return 0;
  const { forms, warnings, condition } = data.row;
  const report = 'report' in data.row ? (data.row.report?.length ?? 0) + data.row.notes.length : 0;
  const long = data.long.reduce((sum, { text }) => sum + text.length, 0);
  return forms.length + warnings.length + (condition?.length ?? 0) + report + long;
}
