/**
 * The one way in which rows get into the database. Work does not stop where that cannot be done, on a full disk or while
 * another program holds the file: what was to be written waits in memory, in order, until there is room again.
 */
import { EventEmitter } from 'node:events';
import type { Database } from 'better-sqlite3';
import { whyUnwritable } from './database-errors';

/** Bytes that may wait beside what evaluations printed; what comes beyond falls out. */
export const MOST_WAITING = 32 * 1024 * 1024;
/** Bytes of one transaction that catches up: evaluations wait for it. */
const BATCH = 1024 * 1024;
/** How long a write may stall everything else for another program's lock. */
const BUSY_MS = 50;
/** Milliseconds from one try to the next: the first, and what they grow to. */
const RETRY_MS = { first: 200, longest: 5_000 };
/** Of an entry, beside its texts. */
const OVERHEAD = 512;

/** Something to write. It runs in a transaction and must not mind to run again where that came to nothing. */
export interface Write {
  /** Characters of its texts, about. */
  size: number;
  run(): void;
  /** It is in the database now. */
  written?(): void;
}

/** Why nothing can be written, and what waits for it. */
export interface Waiting {
  because: string;
  writes: number;
  /** Writes that found no room in memory either. */
  lost: number;
}

export interface WriterEvents {
  /** From now on everything waits. */
  waiting: [];
  /** All that waited has been written. */
  resumed: [];
}

