/** The product's memory as one service: everything kept in the data folder's database, and the search over it. */
import type { Database } from 'better-sqlite3';
import { HarborError } from '../contract/errors';
import type { HistoryPage, HistoryQuery } from '../contract/model';
import { Calls } from './calls';
import { CheckpointRows } from './checkpoint-rows';
import { openDatabase } from './database';
import { EvaluationSearch } from './evaluation-search';
import { Evaluations } from './evaluations';
import { searchText } from './page';
import { ReplacedFiles } from './replaced-files';
import { Replays } from './replays';
import { SessionRows } from './session-rows';

const ABANDONED = 'The harbor ended while this ran; what became of it is not known.';

export class History {
  readonly database: Database;
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
    this.database = database;
    this.notices = notices;
    this.evaluations = new Evaluations(database);
    this.calls = new Calls(database);
    this.sessions = new SessionRows(database);
    this.checkpoints = new CheckpointRows(database);
    this.replacedFiles = new ReplacedFiles(database);
    this.replays = new Replays(database);
    this.#search = new EvaluationSearch(file, workerUrl);
    this.evaluations.closeAbandoned(ABANDONED);
    this.sessions.endAbandoned();
  }

  /** Newest first. Texts are searched in the worker, everything else is answered here. */
  async page(query: HistoryQuery): Promise<HistoryPage> {
    if (searchText(query) === null) return this.evaluations.page(query);
    this.evaluations.flush();
    return this.#search.page(query);
  }

  /** Writes what waits and closes the database; once more does nothing. */
  async close(): Promise<void> {
    if (!this.database.open) return;
    this.#flush();
    await this.#search.end();
    // The last connection to close empties and removes the write-ahead log.
    this.database.close();
  }

  /** What cannot be indexed now, on a full disk for instance, is at the next start. */
  #flush(): void {
    try {
      this.evaluations.flush();
    } catch (error) {
      if (!(error instanceof HarborError)) throw error;
    }
  }
}
