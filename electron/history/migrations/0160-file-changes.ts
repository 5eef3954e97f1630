/** Files that tools have made are known as well as those they wrote over, and for which session that was. */
import type { Migration } from './migration';

export const fileChanges: Migration = {
  version: 160,
  sql: `
alter table replaced_files add column session text; -- null: the client named none
alter table replaced_files add column created integer not null default 0; -- 1: nothing was there before
`,
};
