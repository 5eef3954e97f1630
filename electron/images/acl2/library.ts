/** Searches for lemmas and documentation in ACL2's world and the system books. */

import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { type Finding, type Findings, lispString } from '../../contract/knowledge';
import { type Note, note } from '../../contract/note';
import type { OneForm } from '../../source/code';
import type { Library } from '../world';
import type { Acl2Queries } from './conversation';
import { DocumentedFindings } from './knowledge';
import type { FoundLemma, FoundLemmas } from './lemma-index';
import { type Fit, LemmaPattern, PLACES } from './lemma-pattern';
import { readTerm } from './terms';

/** Maximum theorems requested from the world. */
const MOST_OF_WORLD = 2_000;

/** `total` also counts theorems beyond the limit. */
const WorldTheorems = z.object({
  theorems: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      formula: z.string(),
      builtIn: z.boolean().default(false),
      command: z.int().optional(),
      source: z.object({ file: z.string() }).optional(),
    }),
  ),
  total: z.int(),
});
type WorldTheorems = z.infer<typeof WorldTheorems>;

/** The result for a search by name. Names in the world are found by `find`. */
const NO_THEOREMS: WorldTheorems = Object.freeze({ theorems: [], total: 0 });

/** The system books. `folder` is undefined if they are not installed. */
export interface Books {
  folder: string | undefined;
  lemmas: LemmaSearch;
}

export class Acl2Library implements Library {
  readonly #queries: Acl2Queries;
  readonly #books: Books;

  constructor(queries: Acl2Queries, books: Books) {
    this.#queries = queries;
    this.#books = books;
  }

  get folder(): string | undefined {
    return this.#books.folder;
  }

