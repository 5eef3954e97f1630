/** The evaluation that an evaluation is a part of. */
import type { Migration } from './migration';

export const parents: Migration = {
  version: 190,
  sql: 'alter table evaluations add column parent integer; -- null: none',
};
