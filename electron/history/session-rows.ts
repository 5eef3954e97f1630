/** The sessions that evaluations belong to: who opened them where, and when they ended. */
import type { Database } from 'better-sqlite3';
import type { SessionView } from '../contract/model';
import { tellingWhy } from './database-errors';

export type OpenedSession = Pick<SessionView, 'id' | 'engine' | 'name' | 'client' | 'project'> & {
  openedAt: number;
};

export class SessionRows {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  /** @throws HarborError `data_folder_unusable` */
  open(session: OpenedSession): void {
    const { id, engine, name, client, project, openedAt } = session;
    tellingWhy(this.#database.name, () =>
      this.#statements.open.run(id, engine, name, client, project, openedAt),
    );
  }

  end(id: string, endedAt: number): void {
    tellingWhy(this.#database.name, () => this.#statements.end.run(endedAt, id));
  }

  /** Ends what an earlier run left open, at the last sign of life that its rows give. */
  endAbandoned(): void {
    this.#statements.endAbandoned.run();
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
