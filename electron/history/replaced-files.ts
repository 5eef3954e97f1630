/** What files held before a tool wrote over them, so that nothing an agent replaces is lost. */
import type { Database } from 'better-sqlite3';
import { HarborError } from '../contract/errors';
import type { Write, Writer } from './writer';

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
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepare>;
  /** Those that wait to be written. */
  readonly #waiting = new Map<number, ReplacedFile & { write: Write }>();
  readonly #addAndDrop: (file: ReplacedFile & { id: number }) => void;
  #newest: number;

  constructor(writer: Writer) {
    this.#writer = writer;
    const statements = prepare(writer.database);
    this.#statements = statements;
    this.#addAndDrop = writer.database.transaction((file: ReplacedFile & { id: number }) => {
      statements.add.run(file);
      statements.drop.run({ path: file.path, kept: KEPT });
    });
    this.#newest = this.#statements.newest.get() ?? 0;
  }

  /** @returns the row's id
   * @throws HarborError `data_folder_unusable` when there is no room for it, in the database or in memory: what a file
   * held must not be lost */
  add(file: ReplacedFile): number {
    const id = ++this.#newest;
    const write = {
      size: file.bytes.length,
      run: () => this.#addAndDrop({ ...file, id }),
      written: () => void this.#waiting.delete(id),
    };
    this.#waiting.set(id, { ...file, write });
    if (this.#writer.writeIfRoom(write)) return id;
    this.#waiting.delete(id);
    const because = this.#writer.waiting?.because ?? 'the history cannot be written';
    throw new HarborError(
      'data_folder_unusable',
      `What ${file.path} holds cannot be kept: ${because}, and too much waits in memory to be written. Make room, and try again.`,
    );
  }

  find(id: number): ReplacedFile | null {
    return this.#waiting.get(id) ?? this.#statements.find.get(id) ?? null;
  }

  /** For what was not replaced after all. */
  remove(id: number): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) this.#writer.drop(waiting.write);
    else this.#writer.write({ size: 0, run: () => void this.#statements.remove.run(id) });
  }
}

function prepare(database: Database) {
  return {
    newest: database
      .prepare<[], number>(`select coalesce(max(seq), 0) from sqlite_sequence where name = 'replaced_files'`)
      .pluck(),
    add: database.prepare<[ReplacedFile & { id: number }]>(
      `insert into replaced_files (id, client, project, path, bytes, replaced_at)
       values (@id, @client, @project, @path, @bytes, @replacedAt)`,
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
