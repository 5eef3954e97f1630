/** The history as one service: the database of the data folder and its search index. */

import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { HarborError } from '../contract/errors';
import type { HistoryPage, HistoryQuery } from '../contract/model';
import { Calls } from './calls';
import { closedWell, openDatabase } from './database';
import { Evaluations } from './evaluations';
import type {
  IndexQueries,
  IndexQueryName,
  IndexRequest,
  IndexResponse,
  IndexThreadData,
  SearchWorkerData,
} from './index/queries';
import { Turns } from './ingest';
import { Journal } from './journal';
import { applyOverlay, damageNotice, journalNotice, OpenRowCache, writingNotice } from './open-row-cache';
import { Redaction } from './redaction';
import { ReplacedFiles } from './replaced-files';
import { type RemovedRows, Retention } from './retention';
import { CheckpointRows, Replays, SessionRows } from './session-rows';
import { Writer } from './writer';

/** Delay of the check of a database after a crash, so that the start comes first. */
const CHECK_DELAY_MS = 3_000;

const ABANDONED = 'The harbor ended while this ran; its result is not known.';

export class History {
  readonly writer: Writer;
  /** Messages for the user, such as where a damaged history was moved. */
  readonly notices: readonly string[];
  readonly evaluations: Evaluations;
  readonly calls: Calls;
  readonly sessions: SessionRows;
  readonly checkpoints: CheckpointRows;
  readonly replacedFiles: ReplacedFiles;
  readonly replays: Replays;
  readonly events = new EventEmitter<{ changed: [] }>();
  readonly retention: Retention;
  readonly redaction = new Redaction();
  readonly #index: IndexClient;
  #isWhole: boolean;
  #damage: string | null = null;

