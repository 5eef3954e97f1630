/**
 * Takes out of the history what is older than a person wants it kept: evaluations with their output, and calls. What a session
 * rests on that has not ended stays, since it may have to be brought back from it. Beyond a size what takes most room goes.
 */
import type { Database } from 'better-sqlite3';
import { SizeLimit } from './size-limit';
import type { Writer } from './writer';

/** Rows taken out at once, so that no evaluation waits for long. */
const BATCH = 100;
/** Milliseconds from one to the next, and from the last to the time when it is looked again. */
const PAUSE_MS = { between: 50, whole: 3_600_000 };
const DAY_MS = 86_400_000;
const GIGABYTE = 1e9;

/** What a person wants kept: rows for so many days, and so much altogether; null without an end. */
export interface Kept {
  days: number | null;
  gigabytes: number | null;
}

export interface TakenOut {
  evaluations: number[];
  calls: number[];
}

export class Retention {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #remove: (old: TakenOut) => void;
  readonly #told: (taken: TakenOut) => void;
  readonly #size: SizeLimit;
  #timer: NodeJS.Timeout | null = null;

  /** @param told is called with what is gone */
  constructor(writer: Writer, told: (taken: TakenOut) => void) {
    const statements = prepare(writer.database);
    this.#writer = writer;
    this.#statements = statements;
    this.#told = told;
    this.#size = new SizeLimit(writer);
    this.#remove = writer.database.transaction(({ evaluations, calls }: TakenOut) => {
      // A call that stays forgets the evaluation that goes: the database sees to it, as to the output.
      statements.removeEvaluations.run(JSON.stringify(evaluations));
      statements.removeCalls.run(JSON.stringify(calls));
    });
  }

  /** From now on, now and again. @param kept is asked each time */
  begin(kept: () => Kept, firstMs = PAUSE_MS.whole / 60): void {
    const look = () => {
      const { days, gigabytes } = kept();
      const more =
        (days !== null && this.takeOut(Date.now() - days * DAY_MS)) ||
        (gigabytes !== null && this.#size.takeOut(gigabytes * GIGABYTE));
      this.#timer = setTimeout(look, more ? PAUSE_MS.between : PAUSE_MS.whole).unref();
    };
    this.#timer = setTimeout(look, firstMs).unref();
  }

  /** Takes out some rows that began before a time. @returns whether there may be more */
  takeOut(before: number): boolean {
    const old = {
      evaluations: this.#statements.evaluations.all({ before, limit: BATCH }),
      calls: this.#statements.calls.all({ before, limit: BATCH }),
    };
    if (old.evaluations.length + old.calls.length === 0) return false;
    if (!this.#writer.attempt(() => this.#remove(old))) return false;
    this.#told(old);
    return true;
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

function prepare(database: Database) {
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
