/** Brings a database to the newest schema, step by step; `user_version` says how far it is. */
import type { Database } from 'better-sqlite3';
import { HarborError } from '../contract/errors';
import { first } from './migrations/0010-first';
import { reports } from './migrations/0040-reports';
import { costs } from './migrations/0050-costs';
import { checkpoints } from './migrations/0070-checkpoints';
import { replacedFiles } from './migrations/0080-replaced-files';
import { clientProfiles } from './migrations/0090-client-profiles';
import { keptSessions } from './migrations/0100-kept-sessions';
import { indexBeside } from './migrations/0110-index-beside';
import { clientChoices } from './migrations/0150-client-choices';
import { fileChanges } from './migrations/0160-file-changes';
import { longValues } from './migrations/0170-long-values';
import type { Migration } from './migrations/migration';

/** In ascending order. */
export const MIGRATIONS: readonly Migration[] = [
  ...[first, reports, costs, checkpoints, replacedFiles, clientProfiles],
  ...[keptSessions, indexBeside, clientChoices, fileChanges, longValues],
];

/** What `user_version` reads in a database that this app wrote. */
export const NEWEST = MIGRATIONS.at(-1)?.version ?? 0;

/** Writes nothing.
 * @throws HarborError `data_folder_unusable` for a database of a newer app */
export function refuseNewer(database: Database): void {
  const version = versionOf(database);
  if (version <= NEWEST) return;
  throw new HarborError(
    'data_folder_unusable',
    `${database.name} was written by a newer Lisp Harbor (schema ${version}; this one knows up to ${NEWEST}). ` +
      'Update Lisp Harbor, or choose another data folder with --data DIR.',
  );
}

/** Each step is a transaction of its own, so that an interrupted start goes on where it stopped. */
export function migrate(database: Database): void {
  const from = versionOf(database);
  for (const { version, sql } of MIGRATIONS) {
    if (version <= from) continue;
    database.transaction(() => {
      database.exec(sql);
      database.pragma(`user_version = ${version}`);
    })();
  }
}

function versionOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}
