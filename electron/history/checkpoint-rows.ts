/** The saved states of sessions; their files lie beside the database. */
import type { Database } from 'better-sqlite3';
import type { CheckpointView } from '../contract/checkpoints';
import { tellingWhy } from './database-errors';

export type SavedCheckpoint = Omit<CheckpointView, 'id' | 'usedBy'> & { file: string };
export type CheckpointRow = SavedCheckpoint & { id: number };

/** A row as it lies in the table: sentences are JSON. */
type StoredCheckpoint = Omit<CheckpointRow, 'missing'> & { missing: string };

export class CheckpointRows {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  /** @returns the row's id
   * @throws HarborError `data_folder_unusable` */
  add(checkpoint: SavedCheckpoint): number {
    const stored = { ...checkpoint, missing: JSON.stringify(checkpoint.missing) };
    return tellingWhy(this.#database.name, () => Number(this.#statements.add.run(stored).lastInsertRowid));
  }

  /** Newest first. */
  all(): CheckpointRow[] {
    return this.#statements.all.all().map((row) => ({ ...row, missing: JSON.parse(row.missing) }));
  }

  remove(id: number): void {
    tellingWhy(this.#database.name, () => this.#statements.remove.run(id));
  }
}

function prepare(database: Database) {
  return {
    add: database.prepare<[Omit<StoredCheckpoint, 'id'>]>(
      `insert into checkpoints
         (name, session, engine, client, project, package, file, bytes, missing, saved_at, saved_after)
       values (@name, @session, @engine, @client, @project, @package, @file, @bytes, @missing, @savedAt, @savedAfter)`,
    ),
    all: database.prepare<[], StoredCheckpoint>(
      `select id, name, session, engine, client, project, package, file, bytes, missing, saved_at as savedAt,
         saved_after as savedAfter
       from checkpoints order by id desc`,
    ),
    remove: database.prepare<[number]>('delete from checkpoints where id = ?'),
  };
}