  /**
   * Opens the database and closes rows that an earlier run left open. The caller holds the lock of the data
   * folder.
   * @param workerUrl the bundled search-worker.ts
   * @throws HarborError `data_folder_unusable`, `data_folder_in_use`
   */
  constructor(file: string, workerUrl: URL) {
    const { database, notices, unchecked } = openDatabase(file);
    const turns = new Turns();
    const writer = new Writer(database, { file: new Journal(file), turns });
    const rows = new OpenRowCache();
    this.writer = writer;
    this.notices = notices;
    writer.on('damaged', (files) => {
      this.#damage = journalNotice(files);
    });
    // Records that a killed harbor left.
    writer.settle();
    this.calls = new Calls(writer, this.redaction, () => this.events.emit('changed'));
    this.#index = new IndexClient(workerUrl, { file, callsBefore: this.calls.newest }, writer, turns);
    writer.on('recorded', (bytes) => this.#index.recorded(bytes));
    this.evaluations = new Evaluations(writer, rows, (id) => this.#index.changed(id));
    this.sessions = new SessionRows(writer);
    this.checkpoints = new CheckpointRows(writer);
    this.replacedFiles = new ReplacedFiles(writer);
    this.replays = new Replays(writer, rows);
    this.retention = new Retention(writer, (taken) => this.#forget(taken));
    this.evaluations.closeAbandoned(ABANDONED);
    this.sessions.endAbandoned();
    this.#isWhole = !unchecked;
    if (unchecked) setTimeout(() => void this.#check(), CHECK_DELAY_MS).unref();
  }

  /** A message for the user while rows cannot be written, or if rows were lost; else null. */
  get notice(): string | null {
    this.writer.settle();
    return this.#damage ?? writingNotice(this.writer.waiting, this.writer.lost);
  }

  /** Returns evaluations, newest first, including rows that are not yet written. */
  async page(query: HistoryQuery): Promise<HistoryPage> {
    const isComplete = this.writer.waiting === null;
    const overlay = this.evaluations.overlay(query);
    const page = await this.#index.request('page', overlay.query);
    // The journal could not be brought in: its rows are in memory.
    if (isComplete && this.writer.waiting !== null) return this.page(query);
    return applyOverlay(page, overlay, query.limit);
  }

  /**
   * Queries the index after all rows so far are in it.
   * @throws HarborError `internal` if the index thread stopped; the next query starts it again
   */
  async query<Q extends IndexQueryName>(
    name: Q,
    args: IndexQueries[Q]['args'],
  ): Promise<IndexQueries[Q]['answer']> {
    this.evaluations.flush();
    return this.#index.request(name, args);
  }

  /** Writes pending rows if possible and closes the database. Does nothing if called again. */
  async close(): Promise<void> {
    const { database } = this.writer;
    if (!database.open) return;
    this.retention.end();
    await this.#index.end();
    this.writer.catchUp();
    this.evaluations.flush();
    this.writer.settle();
    this.writer.close();
    // The last connection to close empties and removes the write-ahead log.
    database.close();
    if (this.#isWhole && this.writer.waiting === null) closedWell(database.name);
  }

  /**
   * Removes rows from the index. If that fails, a rebuilt index omits them; entries without a row appear in
   * no list.
   */
  #forget(taken: RemovedRows): void {
    this.#index.request('forget', taken).catch(() => undefined);
    this.events.emit('changed');
  }

  /** Checks the database after a crash, in the index thread. */
  async #check(): Promise<void> {
    const { name } = this.writer.database;
    try {
      const verdict = await this.#index.request('check', null);
      this.#isWhole = verdict === null;
      if (verdict !== null) this.#damage = damageNotice(name, verdict);
    } catch {
      // The next start checks it.
    }
  }
}

// The worker thread of the index: started by the first request, ended when idle.

/** Closed rows are indexed when no row was closed for this long. */
const QUIET_MS = 200;
/** Maximum rows that are not yet indexed; with more, they are indexed at once. */
const MAX_WAITING = 1_000;
/**
 * Maximum records, and their bytes, that are not yet brought into the history; with more, they are at once. So a
 * full disk is noticed early.
 */
const MAX_RECORDED = { count: 400, bytes: 256 * 1024 };
/** The thread ends after this long without a request. */
const IDLE_MS = 60_000;

/** The answer of a request that is to be repeated. */
const AGAIN = Symbol('again');

type Pending = PromiseWithResolvers<unknown> & { settles: number };

class IndexClient {
  readonly #workerUrl: URL;
  readonly #data: SearchWorkerData;
  readonly #writer: Writer;
  readonly #turns: Turns;
  readonly #pending = new Map<number, Pending>();
  readonly #closed = new Set<number>();
  #worker: Worker | null = null;
  #timer: NodeJS.Timeout | null = null;
  #idle: NodeJS.Timeout | null = null;
  #lastId = 0;
  #ended = false;
  /** Records since the last request. */
  #recorded = { count: 0, bytes: 0 };
  /** Whether the thread has just brought in records, which it has indexed too. */
  #isIndexed = false;

  /** @param workerUrl the bundled search-worker.ts; it starts with the first request */
  constructor(workerUrl: URL, data: IndexThreadData, writer: Writer, turns: Turns) {
    this.#workerUrl = workerUrl;
    this.#data = { ...data, turns: turns.buffer };
    this.#writer = writer;
    this.#turns = turns;
  }

  /**
   * @throws HarborError `internal` if the thread stopped or the history is closed; otherwise the next request
   *   starts it again
   */
  async request<Q extends IndexQueryName>(
    name: Q,
    args: IndexQueries[Q]['args'],
  ): Promise<IndexQueries[Q]['answer']> {
    if (this.#ended) throw new HarborError('internal', 'The history is closed.');
    const unsettled = this.#writer.unsettled;
    const pending: Pending = { ...Promise.withResolvers<unknown>(), settles: unsettled?.count ?? 0 };
    const id = ++this.#lastId;
    this.#pending.set(id, pending);
    this.#worker ??= this.#start();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const [closed, journal] = [[...this.#closed], unsettled && { end: unsettled.end }];
    this.#worker.postMessage({ id, name, args, closed, journal } satisfies IndexRequest<Q>);
    this.#closed.clear();
    this.#recorded = { count: 0, bytes: 0 };
    this.#endWhenIdle();
    const answer = await pending.promise;
    // The thread could not bring in the journal, but this one could.
    if (answer === AGAIN) return this.request(name, args);
    return answer as IndexQueries[Q]['answer'];
  }

  /** Schedules that the journal is brought into the history. */
  recorded(bytes: number): void {
    this.#recorded.count += 1;
    this.#recorded.bytes += bytes;
    this.#soon(this.#recorded.count > MAX_RECORDED.count || this.#recorded.bytes > MAX_RECORDED.bytes);
  }

  /** Schedules the indexing of a row that has ended or changed. */
  changed(evaluation: number): void {
    if (this.#isIndexed) return;
    this.#closed.add(evaluation);
    this.#soon(this.#closed.size > MAX_WAITING);
  }

  #soon(atOnce: boolean): void {
    if (this.#ended) return;
    if (atOnce) this.#poke();
    else if (this.#timer !== null) this.#timer.refresh();
    else this.#timer = setTimeout(() => this.#poke(), QUIET_MS).unref();
  }

  /** Errors are ignored: a request that somebody waits for reports them. */
  #poke(): void {
    this.request('poke', null).catch(() => undefined);
  }

  /** Ends the thread; pending requests are rejected. */
  async end(): Promise<void> {
    this.#ended = true;
    for (const timer of [this.#timer, this.#idle]) if (timer !== null) clearTimeout(timer);
    await this.#worker?.terminate();
    this.#turns.end();
  }

  #endWhenIdle(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#pending.size > 0) return;
      this.#worker?.removeAllListeners('exit').postMessage('end');
      this.#worker = null;
    }, IDLE_MS).unref();
  }

  #start(): Worker {
    const worker = new Worker(this.#workerUrl, { workerData: this.#data });
    worker.unref();
    let reason = '';
    worker.on('message', (answer: IndexResponse) => this.#settle(answer));
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', (code) => this.#stopped(reason || `exit code ${code}`));
    return worker;
  }

  #stopped(reason: string): void {
    this.#worker = null;
    this.#turns.end();
    for (const { reject } of this.#pending.values()) {
      reject(
        new HarborError('internal', `The search stopped before it was complete (${reason}). Search again.`),
      );
    }
    this.#pending.clear();
  }

  #settle(answer: IndexResponse): void {
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (answer.ingested !== undefined && pending) {
      this.#isIndexed = answer.ingested !== null;
      this.#writer.settled(pending.settles, answer.ingested);
      this.#isIndexed = false;
    }
    if (answer.ingested === null && this.#writer.waiting === null) pending?.resolve(AGAIN);
    else if ('problem' in answer) {
      pending?.reject(new HarborError('internal', `The history could not be searched: ${answer.problem}`));
    } else {
      pending?.resolve(answer.value);
    }
  }
}
