/** Every call of a tool, also the refused ones: who asked for what, through which endpoint, and how it went. */
import type { Database } from 'better-sqlite3';
import type { ErrorCode } from '../contract/errors';
import { wellFormedData } from '../host/well-formed';
import { tellingWhy } from './database-errors';

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
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  /** Written before the call begins, so that one the harbor does not outlive is on record too.
   * @throws HarborError `data_folder_unusable` */
  open(call: OpenedCall): number {
    return tellingWhy(this.#database.name, () =>
      Number(this.#statements.open.run(wellFormedData(call)).lastInsertRowid),
    );
  }

  close(id: number, call: ClosedCall): void {
    tellingWhy(this.#database.name, () => this.#statements.close.run({ id, ...call }));
  }
}

function prepare(database: Database) {
  return {
    open: database.prepare<[OpenedCall]>(
      `insert into calls (endpoint, client, tool, arguments, started_at)
       values (@endpoint, @client, @tool, @arguments, @startedAt)`,
    ),
    close: database.prepare<[ClosedCall & { id: number }]>(
      `update calls set outcome = @outcome, error_code = @errorCode, duration_ms = @durationMs, evaluation = @evaluation
       where id = @id`,
    ),
  };
}
