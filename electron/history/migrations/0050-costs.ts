/** The time and allocation of an evaluation as JSON, if its engine reports them. */
import type { Migration } from './migration';

export const costs: Migration = {
  version: 50,
  sql: 'alter table evaluations add column cost text;',
};
