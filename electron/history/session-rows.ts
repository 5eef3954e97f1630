/** The tables of sessions and checkpoints, and the evaluations that restore a session. */

import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import type { CheckpointView } from '../contract/changes';
import type { Evaluation, FormResult, SessionView } from '../contract/model';
import { WorldChange } from '../contract/world';
import type { OpenRow, OpenRowCache } from './open-row-cache';
import { rowWrite, type Write } from './row-writes';
import type { Writer } from './writer';

type OpenedSession = Pick<SessionView, 'id' | 'engine' | 'name' | 'client' | 'project'> & {
  openedAt: number;
};

/** A session that an earlier harbor did not end. */
export interface StoredSession extends OpenedSession {
  /** The saved state, as `save` wrote it. */
  kept: string;
  /** The id and end (or start) of its newest evaluation; 0 and the opening time if there is none. */
  newestRow: number;
  lastUsedAt: number;
}

export class SessionRows {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepareSessions>;
  /** By session: the queued write of `save`. */
  readonly #saving = new Map<string, Write>();

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#statements = prepareSessions(writer.database);
  }

  /** @param kept the state from which a later harbor restores it, as text; null: it ends with this one */
  open(session: OpenedSession, kept: string | null): void {
    const { id, engine, name, client, project, openedAt } = session;
    const run = () => void this.#statements.open.run(id, engine, name, client, project, openedAt, kept);
    this.#writer.write({ size: kept?.length ?? 0, run });
  }

  /** Saves the state. It replaces an earlier one that is still queued. */
  save(id: string, kept: string): void {
    const before = this.#saving.get(id);
    if (before) this.#writer.drop(before);
    const write = {
      size: kept.length,
      run: () => void this.#statements.keep.run(kept, id),
      written: () => void this.#saving.delete(id),
    };
    this.#saving.set(id, write);
    this.#writer.write(write);
  }

  end(id: string, endedAt: number): void {
    this.#writer.write({ size: 0, run: () => void this.#statements.end.run(endedAt, id) });
  }

  /** Returns saved sessions that have not ended, oldest first. */
  unfinished(): StoredSession[] {
    return this.#statements.left.all();
  }

  /** Ends unsaved sessions of an earlier run, at the time of their last row. */
  endAbandoned(): void {
    this.#writer.write({ size: 0, run: () => void this.#statements.endAbandoned.run() });
  }
}

