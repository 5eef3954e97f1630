/**
 * Deletes old evaluations, their output and calls according to the user's limits of age and size. Rows of
 * sessions that have not ended stay, because they may be needed to restore them.
 */

import type { Database } from 'better-sqlite3';
import type { Writer } from './writer';

/** Rows deleted in one transaction, so that no evaluation waits long. */
const BATCH_ROWS = 100;
/** Milliseconds between two transactions, and between two passes. */
const PAUSE_MS = { between: 50, whole: 3_600_000 };
const DAY_MS = 86_400_000;
const GIGABYTE = 1e9;

/** The user's limits; null: unlimited. */
interface RetentionLimits {
  days: number | null;
  gigabytes: number | null;
}

export interface RemovedRows {
  evaluations: number[];
  calls: number[];
}

export class Retention {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepareRetention>;
  readonly #remove: (old: RemovedRows) => void;
  readonly #onRemoved: (taken: RemovedRows) => void;
  readonly #size: SizeLimit;
  #timer: NodeJS.Timeout | null = null;

  /** @param onRemoved called with the ids of deleted rows */
  constructor(writer: Writer, onRemoved: (taken: RemovedRows) => void) {
    const statements = prepareRetention(writer.database);
    this.#writer = writer;
    this.#statements = statements;
    this.#onRemoved = onRemoved;
    this.#size = new SizeLimit(writer);
    this.#remove = writer.database.transaction(({ evaluations, calls }: RemovedRows) => {
      // Foreign keys clear the reference of a remaining call and delete the output.
      statements.removeEvaluations.run(JSON.stringify(evaluations));
      statements.removeCalls.run(JSON.stringify(calls));
    });
  }

  /**
   * Checks the limits repeatedly.
   * @param limits called each time
   */
  start(limits: () => RetentionLimits, firstMs = PAUSE_MS.whole / 60): void {
    const look = () => {
      const { days, gigabytes } = limits();
      const more =
        (days !== null && this.removeBefore(Date.now() - days * DAY_MS)) ||
        (gigabytes !== null && this.#size.shrinkTo(gigabytes * GIGABYTE));
      this.#timer = setTimeout(look, more ? PAUSE_MS.between : PAUSE_MS.whole).unref();
    };
    this.#timer = setTimeout(look, firstMs).unref();
  }

  /**
   * Deletes some rows that began before a time.
   * @returns whether there may be more
   */
  removeBefore(before: number): boolean {
    const old = {
      evaluations: this.#statements.evaluations.all({ before, limit: BATCH_ROWS }),
      calls: this.#statements.calls.all({ before, limit: BATCH_ROWS }),
    };
    if (old.evaluations.length + old.calls.length === 0) return false;
    if (!this.#writer.attempt(() => this.#remove(old))) return false;
    this.#onRemoved(old);
    return true;
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

function prepareRetention(database: Database) {
  const ids = (sql: string) => database.prepare<[{ before: number; limit: number }], number>(sql).pluck();
  return {
    evaluations: ids(
      `select id from evaluations where started_at < @before and outcome not in ('running', 'debugger')
         and session not in (select id from sessions where ended_at is null)
       order by id limit @limit`,
    ),
    calls: ids('select id from calls where started_at < @before order by id limit @limit'),
    removeEvaluations: database.prepare<[string]>(
      'delete from evaluations where id in (select value from json_each(?))',
    ),
    removeCalls: database.prepare<[string]>('delete from calls where id in (select value from json_each(?))'),
  };
}

// Beyond the size limit, output and long values of old evaluations are deleted, oldest first, since they take
// most room. Their rows stay, with code and the beginnings of values, so sessions can still be restored. The
// deleted output is counted as dropped.

/** Evaluations, and characters of output, deleted in one transaction, so that no evaluation waits long. */
const SIZE_BATCH = { evaluations: 100, characters: 4 * 1024 * 1024 };
/** Evaluations whose long values are deleted in one transaction; each may have megabytes. */
const LONG_BATCH = 2;

interface Printed {
  evaluation: number;
  characters: number;
}

export class SizeLimit {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepareSizeLimit>;
  readonly #remove: (printed: readonly Printed[], long: readonly number[]) => void;

  constructor(writer: Writer) {
    const statements = prepareSizeLimit(writer.database);
    this.#writer = writer;
    this.#statements = statements;
    this.#remove = writer.database.transaction((printed: readonly Printed[], long: readonly number[]) => {
      for (const { evaluation, characters } of printed) {
        statements.removeOutput.run(evaluation);
        statements.count.run(characters, evaluation);
      }
      for (const evaluation of long) statements.removeLong.run(evaluation);
    });
  }

  /** Used bytes of the file. Deletion leaves free pages in the file, which are reused. */
  get size(): number {
    const pragma = (name: string) => this.#writer.database.pragma(name, { simple: true }) as number;
    return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  }

  /**
   * Deletes some output if the history uses more than `bytes`.
   * @returns whether there may be more
   */
  shrinkTo(bytes: number): boolean {
    if (this.size <= bytes) return false;
    const printed = upTo(SIZE_BATCH.characters, this.#statements.printed.all(SIZE_BATCH.evaluations));
    const long = this.#statements.long.all(LONG_BATCH);
    if (printed.length + long.length === 0) return false;
    return this.#writer.attempt(() => this.#remove(printed, long));
  }
}

/** Returns the first evaluations with at most `characters` in all, at least one. */
function upTo(characters: number, printed: readonly Printed[]): readonly Printed[] {
  let sum = 0;
  const fitting = printed.findIndex((each) => {
    sum += each.characters;
    return sum > characters;
  });
  return fitting < 0 ? printed : printed.slice(0, Math.max(1, fitting));
}

function prepareSizeLimit(database: Database) {
  return {
    // A running evaluation still prints, and its offsets count the output it has printed.
    printed: database.prepare<[number], Printed>(
      `select evaluation, sum(characters) as characters from output join evaluations on id = evaluation
       where outcome not in ('running', 'debugger') group by evaluation order by evaluation limit ?`,
    ),
    long: database
      .prepare<[number], number>('select distinct evaluation from long_values order by evaluation limit ?')
      .pluck(),
    removeOutput: database.prepare<[number]>('delete from output where evaluation = ?'),
    count: database.prepare<[number, number]>(
      'update evaluations set output_dropped = output_dropped + ? where id = ?',
    ),
    removeLong: database.prepare<[number]>('delete from long_values where evaluation = ?'),
  };
}
