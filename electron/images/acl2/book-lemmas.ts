/** Lemmas of books that need not be loaded, found by a thread of its own (lemma-worker.ts), which begins with the first search. */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { HarborError } from '../../contract/errors';
import type { FoundLemma, FoundLemmas } from './lemma-index';

/** `cache` is the folder of indexes; `pattern` is a term as text. */
export interface LemmaQuestion {
  id: number;
  cache: string;
  books: string;
  pattern: string;
  limit: number;
}

/** `making`: how many books of how many have been read; there is no answer before all are. */
export type LemmaAnswer = FoundLemmas | { making: { done: number; of: number } } | { problem: string };

type Told = Exclude<LemmaAnswer, { problem: string }>;

/** `file` is that of its book. */
export interface PlacedLemma extends FoundLemma {
  file: string;
}

type Placed = Exclude<Told, FoundLemmas> | { lemmas: PlacedLemma[]; total: number };

export interface BookLemmasOptions {
  folder: string;
  worker: URL;
}

export class BookLemmas {
  readonly #options: BookLemmasOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<Told>>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(options: BookLemmasOptions) {
    this.#options = options;
  }

  /** @param books their folder @throws HarborError `query_failed` */
  async find(books: string, pattern: string, limit: number): Promise<Placed> {
    const answer = await this.#ask(books, pattern, limit);
    if ('making' in answer) return answer;
    const lemmas = answer.lemmas.map((lemma) => ({ ...lemma, file: path.join(books, `${lemma.book}.lisp`) }));
    return { ...answer, lemmas };
  }

  #ask(books: string, pattern: string, limit: number): Promise<Told> {
    const waiting = Promise.withResolvers<Told>();
    const id = ++this.#lastId;
    this.#waiting.set(id, waiting);
    this.#worker ??= this.#start();
    this.#worker.postMessage({
      ...{ id, books, pattern, limit },
      cache: this.#options.folder,
    } satisfies LemmaQuestion);
    return waiting.promise;
  }

  #start(): Worker {
    const worker = new Worker(this.#options.worker);
    // It keeps nothing that a harbor which ends would wait for.
    worker.unref();
    let reason = '';
    worker.on('message', ({ id, ...answer }: LemmaAnswer & { id: number }) => this.#settle(id, answer));
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', (code) => {
      this.#worker = null;
      for (const id of [...this.#waiting.keys()])
        this.#settle(id, { problem: reason || `its thread ended with ${code}` });
    });
    return worker;
  }

  #settle(id: number, answer: LemmaAnswer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if ('problem' in answer)
      waiting?.reject(
        new HarborError('query_failed', `The books could not be searched: ${answer.problem}. Search again.`),
      );
    else waiting?.resolve(answer);
  }
}
