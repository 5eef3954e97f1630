/** Searches for lemmas, in a thread of its own (lemma-worker.ts), which begins with the first one. */
import { Worker } from 'node:worker_threads';
import { HarborError } from '../../contract/errors';
import type { FoundLemmas } from './lemma-index';
import type { Fit } from './lemma-pattern';

export interface LemmaSearchRequest {
  /** A term as text; a symbol is a part of the lemma's name. */
  pattern: string;
  /** Formulas as text, of which is to be said how they fit. */
  formulas: readonly string[];
  /** Folder of books; absent where there are none. */
  books?: string | undefined;
  /** Lemmas of books that are answered. */
  limit: number;
}

export interface LemmaSearchResult {
  /** Of each formula; null for one that does not fit. */
  fits: (Fit | null)[];
  /** `done` books of `of` have been read, and there is no answer before all are; null where there are no books. */
  books: FoundLemmas | { done: number; of: number } | null;
}

/** `cache` is the folder of indexes. */
export interface LemmaQuestion extends LemmaSearchRequest {
  id: number;
  cache: string;
}

export type LemmaAnswer = { id: number } & (LemmaSearchResult | { problem: string });

export interface LemmaSearchOptions {
  folder: string;
  /** The bundled lemma-worker.ts. */
  worker: URL;
}

export class LemmaSearch {
  readonly #options: LemmaSearchOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<LemmaSearchResult>>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(options: LemmaSearchOptions) {
    this.#options = options;
  }

  /** @throws HarborError `query_failed` */
  async find(request: LemmaSearchRequest): Promise<LemmaSearchResult> {
    const waiting = Promise.withResolvers<LemmaSearchResult>();
    const id = ++this.#lastId;
    this.#waiting.set(id, waiting);
    this.#worker ??= this.#start();
    this.#worker.postMessage({ ...request, id, cache: this.#options.folder } satisfies LemmaQuestion);
    return waiting.promise;
  }

  #start(): Worker {
    const worker = new Worker(this.#options.worker);
    // It keeps nothing that a harbor which ends would wait for.
    worker.unref();
    let reason = '';
    worker.on('message', (answer: LemmaAnswer) => this.#settle(answer));
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', (code) => {
      this.#worker = null;
      const problem = reason || `its thread ended with ${code}`;
      for (const id of [...this.#waiting.keys()]) this.#settle({ id, problem });
    });
    return worker;
  }

  #settle(answer: LemmaAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (!('problem' in answer)) waiting?.resolve(answer);
    else
      waiting?.reject(
        new HarborError('query_failed', `Lemmas could not be searched: ${answer.problem}. Search again.`),
      );
  }
}
