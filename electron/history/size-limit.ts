/**
 * Keeps the history's file from growing without end. Beyond a size the output and the long values of old evaluations are taken
 * out, oldest first: that is what takes the room. Their rows stay, with their code and the beginnings of values, so sessions can
 * still be brought back from them, and what is gone is counted as output that was not kept.
 */
import type { Database } from 'better-sqlite3';
import type { Writer } from './writer';

/** Evaluations, and characters of their output, taken out at once, so that no evaluation waits for long. */
const BATCH = { evaluations: 100, characters: 4 * 1024 * 1024 };
/** Evaluations whose long values are taken out at once: there may be megabytes of each. */
const LONG_BATCH = 2;

interface Printed {
  evaluation: number;
  characters: number;
}

export class SizeLimit {
  readonly #writer: Writer;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #remove: (printed: readonly Printed[], long: readonly number[]) => void;

  constructor(writer: Writer) {
    const statements = prepare(writer.database);
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

  /** Bytes of the file that hold something. What is taken out leaves room in the file, which is filled again. */
  get size(): number {
    const pragma = (name: string) => this.#writer.database.pragma(name, { simple: true }) as number;
    return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  }

  /** Takes out some where the history holds more than `bytes`. @returns whether there may be more to take out */
  takeOut(bytes: number): boolean {
    if (this.size <= bytes) return false;
    const printed = upTo(BATCH.characters, this.#statements.printed.all(BATCH.evaluations));
    const long = this.#statements.long.all(LONG_BATCH);
    if (printed.length + long.length === 0) return false;
    return this.#writer.attempt(() => this.#remove(printed, long));
  }
}

/** The first of them, with `characters` in all; one at least, where there is any. */
function upTo(characters: number, printed: readonly Printed[]): readonly Printed[] {
  let sum = 0;
  const fitting = printed.findIndex((each) => {
    sum += each.characters;
    return sum > characters;
  });
  return fitting < 0 ? printed : printed.slice(0, Math.max(1, fitting));
}

function prepare(database: Database) {
  return {
    // What still runs goes on printing, and its offsets are those of what it has printed.
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
