/**
 * A thread that finds lemmas, so that neither reading ten thousand books nor a search of them stalls an evaluation. The
 * first search of a folder begins its index; until there is one, each search says how far it is. A bundle entry of its own.
 */
import { parentPort } from 'node:worker_threads';
import { indexFile, makeIndex, searchIndex } from './lemma-index';
import { type Fit, LemmaPattern } from './lemma-pattern';
import type { LemmaQuestion, LemmaSearchResult } from './lemma-search';
import { readTerm } from './suggestions/term';

interface Making {
  done: number;
  of: number;
  problem?: string;
}

class Indexes {
  /** Those that are being made, by their files. */
  readonly #making = new Map<string, Making>();

  /** @throws Error with why the index could not be made */
  async search(
    { cache, limit }: LemmaQuestion,
    books: string,
    wanted: LemmaPattern | string,
  ): Promise<LemmaSearchResult['books']> {
    const { file, there } = await indexFile(cache, books);
    if (there === file) return searchIndex(file, wanted, limit);
    const { problem, ...making } = this.#making.get(file) ?? this.#begin(file, books);
    // What there was before a book changed is better than nothing.
    if (problem === undefined) return there === null ? making : searchIndex(there, wanted, limit);
    this.#making.delete(file);
    throw new Error(problem);
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
  const { id } = question;
  void answerTo(question).then(
    (result) => parentPort?.postMessage({ id, ...result }),
    (error) => parentPort?.postMessage({ id, problem: String(error) }),
  );
});

async function answerTo(question: LemmaQuestion): Promise<LemmaSearchResult> {
  const term = readTerm(question.pattern);
  if (term === null) throw new Error('the pattern is no term');
  const wanted = typeof term === 'string' ? term : new LemmaPattern(term);
  const { books, formulas } = question;
  return {
    fits: formulas.map((formula) => (typeof wanted === 'string' ? null : fitOf(formula, wanted))),
    books: books === undefined ? null : await indexes.search(question, books, wanted),
  };
}

function fitOf(formula: string, pattern: LemmaPattern): Fit | null {
  const term = readTerm(formula);
  return term === null ? null : pattern.placeIn(term);
}
