/**
 * Brings the records of the journal into the database, each exactly once: the position in a segment is written
 * in the transaction of its records. Two threads may do this: each transaction reads the position first.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { whyUnwritable } from './database';
import {
  type JournalEnd,
  journalFolder,
  moveSegmentAside,
  readPart,
  removeIfPossible,
  segmentsIn,
  withSegment,
} from './journal';
import { type RowWrite, RowWrites } from './row-writes';

/**
 * Counts the beginnings and ends of the search worker's transactions, so that another thread whose write finds
 * the database locked knows by whom.
 */
export class Turns {
  readonly buffer: SharedArrayBuffer;
  readonly #count: Int32Array;

  constructor(buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#count = new Int32Array(buffer);
  }

  /** Equal to an earlier result if there was no transaction since. */
  get now(): number {
    const count = Atomics.load(this.#count, 0);
    // While a transaction runs, no result is equal to another.
    return count % 2 === 0 ? count : Number.NaN;
  }

  /** Runs a transaction. */
  around<T>(work: () => T): T {
    Atomics.add(this.#count, 0, 1);
    try {
      return work();
    } finally {
      Atomics.add(this.#count, 0, 1);
    }
  }

  /** The worker has ended, perhaps in a transaction. */
  end(): void {
    if (Number.isNaN(this.now)) Atomics.add(this.#count, 0, 1);
  }
}

export interface Ingested {
  /** Evaluations that ended. */
  closed: number[];
  /** Records that the database rejects. */
  rejected: number;
  /** Segments with bytes that are no records, by their new path. */
  damaged: string[];
  /** The state of the active segment. It is gone if somebody has removed it. */
  active: 'whole' | 'damaged' | 'gone';
}

interface Position {
  position: number;
  damaged: number;
}

export class Ingest {
  readonly #folder: string;
  readonly #writes: RowWrites;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #some: (report: Ingested, end: JournalEnd, isCareful: boolean) => boolean;
  readonly #oneRecord: (writes: readonly RowWrite[]) => void;
  /** Segments that cannot be removed. */
  readonly #finished = new Set<string>();

  constructor(database: Database, writes = new RowWrites(database)) {
    this.#folder = journalFolder(database.name);
    this.#writes = writes;
    this.#statements = prepare(database);
    this.#some = database.transaction((report: Ingested, end: JournalEnd, isCareful: boolean) =>
      this.#ingestSome(report, end, isCareful),
    ).immediate;
    this.#oneRecord = database.transaction((writes: readonly RowWrite[]) => {
      for (const write of writes) this.#writes.run(write);
    });
  }

  /**
   * Brings in all segments up to `end`, and removes all but the one that is still written.
   * @param around called for each transaction
   * @throws errors about the file
   */
  run(end: JournalEnd, around: (work: () => boolean) => boolean = (work) => work()): Ingested {
    const report: Ingested = { closed: [], rejected: 0, damaged: [], active: 'whole' };
    while (around(() => this.#part(report, end)));
    return report;
  }

  /** Returns the highest ids in the journal, without bringing it in. */
  newestIds(): { evaluation: number; call: number } {
    const newest = { evaluation: 0, call: 0 };
    for (const name of segmentsIn(this.#folder))
      withSegment(path.join(this.#folder, name), (descriptor, size) => {
        for (let from = 0; from < size; ) {
          const { records, next } = readPart(descriptor, from, size);
          from = next;
          for (const [kind, data] of records.flat()) {
            if (kind === 'open') newest.evaluation = Math.max(newest.evaluation, data?.row?.id ?? 0);
            if (kind === 'openCall') newest.call = Math.max(newest.call, data?.id ?? 0);
          }
        }
      });
    return newest;
  }

  #part(report: Ingested, end: JournalEnd): boolean {
    const before = structuredClone(report);
    try {
      return this.#some(report, end, false);
    } catch (error) {
      Object.assign(report, before);
      if (whyUnwritable(error) !== null) throw error;
      return this.#some(report, end, true);
    }
  }

  /**
   * @param isCareful each record is a savepoint of its own, because the database rejects one of them
   * @returns whether there may be more
   */
  #ingestSome(report: Ingested, end: JournalEnd, isCareful: boolean): boolean {
    const names = segmentsIn(this.#folder);
    this.#statements.forget.run(JSON.stringify(names));
    if (end.offset > 0 && !names.includes(end.segment)) report.active = 'gone';
    for (const name of names) {
      if (name > end.segment) break;
      if (this.#finished.has(name)) continue;
      const file = path.join(this.#folder, name);
      const { position, damaged } = this.#statements.position.get(name) ?? { position: 0, damaged: 0 };
      const isActive = name === end.segment;
      const read = withSegment(file, (descriptor, size) => {
        const until = isActive ? end.offset : size;
        return position < until ? { ...readPart(descriptor, position, until), until } : null;
      });
      if (read === 'gone') continue;
      if (read === 'unreadable' || read.value === null) {
        if (!isActive) this.#finish(file, read === 'unreadable' || damaged > 0, report);
        else if (read === 'unreadable') report.active = 'gone';
        continue;
      }
      const { records, next, damaged: found, until } = read.value;
      for (const record of records) this.#apply(record, report, isCareful);
      this.#statements.advance.run({ segment: name, position: next, damaged: damaged + found });
      if (isActive && found > 0) report.active = 'damaged';
      return !isActive || next < until;
    }
    return false;
  }

  #apply(record: readonly RowWrite[], report: Ingested, isCareful: boolean): void {
    try {
      if (isCareful) this.#oneRecord(record);
      else for (const write of record) this.#writes.run(write);
    } catch (error) {
      if (!isCareful || whyUnwritable(error) !== null) throw error;
      report.rejected += 1;
      return;
    }
    for (const [kind, data] of record) if (kind === 'close') report.closed.push(data.row.id);
  }

  /** Removes a segment that is in the database. A damaged one is kept under another name. */
  #finish(file: string, isDamaged: boolean, report: Ingested): void {
    const aside = isDamaged ? moveSegmentAside(file) : null;
    if (isDamaged) report.damaged.push(aside ?? file);
    else removeIfPossible(file);
    if (existsSync(file)) this.#finished.add(path.basename(file));
  }
}

function prepare(database: Database) {
  return {
    position: database.prepare<[string], Position>(
      'select position, damaged from journal_positions where segment = ?',
    ),
    advance: database.prepare<[Position & { segment: string }]>(
      `insert into journal_positions (segment, position, damaged) values (@segment, @position, @damaged)
       on conflict do update set position = excluded.position, damaged = excluded.damaged`,
    ),
    /** A segment that is gone has no position; one of that name never comes again. */
    forget: database.prepare<[string]>(
      'delete from journal_positions where segment not in (select value from json_each(?))',
    ),
  };
}
