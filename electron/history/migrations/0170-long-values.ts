/** Values that are longer than a row should be lie beside it, whole; the row has the beginning. */
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
