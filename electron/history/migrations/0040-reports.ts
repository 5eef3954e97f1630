/** The report of an evaluation as JSON: loaded systems, failures and test results. */
import type { Migration } from './migration';

export const reports: Migration = {
  version: 40,
  sql: 'alter table evaluations add column report text;',
};
