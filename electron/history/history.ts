/** The product's memory as one service: everything kept in the data folder's database, and the search over it. */
import type { HistoryPage, HistoryQuery } from '../contract/model';
import { Calls } from './calls';
import { CheckpointRows } from './checkpoint-rows';
import { openDatabase } from './database';
import { EvaluationSearch } from './evaluation-search';
import { Evaluations } from './evaluations';
import { laidOver } from './overlay';
import { searchText } from './page';
import { ReplacedFiles } from './replaced-files';
import { Replays } from './replays';
import { RowsAtHand } from './rows-at-hand';
import { SessionRows } from './session-rows';
import { writingNotice } from './waiting-notes';
import { Writer } from './writer';

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
  readonly #search: EvaluationSearch;

  /**
   * Opens the database and closes what an earlier run left open. The caller holds the data folder's lock.
   * @param workerUrl the bundled search-worker.ts
   * @throws HarborError `data_folder_unusable`, `data_folder_in_use`
   */
  constructor(file: string, workerUrl: URL) {
    const { database, notices } = openDatabase(file);
    const [writer, rows] = [new Writer(database), new RowsAtHand()];
    this.writer = writer;
    this.notices = notices;
    this.evaluations = new Evaluations(writer, rows);
    this.calls = new Calls(writer);
    this.sessions = new SessionRows(writer);
    this.checkpoints = new CheckpointRows(writer);
    this.replacedFiles = new ReplacedFiles(writer);
    this.replays = new Replays(writer, rows);
    this.#search = new EvaluationSearch(file, workerUrl);
    this.evaluations.closeAbandoned(ABANDONED);
    this.sessions.endAbandoned();
  }

  /** What people must know while rows cannot be written, and when some are lost; else null. */
  get notice(): string | null {
    return writingNotice(this.writer.waiting, this.writer.lost);
  }

  /** Newest first. Texts are searched in the worker, everything else is answered here. */
  async page(query: HistoryQuery): Promise<HistoryPage> {
    if (searchText(query) === null) return this.evaluations.page(query);
    const overlay = this.evaluations.overlay(query);
    return laidOver(await this.#search.page(overlay.query), overlay, query.limit);
  }

  /** Writes what waits, as far as that can be done, and closes the database; once more does nothing. */
  async close(): Promise<void> {
    const { database } = this.writer;
    if (!database.open) return;
    this.writer.catchUp();
    this.evaluations.flush();
    await this.#search.end();
    // The last connection to close empties and removes the write-ahead log.
    database.close();
  }
}
