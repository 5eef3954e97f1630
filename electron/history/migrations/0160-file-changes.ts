/** Records new files as well as replaced ones, and the session for which they were written. */
import type { Migration } from './migration';

export const fileChanges: Migration = {
  version: 160,
  sql: `
alter table replaced_files add column session text; -- null: the client named none
alter table replaced_files add column created integer not null default 0; -- 1: nothing was there before
`,
};