export class Writer extends EventEmitter<WriterEvents> {
  readonly database: Database;
  readonly #inOrder: (writes: readonly Write[]) => void;
  readonly #backlogs: (() => void)[] = [];
  #queue: Write[] = [];
  /** What is written with whatever comes next. */
  #soon: Write[] = [];
  #soonDue = 0;
  #soonTimer: NodeJS.Timeout | null = null;
  #bytes = 0;
  #lost = 0;
  #because: string | null = null;
  #retryMs = RETRY_MS.first;
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Database) {
    super();
    this.database = database;
    this.#inOrder = database.transaction((writes: readonly Write[]) => {
      for (const write of writes) write.run();
    });
    this.#waitForLocks(BUSY_MS);
  }

  /** Null while everything can be written. */
  get waiting(): Waiting | null {
    if (this.#because === null) return null;
    return { because: this.#because, writes: this.#queue.length, lost: this.#lost };
  }

  /** Writes of this run that found no room, neither in the database nor in memory. */
  get lost(): number {
    return this.#lost;
  }

  /** Now, or, where that cannot be done, later and in order. */
  write(write: Write): void {
    const soon = this.#takeSoon();
    const done = this.#attempt(() => (soon.length === 0 ? write.run() : this.#together(soon, write)));
    for (const each of [...soon, write]) {
      if (done) each.written?.();
      else this.#add(each);
    }
  }

  /** As `write`, but with what is written next, in one transaction; at the latest after so many milliseconds. */
  writeSoon(write: Write, milliseconds: number): void {
    if (this.#because !== null || !this.database.open) {
      this.#add(write);
      return;
    }
    this.#soon.push(write);
    const due = performance.now() + milliseconds;
    if (this.#soonTimer !== null && this.#soonDue <= due) return;
    if (this.#soonTimer !== null) clearTimeout(this.#soonTimer);
    this.#soonDue = due;
    this.#soonTimer = setTimeout(() => this.flush(), milliseconds).unref();
  }

  /** As `write`, but for what may be given up. False where there is no room for it: then it is counted as lost. */
  writeIfRoom(write: Write): boolean {
    if (!this.#hasRoom(write)) return false;
    this.write(write);
    return true;
  }

  /** As `writeIfRoom`, but soon. */
  writeSoonIfRoom(write: Write, milliseconds: number): boolean {
    if (!this.#hasRoom(write)) return false;
    this.writeSoon(write, milliseconds);
    return true;
  }

  /** Writes what was to be written soon. */
  flush(): void {
    const [last, ...before] = this.#takeSoon().reverse();
    if (last === undefined) return;
    this.#soon = before.reverse();
    this.write(last);
  }

  /** Whether that could be done right now; once the database is closed, nothing can. What could not is to be among the backlogs. */
  attempt(work: () => void): boolean {
    this.flush();
    return this.#attempt(work);
  }

  #attempt(work: () => void): boolean {
    if (this.#because !== null || !this.database.open) return false;
    try {
      work();
      return true;
    } catch (error) {
      this.#wait(error);
      return false;
    }
  }

  /** What somebody keeps by itself until it can be written: `work` is done, after all that waits here, before anything
   * else is written. */
  addBacklog(work: () => void): void {
    this.#backlogs.push(work);
  }

  /** Takes back what still waits. */
  drop(write: Write): void {
    this.#soon = this.#soon.filter((each) => each !== write);
    const index = this.#queue.indexOf(write);
    if (index < 0) return;
    this.#queue.splice(index, 1);
    this.#bytes -= weight(write);
  }

  /** Writes all that waits, if that can be done now. */
  catchUp(): void {
    if (this.#because === null || !this.database.open) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (!this.#writeAll()) {
      this.#retryLater();
      return;
    }
    this.#because = null;
    this.#retryMs = RETRY_MS.first;
    this.#waitForLocks(BUSY_MS);
    this.emit('resumed');
  }

  /** In one transaction. Where the database itself refuses one of them, whatever happens, it does not keep back the others. */
  #together(soon: readonly Write[], write: Write): void {
    try {
      this.#inOrder([...soon, write]);
    } catch (error) {
      if (whyUnwritable(error) !== null) throw error;
      for (const each of soon) this.#alone(each);
      write.run();
    }
  }

  #alone(write: Write): void {
    try {
      this.#inOrder([write]);
    } catch (error) {
      if (whyUnwritable(error) !== null) throw error;
      this.#lost += 1;
    }
  }

  #hasRoom(write: Write): boolean {
    if (this.#because === null || this.#bytes + weight(write) <= MOST_WAITING) return true;
    this.#lost += 1;
    return false;
  }

  #takeSoon(): Write[] {
    if (this.#soonTimer !== null) clearTimeout(this.#soonTimer);
    this.#soonTimer = null;
    const soon = this.#soon;
    this.#soon = [];
    return soon;
  }

  #add(write: Write): void {
    this.#queue.push(write);
    this.#bytes += weight(write);
  }

  /** @throws whatever has nothing to do with the file */
  #wait(error: unknown): void {
    const because = whyUnwritable(error);
    if (because === null) throw error;
    this.#because = because;
    // Whoever holds it is asked often enough.
    this.#waitForLocks(0);
    this.#retryLater();
    this.emit('waiting');
  }

  #retryLater(): void {
    this.#timer = setTimeout(() => this.catchUp(), this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.longest);
  }

  #writeAll(): boolean {
    try {
      while (this.#queue.length > 0) this.#writeSome();
      for (const work of this.#backlogs) work();
      return true;
    } catch (error) {
      const because = whyUnwritable(error);
      if (because === null) throw error;
      this.#because = because;
      return false;
    }
  }

  #writeSome(): void {
    const writes = this.#batch();
    try {
      this.#inOrder(writes);
    } catch (error) {
      if (whyUnwritable(error) !== null) throw error;
      this.#oneByOne(writes);
      return;
    }
    this.#done(writes);
  }

  /** One of them is refused by the database itself, whatever happens: it must not keep back the others. */
  #oneByOne(writes: readonly Write[]): void {
    for (const write of writes) {
      this.#alone(write);
      this.#done([write]);
    }
  }

  #done(writes: readonly Write[]): void {
    this.#queue.splice(0, writes.length);
    for (const write of writes) this.#bytes -= weight(write);
    for (const write of writes) write.written?.();
  }

  #batch(): Write[] {
    let bytes = 0;
    const end = this.#queue.findIndex((write) => {
      bytes += weight(write);
      return bytes > BATCH;
    });
    return this.#queue.slice(0, end < 0 ? this.#queue.length : Math.max(end, 1));
  }

  #waitForLocks(milliseconds: number): void {
    this.database.pragma(`busy_timeout = ${milliseconds}`);
  }
}

function weight({ size }: Write): number {
  return 2 * size + OVERHEAD;
}
