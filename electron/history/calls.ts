/** The table of tool calls, including refused ones: client, endpoint, arguments and result. */
import type { Database } from 'better-sqlite3';
import type { CallRecord } from '../contract/history';
import { wellFormedData } from '../host/json';
import { callOutcome } from './index/entries';
import { Redaction } from './redaction';
import { type ClosedCall, type OpenedCall, rowWrite } from './row-writes';
import type { Writer } from './writer';

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
    this.#newest = Math.max(this.#statements.newest.get() ?? 0, writer.newestRecorded.call);
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
    const write = rowWrite(['openCall', { id, ...wellFormedData(recorded) }]);
    if (evaluates) this.#writer.writeSoonIfRoom(write, 1);
    else this.#writer.writeIfRoom(write);
    return id;
  }

  /** Returns the row; null if there is none. */
  find(id: number): CallRecord | null {
    this.#writer.settle();
    const row = this.#statements.find.get(id);
    if (!row) return null;
    const { trace, outcome, ...rest } = row;
    return {
      ...rest,
      outcome: callOutcome(outcome, row.errorCode),
      ...(trace === null ? {} : { trace: JSON.parse(trace) }),
    };
  }

  close(id: number, call: ClosedCall): void {
    const closed = wellFormedData({ ...call, answer: call.answer && this.#redaction.text(call.answer) });
    const write = rowWrite(['closeCall', { id, ...closed }]);
    // The row of the evaluation has its outcome by now. Other calls are seldom, and the window lists them at once.
    if (closed.evaluation !== null) this.#writer.writeSoonIfRoom(write, LINKED_WITHIN_MS);
    else if (this.#writer.writeIfRoom(write)) {
      this.#writer.settle();
      this.#onClosed?.();
    }
  }
}

function prepare(database: Database) {
  return {
    newest: database.prepare<[], number>('select coalesce(max(id), 0) from calls').pluck(),
    find: database.prepare<
      [number],
      Omit<CallRecord, 'outcome' | 'trace'> & { outcome: string | null; trace: string | null }
    >(
      `select id, endpoint, client, tool, arguments, session, outcome, error_code as errorCode, answer,
         started_at as startedAt, duration_ms as durationMs, evaluation, trace
       from calls where id = ?`,
    ),
  };
}
