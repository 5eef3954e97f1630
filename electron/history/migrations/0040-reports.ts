/** What an evaluation loaded and tested, beside its values: systems, failures and test results, as JSON. */
import type { Migration } from './migration';

export const reports: Migration = {
  version: 40,
  sql: 'alter table evaluations add column report text;',
};
