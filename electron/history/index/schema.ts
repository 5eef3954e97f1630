/**
 * The file from which lists and searches are answered. All that is in it is made from the history and can be made again, so
 * one of another layout, or a damaged one, is thrown away. One thread writes it.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { isDamage } from '../database-errors';

/** What `user_version` reads; it grows with each change of the layout or of what is indexed. */
const LAYOUT = 1;

/**
 * An entry's id is its key: it grows with the time at which it began (see keys.ts). Names that many entries share are
 * numbers, see words; NULL where there is none.
 */
const SCHEMA = `
create table words (id integer primary key, field text not null, text text not null, unique (field, text));
create table entries (
  id integer primary key,
  evaluation integer,
  call integer,
  kind integer not null,
  tool integer,
  session integer,
  engine integer,
  client integer not null,
  project integer,
  outcome integer not null
);
create unique index entries_evaluation on entries (evaluation) where evaluation is not null;
create unique index entries_call on entries (call) where call is not null;
create index entries_kind on entries (kind);
create index entries_tool on entries (tool) where tool is not null;
create index entries_session on entries (session) where session is not null;
create index entries_engine on entries (engine) where engine is not null;
create index entries_client on entries (client);
create index entries_project on entries (project) where project is not null;
create index entries_outcome on entries (outcome);

-- Its rowid is the entry's id. Contentless: the texts lie in the history.
create virtual table texts using fts5 (
  asked, answered, printed, content = '', contentless_delete = 1, tokenize = 'trigram'
);

-- Of each table the ids that were looked at: those above low up to high. What is open is looked at again.
create table looked_at (what text primary key, low integer not null, high integer not null) without rowid;
create table open_calls (id integer primary key);
`;

/** The index of this history: `history-index.db` beside `history.db`. */
export function indexFile(history: string): string {
  const { dir, name } = path.parse(history);
  return path.join(dir, `${name}-index.db`);
}

/** Opens it for writing; made anew where it is missing, damaged, or laid out otherwise. */
export function openIndex(file: string): Database {
  try {
    return open(file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeIndex(file);
    return open(file);
  }
}

export function removeIndex(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

function open(file: string): Database {
  const database = new Sqlite(file, { timeout: 5_000 });
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version !== LAYOUT && version !== 0) {
    database.close();
    removeIndex(file);
    return open(file);
  }
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = normal');
  // The ends of all its indexes, which each entry writes to: 16 MB, where the default holds an eighth of that.
  database.pragma('cache_size = -16000');
  if (version === 0)
    database.transaction(() => {
      database.exec(SCHEMA);
      database.pragma(`user_version = ${LAYOUT}`);
    })();
  return database;
}
