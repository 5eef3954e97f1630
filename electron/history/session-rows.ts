/** The sessions that evaluations belong to: who opened them where, what is kept of them, and when they ended. */
import type { Database } from 'better-sqlite3';
import type { SessionView } from '../contract/model';
import type { Write, Writer } from './writer';

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
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepare>;
  /** By session, what waits to be written by `keep`. */
  readonly #keeping = new Map<string, Write>();

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#statements = prepare(writer.database);
  }

  /** @param kept what a later harbor needs to bring it back, as text; null: it ends with this one */
  open(session: OpenedSession, kept: string | null): void {
    const { id, engine, name, client, project, openedAt } = session;
    const run = () => void this.#statements.open.run(id, engine, name, client, project, openedAt, kept);
    this.#writer.write({ size: kept?.length ?? 0, run });
  }

  /** Of what could not be written yet, only the newest counts. */
  keep(id: string, kept: string): void {
    const before = this.#keeping.get(id);
    if (before) this.#writer.drop(before);
    const write = {
      size: kept.length,
      run: () => void this.#statements.keep.run(kept, id),
      written: () => void this.#keeping.delete(id),
    };
    this.#keeping.set(id, write);
    this.#writer.write(write);
  }

  end(id: string, endedAt: number): void {
    this.#writer.write({ size: 0, run: () => void this.#statements.end.run(endedAt, id) });
  }

  /** Those that are kept and have not ended, oldest first. */
  left(): LeftSession[] {
    return this.#statements.left.all();
  }

  /** Ends what an earlier run left open and did not keep, at the last sign of life that its rows give. */
  endAbandoned(): void {
    this.#writer.write({ size: 0, run: () => void this.#statements.endAbandoned.run() });
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
