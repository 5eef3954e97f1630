/** What an evaluation cost in time and allocation, where its engine knows it, as JSON. */
import type { Migration } from './migration';

export const costs: Migration = {
  version: 50,
  sql: 'alter table evaluations add column cost text;',
};
