/** The content of files before a tool replaced it. */
import type { Migration } from './migration';

export const replacedFiles: Migration = {
  version: 80,
  sql: `
create table replaced_files (
  id integer primary key autoincrement, -- told to clients: never given twice
  client text not null,
  project text not null,
  path text not null,
  bytes blob not null,
  replaced_at integer not null
);
create index replaced_files_path on replaced_files (path);
`,
};
