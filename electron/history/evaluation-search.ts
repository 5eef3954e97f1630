/** Full-text search in a thread of its own, so that it never stalls an evaluation. */
import { Worker } from 'node:worker_threads';
import { HarborError } from '../contract/errors';
import type { HistoryPage, HistoryQuery } from '../contract/model';
import { asPage, pageSelect, type Select, type SelectedRow } from './page';

export interface SearchQuestion extends Select {
  id: number;
}

export type SearchAnswer = { id: number; rows: unknown[] } | { id: number; problem: string };

type Pending = PromiseWithResolvers<SelectedRow[]>;

export class EvaluationSearch {
  readonly #databaseFile: string;
  readonly #workerUrl: URL;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #lastId = 0;

  /** @param workerUrl search-worker.ts, as it is bundled; it starts with the first search */
  constructor(databaseFile: string, workerUrl: URL) {
    this.#databaseFile = databaseFile;
    this.#workerUrl = workerUrl;
  }

  /** Rows that contain the query's text somewhere in code, values, output or condition, newest first.
   * @throws HarborError `internal` when the search stopped; the next one starts anew */
  async page(query: HistoryQuery): Promise<HistoryPage> {
    const pending: Pending = Promise.withResolvers();
    const id = ++this.#lastId;
    this.#pending.set(id, pending);
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id, ...pageSelect(query) } satisfies SearchQuestion);
    return asPage(await pending.promise, query.limit);
  }

  /** Searches that still run fail. */
  async end(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#workerUrl, { workerData: { file: this.#databaseFile } });
    let reason = '';
    worker.on('message', (answer: SearchAnswer) => this.#settle(answer));
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', (code) => this.#stopped(reason || `exit code ${code}`));
    return worker;
  }

  #stopped(reason: string): void {
    this.#worker = null;
    for (const { reject } of this.#pending.values()) {
      reject(
        new HarborError('internal', `The search stopped before it had an answer (${reason}). Search again.`),
      );
    }
    this.#pending.clear();
  }

  #settle(answer: SearchAnswer): void {
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if ('problem' in answer) {
      pending?.reject(new HarborError('internal', `The history could not be searched: ${answer.problem}`));
    } else {
      pending?.resolve(answer.rows as SelectedRow[]);
    }
  }
}
