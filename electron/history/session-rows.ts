/** The sessions that evaluations belong to: who opened them where, and when they ended. */
import type { Database } from 'better-sqlite3';
import type { SessionView } from '../contract/model';
import type { Writer } from './writer';

export type OpenedSession = Pick<SessionView, 'id' | 'engine' | 'name' | 'client' | 'project'> & {
  openedAt: number;
};

export class SessionRows {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#statements = prepare(writer.database);
  }

  open(session: OpenedSession): void {
    const { id, engine, name, client, project, openedAt } = session;
    const run = () => void this.#statements.open.run(id, engine, name, client, project, openedAt);
    this.#writer.write({ size: 0, run });
  }

  end(id: string, endedAt: number): void {
    this.#writer.write({ size: 0, run: () => void this.#statements.end.run(endedAt, id) });
  }

  /** Ends what an earlier run left open, at the last sign of life that its rows give. */
  endAbandoned(): void {
    this.#writer.write({ size: 0, run: () => void this.#statements.endAbandoned.run() });
  }
}

function prepare(database: Database) {
  return {
    open: database.prepare<[string, string, string, string, string, number]>(
      'insert into sessions (id, engine, name, client, project, opened_at) values (?, ?, ?, ?, ?, ?)',
    ),
    end: database.prepare<[number, string]>('update sessions set ended_at = ? where id = ?'),
    endAbandoned: database.prepare(
      `update sessions set ended_at = max(opened_at, coalesce(
         (select max(coalesce(ended_at, started_at)) from evaluations where session = sessions.id), 0))
       where ended_at is null`,
    ),
  };
}
