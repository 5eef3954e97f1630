/**
 * A worker thread for lemma searches, so that reading ten thousand books does not block an evaluation. The
 * first search of a folder starts building its index; until it exists, searches report progress. This file is
 * an entry of the bundle.
 */
import { parentPort } from 'node:worker_threads';
import { indexFile, makeIndex, searchIndex } from './lemma-index';
import { type Fit, LemmaPattern } from './lemma-pattern';
import type { LemmaQuery, LemmaSearchResult } from './library';
import { readTerm } from './terms';

interface IndexBuild {
  done: number;
  of: number;
  problem?: string;
}

class Indexes {
  /** Indexes being built, by file. */
  readonly #builds = new Map<string, IndexBuild>();

  /** @throws Error with the reason if the index could not be built */
  async search(
    { cache, limit }: LemmaQuery,
    books: string,
    wanted: LemmaPattern | string,
  ): Promise<LemmaSearchResult['books']> {
    const { file, existing } = await indexFile(cache, books);
    if (existing === file) return searchIndex(file, wanted, limit);
    const { problem, ...build } = this.#builds.get(file) ?? this.#begin(file, books);
    // An index of an earlier state is better than none.
    if (problem === undefined) return existing === null ? build : searchIndex(existing, wanted, limit);
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

parentPort?.on('message', (query: LemmaQuery) => {
  const { id } = query;
  void runQuery(query).then(
    (result) => parentPort?.postMessage({ id, ...result }),
    (error) => parentPort?.postMessage({ id, problem: String(error) }),
  );
});

async function runQuery(query: LemmaQuery): Promise<LemmaSearchResult> {
  const term = readTerm(query.pattern);
  if (term === null) throw new Error('the pattern is not a term');
  const wanted = typeof term === 'string' ? term : new LemmaPattern(term);
  const { books, formulas } = query;
  return {
    fits: formulas.map((formula) => (typeof wanted === 'string' ? null : fitOf(formula, wanted))),
    books: books === undefined ? null : await indexes.search(query, books, wanted),
  };
}

function fitOf(formula: string, pattern: LemmaPattern): Fit | null {
  const term = readTerm(formula);
  return term === null ? null : pattern.placeIn(term);
}
