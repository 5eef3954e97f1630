/** The table of tool calls, including refused ones: client, endpoint, arguments and result. */
import type { Database } from 'better-sqlite3';
import type { ErrorCode } from '../contract/errors';
import type { CallRecord } from '../contract/history';
import { wellFormedData } from '../host/json';
import { callOutcome } from './index/entries';
import { Redaction } from './redaction';
import type { Writer } from './writer';

export interface OpenedCall {
  endpoint: string;
  client: string;
  tool: string;
  /** JSON, without secrets. */
  arguments: string;
  startedAt: number;
  /** The session named in the arguments. */
  session: string | null;
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

/** Maximum milliseconds until the row of a call names its evaluation and its end. */
const LINKED_WITHIN_MS = 100;

export class Calls {
  readonly #writer: Writer;
  readonly #redaction: Redaction;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #onClosed: (() => void) | undefined;
  #newest: number;

  /** @param recorded called when a call that evaluated nothing has ended */
  constructor(writer: Writer, redaction = new Redaction(), recorded?: () => void) {
    this.#redaction = redaction;
    this.#onClosed = recorded;
    this.#writer = writer;
    this.#statements = prepare(writer.database);
    this.#newest = this.#statements.newest.get() ?? 0;
  }

  /** The id of the newest call. */
  get newest(): number {
    return this.#newest;
  }

  /**
   * Writes the row before the call begins, so that it is on record if the harbor crashes. For a call that
   * `evaluates`, it is written together with the row of the evaluation.
   */
  open(call: OpenedCall, { evaluates = false } = {}): number {
    const id = ++this.#newest;
    const recorded = { ...call, arguments: this.#redaction.json(call.arguments) };
    const run = () => void this.#statements.open.run({ id, ...wellFormedData(recorded) });
    const write = { size: call.arguments.length, run };
    if (evaluates) this.#writer.writeSoonIfRoom(write, 1);
    else this.#writer.writeIfRoom(write);
    return id;
  }

  /** Returns the row; null if there is none. */
  find(id: number): CallRecord | null {
    this.#writer.flush();
    const row = this.#statements.find.get(id);
    return row ? { ...row, outcome: callOutcome(row.outcome, row.errorCode) } : null;
  }

  close(id: number, call: ClosedCall): void {
    const closed = wellFormedData({ ...call, answer: call.answer && this.#redaction.text(call.answer) });
    const run = () => void this.#statements.close.run({ id, ...closed });
    const write = { size: closed.answer?.length ?? 0, run };
    // The row of the evaluation has its outcome by now.
    if (closed.evaluation !== null) this.#writer.writeSoonIfRoom(write, LINKED_WITHIN_MS);
    else if (this.#writer.writeIfRoom(write)) this.#onClosed?.();
  }
}

function prepare(database: Database) {
  return {
    newest: database.prepare<[], number>('select coalesce(max(id), 0) from calls').pluck(),
    open: database.prepare<[OpenedCall & { id: number }]>(
      `insert into calls (id, endpoint, client, tool, arguments, session, started_at)
       values (@id, @endpoint, @client, @tool, @arguments, @session, @startedAt)`,
    ),
    close: database.prepare<[ClosedCall & { id: number }]>(
      // The row of the evaluation may have been dropped.
      `update calls set outcome = @outcome, error_code = @errorCode, duration_ms = @durationMs, answer = @answer,
         evaluation = (select id from evaluations where id = @evaluation)
       where id = @id`,
    ),
    find: database.prepare<[number], Omit<CallRecord, 'outcome'> & { outcome: string | null }>(
      `select id, endpoint, client, tool, arguments, session, outcome, error_code as errorCode, answer,
         started_at as startedAt, duration_ms as durationMs, evaluation
       from calls where id = ?`,
    ),
  };
}