function prepareSessions(database: Database) {
  return {
    open: database.prepare<[string, string, string, string, string, number, string | null]>(
      'insert into sessions (id, engine, name, client, project, opened_at, kept) values (?, ?, ?, ?, ?, ?, ?)',
    ),
    keep: database.prepare<[string, string]>('update sessions set kept = ? where id = ?'),
    end: database.prepare<[number, string]>('update sessions set ended_at = ? where id = ?'),
    left: database.prepare<[], StoredSession>(
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

/** A checkpoint; its file is in a folder next to the database. All rows are in memory, since they are few. */
type SavedCheckpoint = Omit<CheckpointView, 'id' | 'usedBy'> & { file: string };
export type CheckpointRow = SavedCheckpoint & { id: number };

/** A row as stored: `missing` is JSON. */
type StoredCheckpoint = Omit<CheckpointRow, 'missing'> & { missing: string };

export class CheckpointRows {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepareCheckpoints>;
  #rows: CheckpointRow[];
  #newest: number;

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#statements = prepareCheckpoints(writer.database);
    this.#rows = this.#statements.all.all().map((row) => ({ ...row, missing: JSON.parse(row.missing) }));
    this.#newest = this.#statements.newest.get() ?? 0;
  }

  /** @returns the id of the row */
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

function prepareCheckpoints(database: Database) {
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

// The evaluations that bring a new image to the state of the last one.

/** A row with its initial package, the number of finished top-level forms, and its changes of a world. */
interface ReplayRow {
  id: number;
  package: string;
  code: string;
  forms: RowForm[];
  change: WorldChange | null;
}

/** A form of a row, and its position in the row's code in code points, as Lisp counts characters. */
interface RowForm extends Pick<FormResult, 'code' | 'read' | 'made'> {
  start: number;
}

/** Finds the forms of a row in its code. */
export function rowForms(code: string, forms: readonly FormResult[]): RowForm[] {
  let from = 0;
  return forms.map(({ code: form, read, made }) => {
    const at = Math.max(code.indexOf(form, from), from);
    from = at + form.length;
    const start = Array.from(code.slice(0, at)).length;
    return { code: form, start, ...(read ? { read } : {}), ...(made ? { made } : {}) };
  });
}

/** A range of rows of one session: after row `after`, up to row `until` or, for null, the newest. */
export const RowRange = z.object({ session: z.string(), after: z.int(), until: z.int().nullable() });
export type RowRange = z.infer<typeof RowRange>;

/**
 * The kinds of evaluations that clients made for their definitions. Changes of a logical world count for all
 * kinds.
 */
const REPLAYED: readonly Evaluation['kind'][] = ['eval', 'listener', 'load'];

export class Replays {
  readonly #writer: Writer;
  readonly #rows: OpenRowCache;
  readonly #statements: ReturnType<typeof prepareReplays>;

  /** @param rows the rows whose current state is in memory */
  constructor(writer: Writer, rows: OpenRowCache) {
    this.#writer = writer;
    this.#rows = rows;
    this.#statements = prepareReplays(writer.database);
  }

  /** Records the package in which a row began, if it differs from the requested one. */
  began(id: number, packageName: string): void {
    const row = this.#rows.get(id);
    if (row) row.packageBefore = packageName;
    this.#writer.write(rowWrite(['began', { id, package: packageName }]));
  }

  /** Returns the package in which a row began; null if it is not known. */
  packageOf(id: number): string | null {
    return this.#rows.get(id)?.packageBefore ?? this.#statements.packageOf.get(id) ?? null;
  }

  /**
   * Returns the rows to replay, oldest first, including those that failed after some forms. Trials are
   * omitted.
   */
  entries(stretch: RowRange): ReplayRow[] {
    const stored = this.#statements.entries.all(stretch).map(({ change, forms, ...row }) => ({
      ...row,
      forms: rowForms(row.code, JSON.parse(forms)),
      change: change === null ? null : WorldChange.parse(JSON.parse(change)),
    }));
    const openRows = this.#rows.of(stretch.session);
    const here = new Set(openRows.map(({ id }) => id));
    const entries = [
      ...stored.filter(({ id }) => !here.has(id)),
      ...openRows.flatMap((row) => entryOf(row, stretch)),
    ];
    return entries.sort((one, other) => one.id - other.id);
  }
}

type StoredReplayRow = Omit<ReplayRow, 'change' | 'forms'> & { change: string | null; forms: string };

/** Returns the entry of a row in memory; null if it is not to be replayed. */
function entryOf(
  { id, opened, state, packageBefore }: OpenRow & { id: number },
  { after, until }: RowRange,
): ReplayRow[] {
  const change = state.report?.proof?.change ?? null;
  if (id <= after || (until !== null && id > until)) return [];
  if (change === null && (state.forms.length === 0 || !REPLAYED.includes(opened.kind))) return [];
  const forms = rowForms(opened.code, state.forms);
  return [{ id, package: packageBefore, code: opened.code, forms, change }];
}

function prepareReplays(database: Database) {
  return {
    packageOf: database
      .prepare<[number], string | null>('select package_before from evaluations where id = ?')
      .pluck(),
    entries: database.prepare<[RowRange], StoredReplayRow>(
      `select id, coalesce(package_before, package) as package, code, forms,
         json_extract(report, '$.proof.change') as change
       from evaluations
       where session = @session and id > @after and (@until is null or id <= @until)
         and (change is not null or kind in ('eval', 'listener', 'load') and json_array_length(forms) > 0)
       order by id`,
    ),
  };
}
