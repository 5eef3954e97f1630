/** The evaluations of a session as a new image needs them in order to be brought to the same state. */
import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { WorldChange } from '../contract/world';

/** A row, the package it began in, how many of its top-level forms came to their end, and what it did to a world. */
export interface ReplayRow {
  id: number;
  package: string;
  formCount: number;
  code: string;
  change: WorldChange | null;
}

/** Rows of one session: those after row `after`, up to row `until`, or to the newest for null. */
export const RowStretch = z.object({ session: z.string(), after: z.int(), until: z.int().nullable() });
export type RowStretch = z.infer<typeof RowStretch>;

export class Replays {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Notes the package that a row began in, where that is not the one in which it was asked for. */
  began(id: number, packageName: string): void {
    this.#statements.began.run(packageName, id);
  }

  /** Oldest first, also those that went wrong after some forms; what was tried and thrown away is not among them.
   * Whatever changed a logical world is, whoever asked for it. */
  entries(stretch: RowStretch): ReplayRow[] {
    return this.#statements.entries.all(stretch).map(({ change, ...row }) => ({
      ...row,
      change: change === null ? null : WorldChange.parse(JSON.parse(change)),
    }));
  }
}

function prepare(database: Database) {
  return {
    began: database.prepare<[string, number]>('update evaluations set package_before = ? where id = ?'),
    entries: database.prepare<[RowStretch], Omit<ReplayRow, 'change'> & { change: string | null }>(
      `select id, coalesce(package_before, package) as package, json_array_length(forms) as formCount, code,
         json_extract(report, '$.proof.change') as change
       from evaluations
       where session = @session and id > @after and (@until is null or id <= @until)
         and (change is not null or kind in ('eval', 'listener', 'load') and formCount > 0)
       order by id`,
    ),
  };
}
