/** Every call of a tool, also the refused ones: who asked for what, through which endpoint, and how it went. */
import type { Database } from 'better-sqlite3';
import type { ErrorCode } from '../contract/errors';
import type { CallRecord } from '../contract/history';
import { wellFormedData } from '../host/well-formed';
import { callOutcome } from './index/call-line';
import { Redaction } from './redaction';
import type { Writer } from './writer';

export interface OpenedCall {
  endpoint: string;
  client: string;
  tool: string;
  /** JSON, without secrets. */
  arguments: string;
  startedAt: number;
  /** The session that it names. */
  session: string | null;
}

export interface ClosedCall {
  outcome: 'ok' | 'error';
  errorCode: ErrorCode | null;
  durationMs: number;
  /** The row of the history that the call made, if it made one. */
  evaluation: number | null;
  /** The beginning of what it was answered, for one that evaluated nothing; else null. */
  answer: string | null;
}

/** How long the row of a call may not know yet which evaluation it made, and that it is over. */
const LINKED_WITHIN_MS = 100;

export class Calls {
  readonly #writer: Writer;
  readonly #redaction: Redaction;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #told: (() => void) | undefined;
  #newest: number;

  /** @param told is called when one has ended that evaluated nothing */
  constructor(writer: Writer, redaction = new Redaction(), told?: () => void) {
    this.#redaction = redaction;
    this.#told = told;
    this.#writer = writer;
    this.#statements = prepare(writer.database);
    this.#newest = this.#statements.newest.get() ?? 0;
  }

  /** The newest call of all. */
  get newest(): number {
    return this.#newest;
  }

  /** Written before the call begins, so that one the harbor does not outlive is on record too; for one that `evaluates` it is
   * enough that it stands with the row of its evaluation, before code runs. */
  open(call: OpenedCall, { evaluates = false } = {}): number {
    const id = ++this.#newest;
    const told = { ...call, arguments: this.#redaction.json(call.arguments) };
    const run = () => void this.#statements.open.run({ id, ...wellFormedData(told) });
    const write = { size: call.arguments.length, run };
    if (evaluates) this.#writer.writeSoonIfRoom(write, 1);
    else this.#writer.writeIfRoom(write);
    return id;
  }

  /** The whole row; null where there is none. */
  find(id: number): CallRecord | null {
    this.#writer.flush();
    const row = this.#statements.find.get(id);
    return row ? { ...row, outcome: callOutcome(row.outcome, row.errorCode) } : null;
  }

  close(id: number, call: ClosedCall): void {
    const closed = wellFormedData({ ...call, answer: call.answer && this.#redaction.text(call.answer) });
    const run = () => void this.#statements.close.run({ id, ...closed });
    const write = { size: closed.answer?.length ?? 0, run };
    // What became of an evaluation stands in its own row by now.
    if (closed.evaluation !== null) this.#writer.writeSoonIfRoom(write, LINKED_WITHIN_MS);
    else if (this.#writer.writeIfRoom(write)) this.#told?.();
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
      // The evaluation's own row may have found no room.
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
