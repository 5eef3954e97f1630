/**
 * The queue of all writes to the database. Writes of evaluations and calls are appended to the journal; the search worker
 * brings them into the database, or this thread does when somebody reads, or writes directly. If the disk is full or
 * another program has locked the file, writes are queued in memory and written later, in order.
 */
import { EventEmitter } from 'node:events';
import type { Database } from 'better-sqlite3';
import { HarborError } from '../contract/errors';
import { isBusy, reportingFileErrors, whyUnwritable } from './database';
import { Ingest, type Ingested, type Turns } from './ingest';
import type { Journal, JournalEnd } from './journal';
import { RowWrites, type Write, weightOf } from './row-writes';

/** Maximum queued bytes, without the output of evaluations; further writes are dropped. */
export const MOST_WAITING = 32 * 1024 * 1024;
/** Bytes of one transaction while the queue is written; evaluations wait for it. */
const BATCH = 1024 * 1024;
/** Maximum milliseconds that a write waits for the lock of another program, blocking everything else. */
const BUSY_MS = 50;
/** Milliseconds between attempts: the first, and the maximum. */
const RETRY_MS = { first: 200, longest: 5_000 };
/** Bytes of the journal that are not in the database; with more, the next write waits until they are. */
const MOST_RECORDED = 8 * 1024 * 1024;
/** After so much rest a record goes into the database at once: then the answer can say if it cannot be written. */
const REST_MS = 250;
/** Maximum milliseconds that a write waits for transactions of the search worker. */
const MAX_TURN_WAIT_MS = 5_000;

/** Why nothing can be written, and how many writes are queued and were dropped. */
export interface Waiting {
  because: string;
  writes: number;
  lost: number;
}

/** `waiting`: writes are queued from now on; `resumed`: all are written; `recorded`: the journal has more records. */
export interface WriterEvents {
  waiting: [];
  resumed: [];
  recorded: [bytes: number];
  /** Files of the journal. */
  damaged: [files: readonly string[]];
}

/** A write in the journal, with the bytes of its record if it is the record's first. */
type Recorded = { write: Write; bytes: number };

export class Writer extends EventEmitter<WriterEvents> {
  readonly database: Database;
  readonly rows: RowWrites;
  readonly #inOrder: (writes: readonly Write[]) => void;
  readonly #backlogs: (() => void)[] = [];
  readonly #journal: { file: Journal; ingest: Ingest; turns: Turns } | null;
  /** Writes in the journal that are not known to be in the database. */
  #recorded: Recorded[] = [];
  #recordedBytes = 0;
  /** The number of writes that the journal has ever had. */
  #everRecorded = 0;
  #lastRecordedAt = Number.NEGATIVE_INFINITY;
  /** Scheduled for the first record after a rest. */
  #first: NodeJS.Immediate | null = null;
  /** Whether earlier harbors may have left records. */
  #hasLeftovers: boolean;
  #queue: Write[] = [];
  /** Written together with the next write. */
  #soon: Write[] = [];
  #soonDue = 0;
  #soonTimer: NodeJS.Timeout | null = null;
  #bytes = 0;
  #lost = 0;
  #because: string | null = null;
  #isClosed = false;
  #retryMs = RETRY_MS.first;
  #timer: NodeJS.Timeout | null = null;

