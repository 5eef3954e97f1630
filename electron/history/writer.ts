/**
 * The queue of all writes to the database. If the disk is full or another program has locked the file, writes
 * are queued in memory and written later, in order.
 */
import { EventEmitter } from 'node:events';
import type { Database } from 'better-sqlite3';
import { whyUnwritable } from './database';

/** Maximum queued bytes, without the output of evaluations; further writes are dropped. */
export const MOST_WAITING = 32 * 1024 * 1024;
/** Bytes of one transaction while the queue is written; evaluations wait for it. */
const BATCH = 1024 * 1024;
/** Maximum milliseconds that a write waits for the lock of another program, blocking everything else. */
const BUSY_MS = 50;
/** Milliseconds between attempts: the first, and the maximum. */
const RETRY_MS = { first: 200, longest: 5_000 };
/** Bytes of an entry in addition to its texts. */
const OVERHEAD = 512;

/** A write. It runs in a transaction and must tolerate another run if the transaction failed. */
export interface Write {
  /** The approximate number of characters. */
  size: number;
  run(): void;
  /** Called when it is in the database. */
  written?(): void;
}

/** Why nothing can be written, and how much is queued. */
export interface Waiting {
  because: string;
  writes: number;
  /** Writes that were dropped. */
  lost: number;
}

export interface WriterEvents {
  /** Writes are queued from now on. */
  waiting: [];
  /** All queued writes are written. */
  resumed: [];
}

export class Writer extends EventEmitter<WriterEvents> {
  readonly database: Database;
  readonly #inOrder: (writes: readonly Write[]) => void;
  readonly #backlogs: (() => void)[] = [];
  #queue: Write[] = [];
  /** Written together with the next write. */
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

  /** The number of writes of this run that were dropped. */
  get lost(): number {
    return this.#lost;
  }

  /** Writes at once, or later in order. */
  write(write: Write): void {
    const soon = this.#takeSoon();
    const done = this.#attempt(() => (soon.length === 0 ? write.run() : this.#together(soon, write)));
    for (const each of [...soon, write]) {
      if (done) each.written?.();
      else this.#add(each);
    }
  }

  /** As `write`, but in one transaction with the next write, at the latest after so many milliseconds. */
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

  /**
   * As `write`, for a write that may be dropped. Returns false, and counts it as lost, if there is no room
   * for it.
   */
  writeIfRoom(write: Write): boolean {
    if (!this.#hasRoom(write)) return false;
    this.write(write);
    return true;
  }

  /** As `writeIfRoom`, combined with the next write. */
  writeSoonIfRoom(write: Write, milliseconds: number): boolean {
    if (!this.#hasRoom(write)) return false;
    this.writeSoon(write, milliseconds);
    return true;
  }

  /** Writes what `writeSoon` has postponed. */
  flush(): void {
    const [last, ...before] = this.#takeSoon().reverse();
    if (last === undefined) return;
    this.#soon = before.reverse();
    this.write(last);
  }

  /**
   * Runs `work` and returns whether it succeeded; always false after the database was closed. Work that
   * failed must be among the backlogs.
   */
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

  /**
   * Adds a backlog with its own queue: when writing is possible again, `work` runs after the queued writes
   * and before new ones.
   */
  addBacklog(work: () => void): void {
    this.#backlogs.push(work);
  }

  /** Removes a queued write. */
  drop(write: Write): void {
    this.#soon = this.#soon.filter((each) => each !== write);
    const index = this.#queue.indexOf(write);
    if (index < 0) return;
    this.#queue.splice(index, 1);
    this.#bytes -= weight(write);
  }

  /** Writes the whole queue if possible. */
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

  /**
   * Runs the writes in one transaction. If the database rejects one of them for another reason than the file,
   * the others are still written.
   */
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

  /** @throws errors that are not about the file */
  #wait(error: unknown): void {
    const because = whyUnwritable(error);
    if (because === null) throw error;
    this.#because = because;
    // Retries are frequent, so each need not wait for the lock.
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

  /** Runs the writes one by one, because the database rejects one of them. */
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
