/** What a later harbor needs to bring a session back, so that sessions outlive the one that opened them. */
import type { Migration } from './migration';

export const keptSessions: Migration = {
  version: 100,
  sql: 'alter table sessions add column kept text; -- JSON; null: it ends with its harbor',
};
