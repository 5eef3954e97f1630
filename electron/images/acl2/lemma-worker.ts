/**
 * A worker thread for searches in books, so that reading ten thousand books does not block an evaluation. The
 * first search of a folder starts building its index; until it exists, searches report progress. This file is
 * an entry of the bundle.
 */
import { parentPort } from 'node:worker_threads';
import { indexFile, makeIndex, manualFile, searchIndex } from './lemma-index';
import { type Fit, LemmaPattern } from './lemma-pattern';
import type { BookAnswers, BookQuery, IndexProgress } from './library';
import { topicsAbout, topicsNamed } from './manual';
import { readTerm } from './terms';

interface IndexBuild extends IndexProgress {
  problem?: string;
}

class Indexes {
  /** Indexes being built, by file. */
  readonly #builds = new Map<string, IndexBuild>();

  /** @throws Error with the reason if the index could not be built */
  async search<T>(
    cache: string,
    books: string,
    inIndex: (file: string) => Promise<T>,
  ): Promise<T | IndexProgress> {
    const { file, existing } = await indexFile(cache, books);
    if (existing === file) return inIndex(file);
    const { problem, ...build } = this.#builds.get(file) ?? this.#begin(file, books);
    // An index of an earlier state is better than none.
    if (problem === undefined) return existing === null ? build : inIndex(existing);
    this.#builds.delete(file);
    throw new Error(problem);
  }

  /** If building fails, the next search reports the error and the one after that retries. */
  #begin(file: string, books: string): IndexBuild {
    const build: IndexBuild = { done: 0, of: 0 };
    this.#builds.set(file, build);
    makeIndex(file, books, (done, of) => Object.assign(build, { done, of })).then(
      () => this.#builds.delete(file),
      (error) => {
        build.problem = String(error);
      },
    );
    return build;
  }
}

const indexes = new Indexes();

parentPort?.on('message', (query: BookQuery) => {
  const { id } = query;
  void runQuery(query).then(
    (answer) => parentPort?.postMessage({ id, answer }),
    (error) => parentPort?.postMessage({ id, problem: String(error) }),
  );
});

async function runQuery(query: BookQuery): Promise<BookAnswers[keyof BookAnswers]> {
  const { cache, books } = query;
  const inManual = <T>(search: (file: string) => Promise<T>) =>
    books === undefined ? null : indexes.search(cache, books, (index) => search(manualFile(index)));
  if (query.kind === 'topics') return inManual((file) => topicsAbout(file, query.words, query.limit));
  if (query.kind === 'topic') return inManual((file) => topicsNamed(file, query.name));
  const term = readTerm(query.pattern);
  if (term === null) throw new Error('the pattern is not a term');
  const wanted = typeof term === 'string' ? term : new LemmaPattern(term);
  const { formulas, limit } = query;
  return {
    fits: formulas.map((formula) => (typeof wanted === 'string' ? null : fitOf(formula, wanted))),
    books:
      books === undefined
        ? null
        : await indexes.search(cache, books, (index) => searchIndex(index, wanted, limit)),
  };
}

function fitOf(formula: string, pattern: LemmaPattern): Fit | null {
  const term = readTerm(formula);
  return term === null ? null : pattern.placeIn(term);
}
