/** The product's memory as one service: everything kept in the data folder's database, and the index of it. */
import { EventEmitter } from 'node:events';
import type { HistoryPage, HistoryQuery } from '../contract/model';
import { Calls } from './calls';
import { CheckpointRows } from './checkpoint-rows';
import { closedWell } from './clean-end';
import { openDatabase } from './database';
import { Evaluations } from './evaluations';
import type { QuestionName, Questions } from './index/questions';
import { IndexClient } from './index-client';
import { laidOver } from './overlay';
import { Redaction } from './redaction';
import { ReplacedFiles } from './replaced-files';
import { Replays } from './replays';
import { Retention, type TakenOut } from './retention';
import { RowsAtHand } from './rows-at-hand';
import { SessionRows } from './session-rows';
import { damageNotice, writingNotice } from './waiting-notes';
import { Writer } from './writer';

/** After a start, when what a killed harbor left is read through: others have their turn first. */
const CHECKED_AFTER_MS = 3_000;

const ABANDONED = 'The harbor ended while this ran; what became of it is not known.';

export class History {
  readonly writer: Writer;
  /** Sentences for people, such as where a damaged history was put. */
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
   * Opens the database and closes what an earlier run left open. The caller holds the data folder's lock.
   * @param workerUrl the bundled search-worker.ts
   * @throws HarborError `data_folder_unusable`, `data_folder_in_use`
   */
  constructor(file: string, workerUrl: URL) {
    const { database, notices, unchecked } = openDatabase(file);
    const [writer, rows] = [new Writer(database), new RowsAtHand()];
    this.writer = writer;
    this.notices = notices;
    this.calls = new Calls(writer, this.redaction, () => this.events.emit('changed'));
    this.#index = new IndexClient(workerUrl, { file, callsBefore: this.calls.newest });
    this.evaluations = new Evaluations(writer, rows, (id) => this.#index.changed(id));
    this.sessions = new SessionRows(writer);
    this.checkpoints = new CheckpointRows(writer);
    this.replacedFiles = new ReplacedFiles(writer);
    this.replays = new Replays(writer, rows);
    this.retention = new Retention(writer, (taken) => this.#forget(taken));
    this.evaluations.closeAbandoned(ABANDONED);
    this.sessions.endAbandoned();
    this.#isWhole = !unchecked;
    if (unchecked) setTimeout(() => void this.#check(), CHECKED_AFTER_MS).unref();
  }

  /** What people must know while rows cannot be written, and when some are lost; else null. */
  get notice(): string | null {
    return this.#damage ?? writingNotice(this.writer.waiting, this.writer.lost);
  }

  /** Evaluations, newest first, with those that wait to be written. */
  async page(query: HistoryQuery): Promise<HistoryPage> {
    const overlay = this.evaluations.overlay(query);
    return laidOver(await this.#index.ask('page', overlay.query), overlay, query.limit);
  }

  /** What the index knows once it has all that is written.
   * @throws HarborError `internal` when it stopped; the next question starts it anew */
  async ask<Q extends QuestionName>(name: Q, args: Questions[Q]['args']): Promise<Questions[Q]['answer']> {
    this.evaluations.flush();
    return this.#index.ask(name, args);
  }

  /** Writes what waits, as far as that can be done, and closes the database; once more does nothing. */
  async close(): Promise<void> {
    const { database } = this.writer;
    if (!database.open) return;
    this.retention.end();
    this.writer.catchUp();
    this.evaluations.flush();
    await this.#index.end();
    // The last connection to close empties and removes the write-ahead log.
    database.close();
    if (this.#isWhole && this.writer.waiting === null) closedWell(database.name);
  }

  /** What the index cannot be told now it drops when it is made anew; its entries without a row are in no list. */
  #forget(taken: TakenOut): void {
    this.#index.ask('forget', taken).catch(() => undefined);
    this.events.emit('changed');
  }

  /** Reads through, in the index's thread, what a harbor left that was killed. */
  async #check(): Promise<void> {
    const { name } = this.writer.database;
    try {
      const verdict = await this.#index.ask('check', null);
      this.#isWhole = verdict === null;
      if (verdict !== null) this.#damage = damageNotice(name, verdict);
    } catch {
      // Then the next start reads it through.
    }
  }
}