  /** @param journal absent: every write goes into the database directly */
  constructor(database: Database, journal?: { file: Journal; turns: Turns }) {
    super();
    this.database = database;
    this.rows = new RowWrites(database);
    this.#journal = journal ? { ...journal, ingest: new Ingest(database, this.rows) } : null;
    this.#hasLeftovers = journal !== undefined;
    this.#inOrder = database.transaction((writes: readonly Write[]) => {
      for (const write of writes) this.#run(write);
    });
    this.#waitForLocks(BUSY_MS);
  }

  /** Null while everything can be written. */
  get waiting(): Waiting | null {
    if (this.#because === null) return null;
    const recorded = this.#recorded.filter(({ write }) => !('data' in write) || write.data[0] !== 'output');
    return { because: this.#because, writes: this.#queue.length + recorded.length, lost: this.#lost };
  }

  /** The highest ids that only the journal has, after a start that could not write. */
  get newestRecorded(): { evaluation: number; call: number } {
    const left = this.#hasLeftovers ? this.#journal?.ingest.newestIds() : undefined;
    return left ?? { evaluation: 0, call: 0 };
  }

  /** The number of writes of this run that were dropped. */
  get lost(): number {
    return this.#lost;
  }

  /** Records it in the journal or writes it at once, or later in order. */
  write(write: Write): void {
    const soon = this.#takeSoon();
    if (this.#record([...soon, write])) return;
    const done = this.#attempt(() => this.#together(soon, write));
    for (const each of [...soon, write]) {
      if (done) each.written?.();
      else this.#add(each);
    }
  }

  /**
   * Appends the writes to the journal.
   * @returns false if there is none, or it cannot be used now
   */
  record(writes: readonly Write[]): boolean {
    this.flush();
    return this.#record(writes);
  }

  /** As `write`, but in one transaction with the next write, at the latest after so many milliseconds. */
  writeSoon(write: Write, milliseconds: number): void {
    if (this.#because !== null || !this.#isOpen) {
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

  /**
   * Runs a write whose result the caller must know.
   * @throws HarborError `data_folder_unusable` or `data_folder_in_use` if it cannot be written now
   */
  now(work: () => void): void {
    this.catchUp();
    const { name } = this.database;
    if (this.#because !== null)
      throw new HarborError('data_folder_unusable', `${name} cannot be written: ${this.#because}.`);
    reportingFileErrors(name, () => this.#inTurn(work));
  }

  /** Brings everything that was written so far into the database. Returns whether that succeeded. */
  settle(): boolean {
    return this.attempt(() => undefined);
  }

  /** Brings the first record after a rest into the database, if that is still to be done. */
  settleFirst(): void {
    if (this.#first === null) return;
    clearImmediate(this.#first);
    this.#first = null;
    this.#attempt(() => undefined);
  }

  /** The end of the journal for the search worker; null if it has nothing to bring in. */
  get unsettled(): { end: JournalEnd; count: number } | null {
    if (this.#because !== null || this.#journal === null || this.#recorded.length === 0) return null;
    return { end: this.#journal.file.end, count: this.#everRecorded };
  }

  /**
   * The search worker has brought in the first `count` writes of the journal; null: it could not, so this
   * thread tries.
   */
  settled(count: number, report: Omit<Ingested, 'closed'> | null): void {
    if (report === null) this.settle();
    else this.#ingested(count, report);
  }

  /** Closes the journal, before the database is closed. Records that are not in the database stay in it. */
  close(): void {
    this.#isClosed = true;
    this.#journal?.file.close();
  }

  /** Asking the database takes as long as a record. */
  get #isOpen(): boolean {
    return this.#journal === null ? this.database.open : !this.#isClosed;
  }

  #record(writes: readonly Write[]): boolean {
    if (this.#journal === null || this.#because !== null || !this.#isOpen) return false;
    const data = writes.flatMap((write) => ('data' in write ? [write.data] : []));
    if (data.length < writes.length) return false;
    let bytes: number;
    try {
      bytes = this.#journal.file.append(data);
    } catch {
      // The database may have room, or can say what is wrong.
      return false;
    }
    for (const [index, write] of writes.entries()) {
      this.#recorded.push({ write, bytes: index === 0 ? bytes : 0 });
      write.recorded?.();
    }
    this.#recordedBytes += bytes;
    this.#everRecorded += writes.length;
    const before = this.#lastRecordedAt;
    this.#lastRecordedAt = performance.now();
    if (this.#recordedBytes > MOST_RECORDED) this.#attempt(() => undefined);
    else if (this.#lastRecordedAt - before > REST_MS) this.#first ??= setImmediate(() => this.settleFirst());
    this.emit('recorded', bytes);
    return true;
  }

  /** @throws errors about the file */
  #ingest(): void {
    if (this.#journal === null || (this.#recorded.length === 0 && !this.#hasLeftovers)) return;
    const count = this.#everRecorded;
    const report = this.#journal.ingest.run(this.#journal.file.end);
    this.#hasLeftovers = false;
    this.#ingested(count, report);
  }

  #ingested(count: number, { rejected, damaged, active }: Omit<Ingested, 'closed'>): void {
    const remaining = this.#everRecorded - count;
    const done = this.#recorded.splice(0, Math.max(0, this.#recorded.length - remaining));
    this.#lost += active === 'gone' ? done.length : rejected;
    if (damaged.length > 0) this.emit('damaged', damaged);
    if (active !== 'whole') this.#journal?.file.close();
    else if (this.#recorded.length === 0) this.#journal?.file.clear();
    for (const { write, bytes } of done) {
      this.#recordedBytes -= bytes;
      write.written?.();
    }
  }

  #run(write: Write): void {
    if ('data' in write) this.rows.run(write.data);
    else write.run();
  }

  #attempt(work: () => void): boolean {
    if (this.#because !== null || !this.#isOpen) return false;
    try {
      this.#inTurn(() => {
        this.#ingest();
        work();
      });
      return true;
    } catch (error) {
      this.#wait(error);
      return false;
    }
  }

  /** Repeats work that finds the database locked by the search worker. */
  #inTurn(work: () => void): void {
    const until = performance.now() + MAX_TURN_WAIT_MS;
    for (;;) {
      const turn = this.#journal?.turns.now;
      try {
        work();
        return;
      } catch (error) {
        const wasWorker = isBusy(error) && this.#journal?.turns.now !== turn;
        if (!wasWorker || performance.now() >= until) throw error;
      }
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
    this.#bytes -= weightOf(write);
  }

  /** Writes the whole queue if possible. */
  catchUp(): void {
    if (this.#because === null || !this.#isOpen) return;
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
      if (soon.length === 0 && 'run' in write) write.run();
      else this.#inOrder([...soon, write]);
    } catch (error) {
      if (whyUnwritable(error) !== null || soon.length === 0) throw error;
      for (const each of soon) this.#alone(each);
      this.#inOrder([write]);
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
    if (this.#because === null || this.#bytes + weightOf(write) <= MOST_WAITING) return true;
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
    this.#bytes += weightOf(write);
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
      this.#ingest();
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
    for (const write of writes) this.#bytes -= weightOf(write);
    for (const write of writes) write.written?.();
  }

  #batch(): Write[] {
    let bytes = 0;
    const end = this.#queue.findIndex((write) => {
      bytes += weightOf(write);
      return bytes > BATCH;
    });
    return this.#queue.slice(0, end < 0 ? this.#queue.length : Math.max(end, 1));
  }

  #waitForLocks(milliseconds: number): void {
    this.database.pragma(`busy_timeout = ${milliseconds}`);
  }
}
