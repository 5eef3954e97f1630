/** Checkpoints of sessions, and the initial package of each evaluation, which a replay needs. */
import type { Migration } from './migration';

export const checkpoints: Migration = {
  version: 70,
  sql: `
alter table evaluations add column package_before text; -- null in rows of earlier versions

create table checkpoints (
  id integer primary key autoincrement,
  name text not null,
  session text not null,
  engine text not null,
  client text not null,
  project text not null,
  package text not null,
  file text not null,
  bytes integer not null,
  missing text not null, -- JSON: sentences on what the file could not carry
  saved_at integer not null,
  saved_after integer not null -- the last evaluation that it holds; 0: none
);
create unique index checkpoints_name on checkpoints (client, project, name);
`,
};