  async lemmas(form: OneForm, limit: number): Promise<Findings> {
    const pattern = String(form);
    const term = readTerm(pattern);
    if (term === null || (typeof term === 'string' && !/^[^"#:]{2,}$/.test(term)))
      throw new HarborError(
        'bad_arguments',
        'A pattern is a term, such as (equal (len (append ? ?)) ?), or part of a lemma name.',
      );
    const world = typeof term === 'string' ? NO_THEOREMS : await this.#theorems(new LemmaPattern(term).names);
    const theorems = world?.theorems ?? [];
    const formulas = theorems.map(({ formula }) => formula);
    // Room for lemmas that the world already has.
    const request = { pattern, formulas, books: this.folder, limit: limit + theorems.length };
    const { fits, books } = await this.#books.lemmas.find(request);
    const here = fittingTheorems(theorems, fits);
    const elsewhere = this.#inBooks(books, here);
    const nearestFirst = [...here, ...elsewhere.results].sort((one, other) => one.nearness - other.nearness);
    return {
      results: nearestFirst.slice(0, limit).map(({ finding }) => finding),
      total: here.length + elsewhere.total,
      notes: [...worldNotes(world), ...elsewhere.notes],
    };
  }

  topics(words: readonly string[], limit: number): Promise<Findings> {
    return this.#queries.query('documentation', '', { words, limit }, DocumentedFindings);
  }

  /** Returns null while an evaluation runs, because ACL2 has one thread. */
  async #theorems(names: readonly string[]): Promise<WorldTheorems | null> {
    try {
      return await this.#queries.query('lemmas', '', { names, limit: MOST_OF_WORLD }, WorldTheorems);
    } catch (error) {
      if (error instanceof HarborError && error.code === 'busy') return null;
      throw error;
    }
  }

  /** @param known theorems that are already in the world */
  #inBooks(found: LemmaSearchResult['books'], known: readonly Found[]): FoundInBooks {
    const { folder } = this;
    if (found === null || folder === undefined)
      return { results: [], total: 0, notes: [note('search_limits', NO_BOOKS)] };
    if (!('lemmas' in found))
      return { results: [], total: 0, notes: [note('search_limits', indexingText(found))] };
    const names = new Set(known.map(({ finding }) => bareName(finding.text)));
    const results = found.lemmas
      .filter(({ name }) => !names.has(bareName(name)))
      .map((lemma) => ({ finding: asFinding(lemma, folder), nearness: PLACES.indexOf(lemma.place) }));
    const total = found.total - (found.lemmas.length - results.length);
    return {
      results,
      total,
      notes: total > 0 ? [note('book_sources', `Book sources are in ${folder}.`)] : [],
    };
  }
}

/** A smaller `nearness` is a better match. */
interface Found {
  finding: Finding;
  nearness: number;
}

interface FoundInBooks {
  results: Found[];
  total: number;
  notes: Note[];
}

/** Sorts theorems of the session first, then by generality. */
function fittingTheorems(
  theorems: WorldTheorems['theorems'],
  fits: readonly (Fit | null | undefined)[],
): Found[] {
  return theorems
    .flatMap((theorem, index) => {
      const fit = fits[index];
      return fit ? [{ ...theorem, ...fit }] : [];
    })
    .sort((one, other) => Number(one.builtIn) - Number(other.builtIn) || one.special - other.special)
    .map(({ name, kind, formula, builtIn, command, source, place }) => ({
      finding: {
        ...{ kind, text: name, formula },
        ...(builtIn ? { builtIn } : {}),
        ...(command === undefined ? {} : { command }),
        ...(source === undefined ? {} : { source }),
      },
      nearness: PLACES.indexOf(place),
    }));
}

function worldNotes(world: WorldTheorems | null): Note[] {
  if (world === null)
    return [
      note('search_limits', 'The world was not searched because an evaluation is running in this session.'),
    ];
  const { theorems, total } = world;
  if (total === theorems.length) return [];
  return [
    note(
      'search_limits',
      `The world has ${total} theorems with these functions. Only the last ${theorems.length} were searched.`,
    ),
  ];
}

const NO_BOOKS =
  'Only the world was searched: no books are installed. On Debian and Ubuntu: `apt install acl2-books`.';

function indexingText({ done, of }: { done: number; of: number }): string {
  const progress = of === 0 ? '' : ` (${done} of ${of} read)`;
  return `The books are being indexed${progress} and cannot be searched yet. Try again in a minute.`;
}

function asFinding({ name, formula, book, line, isCertified, alike }: FoundLemma, folder: string): Finding {
  const include = `(include-book ${lispString(book)} :dir :system)`;
  const file = path.join(folder, `${book}.lisp`);
  return {
    ...{ kind: 'theorem', text: name, formula, include, source: { file, line } },
    ...(alike > 0 ? { alike } : {}),
    ...(isCertified ? {} : { uncertified: true }),
  };
}

function bareName(name: string): string {
  return name.replace(/^[^:|]+::/, '').toUpperCase();
}

/** A search for lemmas. A worker thread (lemma-worker.ts), started by the first search, runs it. */
interface LemmaSearchRequest {
  /** A term as text. A symbol is a part of the lemma name. */
  pattern: string;
  /** Formulas to match, as text. */
  formulas: readonly string[];
  /** Folder of books; undefined for none. */
  books?: string | undefined;
  /** Maximum lemmas of books in the result. */
  limit: number;
}

export interface LemmaSearchResult {
  /** The match of each formula; null for no match. */
  fits: (Fit | null)[];
  /** Progress while the index is being built: `done` of `of` books are read. null if there are no books. */
  books: FoundLemmas | { done: number; of: number } | null;
}

/** `cache` is the folder of indexes. */
export interface LemmaQuery extends LemmaSearchRequest {
  id: number;
  cache: string;
}

type LemmaReply = { id: number } & (LemmaSearchResult | { problem: string });

interface LemmaSearchOptions {
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
    this.#worker.postMessage({ ...request, id, cache: this.#options.folder } satisfies LemmaQuery);
    return waiting.promise;
  }

  #start(): Worker {
    const worker = new Worker(this.#options.worker);
    // The worker must not keep the app running.
    worker.unref();
    let reason = '';
    worker.on('message', (answer: LemmaReply) => this.#settle(answer));
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', (code) => {
      this.#worker = null;
      const problem = reason || `the worker thread exited with code ${code}`;
      for (const id of [...this.#waiting.keys()]) this.#settle({ id, problem });
    });
    return worker;
  }

  #settle(answer: LemmaReply): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (!('problem' in answer)) waiting?.resolve(answer);
    else
      waiting?.reject(
        new HarborError('query_failed', `The lemma search failed: ${answer.problem}. Try again.`),
      );
  }
}
