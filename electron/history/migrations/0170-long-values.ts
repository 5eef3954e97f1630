/** The full text of long values; their rows have only the beginning. */
import type { Migration } from './migration';

export const longValues: Migration = {
  version: 170,
  sql: `create table long_values (
  evaluation integer not null references evaluations (id) on delete cascade,
  form integer not null, -- its place among the evaluation's forms, from 0
  value integer not null, -- its place among the form's values, from 0
  text text not null,
  primary key (evaluation, form, value)
);`,
};
