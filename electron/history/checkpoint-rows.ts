/** The saved states of sessions; their files lie beside the database. They are few, and all of them are in memory. */
import type { Database } from 'better-sqlite3';
import type { CheckpointView } from '../contract/checkpoints';
import type { Writer } from './writer';

export type SavedCheckpoint = Omit<CheckpointView, 'id' | 'usedBy'> & { file: string };
export type CheckpointRow = SavedCheckpoint & { id: number };

/** A row as it lies in the table: sentences are JSON. */
type StoredCheckpoint = Omit<CheckpointRow, 'missing'> & { missing: string };

export class CheckpointRows {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepare>;
  #rows: CheckpointRow[];
  #newest: number;

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#statements = prepare(writer.database);
    this.#rows = this.#statements.all.all().map((row) => ({ ...row, missing: JSON.parse(row.missing) }));
    this.#newest = this.#statements.newest.get() ?? 0;
  }

  /** @returns the row's id */
  add(checkpoint: SavedCheckpoint): number {
    const row = { ...checkpoint, id: ++this.#newest };
    this.#rows = [row, ...this.#rows];
    const missing = JSON.stringify(checkpoint.missing);
    const run = () => void this.#statements.add.run({ ...row, missing });
    this.#writer.write({ size: missing.length, run });
    return row.id;
  }

  /** Newest first. */
  all(): CheckpointRow[] {
    return this.#rows;
  }

  remove(id: number): void {
    this.#rows = this.#rows.filter((row) => row.id !== id);
    this.#writer.write({ size: 0, run: () => void this.#statements.remove.run(id) });
  }
}

function prepare(database: Database) {
  return {
    newest: database
      .prepare<[], number>(`select coalesce(max(seq), 0) from sqlite_sequence where name = 'checkpoints'`)
      .pluck(),
    add: database.prepare<[StoredCheckpoint]>(
      `insert into checkpoints
         (id, name, session, engine, client, project, package, file, bytes, missing, saved_at, saved_after)
       values (@id, @name, @session, @engine, @client, @project, @package, @file, @bytes, @missing, @savedAt, @savedAfter)`,
    ),
    all: database.prepare<[], StoredCheckpoint>(
      `select id, name, session, engine, client, project, package, file, bytes, missing, saved_at as savedAt,
         saved_after as savedAfter
       from checkpoints order by id desc`,
    ),
    remove: database.prepare<[number]>('delete from checkpoints where id = ?'),
  };
}
