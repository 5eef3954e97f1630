/** Every call of a tool, also the refused ones: who asked for what, through which endpoint, and how it went. */
import type { Database } from 'better-sqlite3';
import type { ErrorCode } from '../contract/errors';
import { wellFormedData } from '../host/well-formed';
import type { Writer } from './writer';

export interface OpenedCall {
  endpoint: string;
  client: string;
  tool: string;
  /** JSON, without secrets. */
  arguments: string;
  startedAt: number;
}

export interface ClosedCall {
  outcome: 'ok' | 'error';
  errorCode: ErrorCode | null;
  durationMs: number;
  /** The row of the history that the call made, if it made one. */
  evaluation: number | null;
}

export class Calls {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepare>;
  #newest: number;

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#statements = prepare(writer.database);
    this.#newest = this.#statements.newest.get() ?? 0;
  }

  /** Written before the call begins, so that one the harbor does not outlive is on record too. */
  open(call: OpenedCall): number {
    const id = ++this.#newest;
    const run = () => void this.#statements.open.run({ id, ...wellFormedData(call) });
    this.#writer.writeIfRoom({ size: call.arguments.length, run });
    return id;
  }

  close(id: number, call: ClosedCall): void {
    this.#writer.writeIfRoom({ size: 0, run: () => void this.#statements.close.run({ id, ...call }) });
  }
}

function prepare(database: Database) {
  return {
    newest: database.prepare<[], number>('select coalesce(max(id), 0) from calls').pluck(),
    open: database.prepare<[OpenedCall & { id: number }]>(
      `insert into calls (id, endpoint, client, tool, arguments, started_at)
       values (@id, @endpoint, @client, @tool, @arguments, @startedAt)`,
    ),
    close: database.prepare<[ClosedCall & { id: number }]>(
      // The evaluation's own row may have found no room.
      `update calls set outcome = @outcome, error_code = @errorCode, duration_ms = @durationMs,
         evaluation = (select id from evaluations where id = @evaluation)
       where id = @id`,
    ),
  };
}
