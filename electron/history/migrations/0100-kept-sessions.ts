/** The saved state of a session, from which a later harbor restores it. */
import type { Migration } from './migration';

export const keptSessions: Migration = {
  version: 100,
  sql: 'alter table sessions add column kept text; -- JSON; null: it ends with its harbor',
};
