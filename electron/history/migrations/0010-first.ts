/** The first schema: sessions, evaluations with their output, calls, tokens, and the full-text index. */
import type { Migration } from './migration';

export const first: Migration = {
  version: 10,
  sql: `
create table sessions (
  id text primary key,
  engine text not null,
  name text not null,
  client text not null,
  project text not null,
  opened_at integer not null,
  ended_at integer
);

create table evaluations (
  id integer primary key autoincrement, -- an id is a handle that was told to clients: never given twice
  kind text not null,
  session text not null,
  engine text not null,
  client text not null,
  project text not null,
  package text not null,
  code text not null,
  outcome text not null,
  forms text not null default '[]',
  warnings text not null default '[]',
  condition text,
  notes text not null default '[]',
  output_dropped integer not null default 0,
  started_at integer not null,
  ended_at integer,
  duration_ms real
);
create index evaluations_session on evaluations (session);
create index evaluations_engine on evaluations (engine);
create index evaluations_client on evaluations (client);
create index evaluations_project on evaluations (project);
create index evaluations_outcome on evaluations (outcome);

-- sequence counts the characters (UTF-16 units) printed before this chunk, characters those in it.
create table output (
  evaluation integer not null references evaluations (id) on delete cascade,
  sequence integer not null,
  stream text not null,
  characters integer not null,
  text text not null,
  primary key (evaluation, sequence)
);

-- Indexed by code when a row is closed; rowid is the evaluation's id. Contentless: the texts lie in their own tables.
create virtual table search using fts5 (
  code, printed, output, condition,
  content = '', contentless_delete = 1, tokenize = 'trigram'
);

create table calls (
  id integer primary key,
  endpoint text not null,
  client text not null,
  tool text not null,
  arguments text not null,
  outcome text, -- ok, error; null: never answered
  error_code text,
  started_at integer not null,
  duration_ms real,
  evaluation integer references evaluations (id) on delete set null
);
create index calls_client on calls (client);

create table tokens (
  id integer primary key autoincrement,
  name text not null,
  hash blob not null unique,
  scopes text not null,
  issued_at integer not null,
  last_used_at integer,
  revoked_at integer
);
create unique index tokens_live_name on tokens (name) where revoked_at is null;
`,
};
