/** The user's other settings for a client: the engine of its sessions, and its scopes. */
import type { Migration } from './migration';

export const clientChoices: Migration = {
  version: 150,
  sql: `create table client_choices (
  client text primary key,
  engine text, -- null: the harbor's
  scopes text  -- JSON; null: the usual ones
);`,
};
