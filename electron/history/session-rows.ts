/** The sessions that evaluations belong to: who opened them where, what is kept of them, and when they ended. */
import type { Database } from 'better-sqlite3';
import type { SessionView } from '../contract/model';
import { tellingWhy } from './database-errors';

export type OpenedSession = Pick<SessionView, 'id' | 'engine' | 'name' | 'client' | 'project'> & {
  openedAt: number;
};

/** A session that an earlier harbor did not end. */
export interface LeftSession extends OpenedSession {
  /** As it was written by `keep`. */
  kept: string;
  /** Its newest evaluation, and when that ended or at least began; 0 and when it was opened where there is none. */
  newestRow: number;
  lastUsedAt: number;
}

export class SessionRows {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  /** @param kept what a later harbor needs to bring it back, as text; null: it ends with this one
   * @throws HarborError `data_folder_unusable` */
  open(session: OpenedSession, kept: string | null): void {
    const { id, engine, name, client, project, openedAt } = session;
    tellingWhy(this.#database.name, () =>
      this.#statements.open.run(id, engine, name, client, project, openedAt, kept),
    );
  }

  /** @throws HarborError `data_folder_unusable` */
  keep(id: string, kept: string): void {
    tellingWhy(this.#database.name, () => this.#statements.keep.run(kept, id));
  }

  end(id: string, endedAt: number): void {
    tellingWhy(this.#database.name, () => this.#statements.end.run(endedAt, id));
  }

  /** Those that are kept and have not ended, oldest first. */
  left(): LeftSession[] {
    return this.#statements.left.all();
  }

  /** Ends what an earlier run left open and did not keep, at the last sign of life that its rows give. */
  endAbandoned(): void {
    this.#statements.endAbandoned.run();
  }
}

function prepare(database: Database) {
  return {
    open: database.prepare<[string, string, string, string, string, number, string | null]>(
      'insert into sessions (id, engine, name, client, project, opened_at, kept) values (?, ?, ?, ?, ?, ?, ?)',
    ),
    keep: database.prepare<[string, string]>('update sessions set kept = ? where id = ?'),
    end: database.prepare<[number, string]>('update sessions set ended_at = ? where id = ?'),
    left: database.prepare<[], LeftSession>(
      `select sessions.id, sessions.engine, name, sessions.client, sessions.project, opened_at as openedAt, kept,
         coalesce(newest.id, 0) as newestRow,
         coalesce(newest.ended_at, newest.started_at, opened_at) as lastUsedAt
       from sessions left join evaluations as newest
         on newest.id = (select max(id) from evaluations where session = sessions.id)
       where sessions.ended_at is null and kept is not null
       order by opened_at, sessions.rowid`,
    ),
    endAbandoned: database.prepare(
      `update sessions set ended_at = max(opened_at, coalesce(
         (select max(coalesce(ended_at, started_at)) from evaluations where session = sessions.id), 0))
       where ended_at is null and kept is null`,
    ),
  };
}
