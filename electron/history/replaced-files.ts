/** The files that tools wrote, with their earlier content, so that nothing an agent replaces is lost. */
import type { Database } from 'better-sqlite3';
import { HarborError } from '../contract/errors';
import type { Write } from './row-writes';
import type { Writer } from './writer';

export interface ReplacedFile {
  client: string;
  project: string;
  /** The real path. */
  path: string;
  /** Empty for a new file. */
  bytes: Uint8Array;
  replacedAt: number;
  /** Whether the file is new. */
  created?: boolean;
  /** The session for which it was written, if known. */
  session?: string | undefined;
}

/** A written file and the id of its earlier content. */
export interface WrittenFile extends Pick<ReplacedFile, 'client' | 'path' | 'replacedAt'> {
  id: number;
  created: boolean;
}

/** An earlier content of a file: who replaced it, and when. */
export interface FileVersion extends Pick<ReplacedFile, 'client' | 'replacedAt'> {
  id: number;
  session: string | null;
}

/** Selects files written for a session, or by a client in a project without a session. */
export interface WrittenFor {
  session: string;
  client: string;
  project: string;
  /** Written at this time or later. */
  from: number;
}

/** Maximum versions of one file; older ones are deleted. */
const MAX_VERSIONS = 100;

export class ReplacedFiles {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepare>;
  /** Rows that are not yet written. */
  readonly #waiting = new Map<number, ReplacedFile & { write: Write }>();
  /** The hashes of contents that were written by this process, by the row of what each replaced. */
  readonly #hashes = new Map<number, string>();
  readonly #addAndDrop: (file: StoredFile) => void;
  #newest: number;

  constructor(writer: Writer) {
    this.#writer = writer;
    const statements = prepare(writer.database);
    this.#statements = statements;
    this.#addAndDrop = writer.database.transaction((file: StoredFile) => {
      statements.add.run(file);
      statements.drop.run({ path: file.path, kept: MAX_VERSIONS });
    });
    this.#newest = this.#statements.newest.get() ?? 0;
  }

  /**
   * @returns the id of the row
   * @throws HarborError `data_folder_unusable` if neither the database nor memory has room: the earlier
   *   content must not be lost
   */
  add(file: ReplacedFile): number {
    const id = ++this.#newest;
    const write = {
      size: file.bytes.length,
      run: () => this.#addAndDrop(stored(file, id)),
      written: () => void this.#waiting.delete(id),
    };
    this.#waiting.set(id, { ...file, write });
    if (this.#writer.writeIfRoom(write)) return id;
    this.#waiting.delete(id);
    const because = this.#writer.waiting?.because ?? 'the history cannot be written';
    throw new HarborError(
      'data_folder_unusable',
      `The content of ${file.path} cannot be saved: ${because}, and too much is queued in memory. Free disk space, and try again.`,
    );
  }

  find(id: number): ReplacedFile | null {
    return this.#waiting.get(id) ?? this.#statements.find.get(id) ?? null;
  }

  /** Oldest first. */
  writtenFor(selection: WrittenFor): WrittenFile[] {
    const waiting = [...this.#waiting].flatMap(([id, file]) => {
      const { client, path, replacedAt, created = false } = file;
      return isFor(file, selection) ? [{ id, client, path, replacedAt, created }] : [];
    });
    const written = this.#statements.writtenFor.all(selection);
    return [...written.map((row) => ({ ...row, created: row.created === 1 })), ...waiting];
  }

  /** Records the hash of the content that replaced that of the row. */
  wrote(id: number, hash: string): void {
    this.#hashes.set(id, hash);
  }

  /** Returns null for a content that an earlier process wrote. */
  hashAfter(id: number): string | null {
    return this.#hashes.get(id) ?? null;
  }

  /** Returns the earlier contents of a file, by its real path, oldest first. */
  versionsOf(path: string): FileVersion[] {
    const waiting = [...this.#waiting].flatMap(([id, { client, replacedAt, session = null, ...file }]) =>
      file.path === path ? [{ id, client, replacedAt, session }] : [],
    );
    const known = new Set(waiting.map(({ id }) => id));
    return [...this.#statements.versionsOf.all(path).filter(({ id }) => !known.has(id)), ...waiting];
  }

  /** Removes the row of a file that was not written after all. */
  remove(id: number): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) this.#writer.drop(waiting.write);
    else this.#writer.write({ size: 0, run: () => void this.#statements.remove.run(id) });
  }
}

type StoredFile = Omit<ReplacedFile, 'created' | 'session'> & {
  id: number;
  created: 0 | 1;
  session: string | null;
};

function stored({ created = false, session = undefined, ...file }: ReplacedFile, id: number): StoredFile {
  return { ...file, id, created: created ? 1 : 0, session: session ?? null };
}

function isFor({ session, client, project, replacedAt }: ReplacedFile, selection: WrittenFor): boolean {
  if (replacedAt < selection.from) return false;
  if (session !== undefined) return session === selection.session;
  return client === selection.client && project === selection.project;
}

function prepare(database: Database) {
  return {
    newest: database
      .prepare<[], number>(`select coalesce(max(seq), 0) from sqlite_sequence where name = 'replaced_files'`)
      .pluck(),
    add: database.prepare<[StoredFile]>(
      `insert into replaced_files (id, client, project, path, bytes, replaced_at, created, session)
       values (@id, @client, @project, @path, @bytes, @replacedAt, @created, @session)`,
    ),
    writtenFor: database.prepare<[WrittenFor], Omit<WrittenFile, 'created'> & { created: 0 | 1 }>(
      `select id, client, path, replaced_at as replacedAt, created from replaced_files
       where replaced_at >= @from
         and (session = @session or session is null and client = @client and project = @project)
       order by id`,
    ),
    versionsOf: database.prepare<[string], FileVersion>(
      `select id, client, session, replaced_at as replacedAt from replaced_files where path = ? order by id`,
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
