/**
 * Lists and searches use an index in a file of its own (index/), so that a row needs two short transactions. Calls
 * have their answer and session. Rows up to the mark `closed` have ended.
 */
import type { Migration } from './migration';

export const indexBeside: Migration = {
  version: 110,
  sql: `
create table marks (name text primary key, value integer not null) without rowid;
insert into marks
  select 'closed', coalesce(
    (select min(id) - 1 from evaluations where outcome in ('running', 'debugger')),
    (select max(id) from evaluations), 0);

alter table calls add column session text;
alter table calls add column answer text; -- its beginning; for a refusal or a failure the reason

drop table search;
drop index evaluations_engine;
drop index evaluations_client;
drop index evaluations_project;
drop index evaluations_outcome;
drop index calls_client;
create index sessions_open on sessions (opened_at) where ended_at is null;
`,
};
