/**
 * A thread that finds lemmas in books, so that neither reading ten thousand of them nor a search stalls an evaluation. The
 * first search of a folder begins its index; until that is there, each search says how far it is. A bundle entry of its own.
 */
import { existsSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { LemmaAnswer, LemmaQuestion } from './book-lemmas';
import { indexFile, makeIndex, searchIndex } from './lemma-index';
import { LemmaPattern } from './lemma-pattern';
import { readTerm } from './suggestions/term';

interface Making {
  done: number;
  of: number;
  problem?: string;
}

class Indexes {
  /** Those that are being made, by their files. */
  readonly #making = new Map<string, Making>();

  async answer({ cache, books, pattern, limit }: LemmaQuestion): Promise<LemmaAnswer> {
    const term = readTerm(pattern);
    if (term === null) return { problem: 'the pattern is no term' };
    const file = await indexFile(cache, books);
    if (!this.#making.has(file) && existsSync(file)) return searchIndex(file, new LemmaPattern(term), limit);
    const { problem, ...making } = this.#making.get(file) ?? this.#begin(file, books);
    if (problem === undefined) return { making };
    this.#making.delete(file);
    return { problem };
  }

  /** The next search tells why it was not made, and the one after that tries again. */
  #begin(file: string, books: string): Making {
    const making: Making = { done: 0, of: 0 };
    this.#making.set(file, making);
    makeIndex(file, books, (done, of) => Object.assign(making, { done, of })).then(
      () => this.#making.delete(file),
      (error) => {
        making.problem = String(error);
      },
    );
    return making;
  }
}

const indexes = new Indexes();

parentPort?.on('message', (question: LemmaQuestion) => {
  void indexes.answer(question).then(
    (answer) => parentPort?.postMessage({ id: question.id, ...answer }),
    (error) => parentPort?.postMessage({ id: question.id, problem: String(error) }),
  );
});
