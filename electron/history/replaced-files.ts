/** What files held before a tool wrote over them, so that nothing an agent replaces is lost. */
import type { Database } from 'better-sqlite3';
import { tellingWhy } from './database-errors';

export interface ReplacedFile {
  client: string;
  project: string;
  /** The real path. */
  path: string;
  bytes: Uint8Array;
  replacedAt: number;
}

/** Of one file; older ones are dropped. */
const KEPT = 100;

export class ReplacedFiles {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  /** @returns the row's id
   * @throws HarborError `data_folder_unusable` */
  add(file: ReplacedFile): number {
    return tellingWhy(this.#database.name, () => {
      const id = Number(this.#statements.add.run(file).lastInsertRowid);
      this.#statements.drop.run({ path: file.path, kept: KEPT });
      return id;
    });
  }

  find(id: number): ReplacedFile | null {
    return this.#statements.find.get(id) ?? null;
  }

  /** For what was not replaced after all. */
  remove(id: number): void {
    tellingWhy(this.#database.name, () => this.#statements.remove.run(id));
  }
}

function prepare(database: Database) {
  return {
    add: database.prepare<[ReplacedFile]>(
      `insert into replaced_files (client, project, path, bytes, replaced_at)
       values (@client, @project, @path, @bytes, @replacedAt)`,
    ),
    drop: database.prepare<[{ path: string; kept: number }]>(
      `delete from replaced_files where path = @path and id not in
         (select id from replaced_files where path = @path order by id desc limit @kept)`,
    ),
    find: database.prepare<[number], ReplacedFile>(
      'select client, project, path, bytes, replaced_at as replacedAt from replaced_files where id = ?',
    ),
    remove: database.prepare<[number]>('delete from replaced_files where id = ?'),
  };
}
