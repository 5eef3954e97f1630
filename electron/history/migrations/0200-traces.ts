/** The trace that a call belongs to, and the evaluation that it made: a `TraceContext` as JSON. */
import type { Migration } from './migration';

export const traces: Migration = {
  version: 200,
  sql: `alter table evaluations add column trace text;
alter table calls add column trace text;`,
};
