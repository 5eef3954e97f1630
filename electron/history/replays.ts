/** The evaluations of a session as a new image needs them in order to be brought to the same state. */
import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import type { Evaluation } from '../contract/model';
import { WorldChange } from '../contract/world';
import type { RowAtHand, RowsAtHand } from './rows-at-hand';
import type { Writer } from './writer';

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

/** What clients had evaluated for its definitions; whatever changed a logical world counts, whoever asked for it. */
const REPLAYED: readonly Evaluation['kind'][] = ['eval', 'listener', 'load'];

export class Replays {
  readonly #writer: Writer;
  readonly #rows: RowsAtHand;
  readonly #statements: ReturnType<typeof prepare>;

  /** @param rows those that the database has not as they are */
  constructor(writer: Writer, rows: RowsAtHand) {
    this.#writer = writer;
    this.#rows = rows;
    this.#statements = prepare(writer.database);
  }

  /** Notes the package that a row began in, where that is not the one in which it was asked for. */
  began(id: number, packageName: string): void {
    const row = this.#rows.get(id);
    if (row) row.packageBefore = packageName;
    this.#writer.write({ size: 0, run: () => void this.#statements.began.run(packageName, id) });
  }

  /** The package that a row began in; null where that is not known. */
  packageOf(id: number): string | null {
    return this.#rows.get(id)?.packageBefore ?? this.#statements.packageOf.get(id) ?? null;
  }

  /** Oldest first, also those that went wrong after some forms; what was tried and thrown away is not among them. */
  entries(stretch: RowStretch): ReplayRow[] {
    const stored = this.#statements.entries.all(stretch).map(({ change, ...row }) => ({
      ...row,
      change: change === null ? null : WorldChange.parse(JSON.parse(change)),
    }));
    const atHand = this.#rows.of(stretch.session);
    const here = new Set(atHand.map(({ id }) => id));
    const entries = [
      ...stored.filter(({ id }) => !here.has(id)),
      ...atHand.flatMap((row) => entryOf(row, stretch)),
    ];
    return entries.sort((one, other) => one.id - other.id);
  }
}

/** The same of a row in memory, where it is one to be replayed. */
function entryOf(
  { id, opened, state, packageBefore }: RowAtHand & { id: number },
  { after, until }: RowStretch,
): ReplayRow[] {
  const change = state.report?.proof?.change ?? null;
  const formCount = state.forms.length;
  if (id <= after || (until !== null && id > until)) return [];
  if (change === null && (formCount === 0 || !REPLAYED.includes(opened.kind))) return [];
  return [{ id, package: packageBefore, formCount, code: opened.code, change }];
}

function prepare(database: Database) {
  return {
    began: database.prepare<[string, number]>('update evaluations set package_before = ? where id = ?'),
    packageOf: database
      .prepare<[number], string | null>('select package_before from evaluations where id = ?')
      .pluck(),
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
