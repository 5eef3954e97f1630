/** How far the segments of the journal are in the database; see journal.ts. */
import type { Migration } from './migration';

export const journalPositions: Migration = {
  version: 180,
  sql: `create table journal_positions (
  segment text primary key,
  position integer not null, -- the bytes whose records are in the database
  damaged integer not null -- stretches of those bytes that are no records
) without rowid;`,
};
