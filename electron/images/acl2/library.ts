/** Searches for lemmas and documentation in ACL2's world and the system books. */

import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Definition, Finding, Findings } from '../../contract/knowledge';
import { type Note, note } from '../../contract/note';
import type { OneForm } from '../../source/code';
import type { Library } from '../world';
import type { Acl2Queries } from './conversation';
import { DocumentedFindings, includeForm, type Manual, withText, xdocText } from './knowledge';
import type { FoundLemma, FoundLemmas } from './lemma-index';
import { type Fit, LemmaPattern, PLACES } from './lemma-pattern';
import { bareName, type ManualTopic, topicRank } from './manual';
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
  /** Returns the folder that is there now: books may be installed while an image runs. */
  now: () => Promise<string | undefined>;
  search: BookSearch;
}

export class Acl2Library implements Library, Manual {
  readonly #queries: Acl2Queries;
  readonly #books: Books;

  constructor(queries: Acl2Queries, books: Books) {
    this.#queries = queries;
    this.#books = books;
  }

  get folder(): string | undefined {
    return this.#books.folder;
  }

  async topic(name: string): Promise<Definition | { missing: string } | null> {
    const folder = await this.#books.now();
    const found = await this.#books.search.find('topic', folder, { name });
    if (folder === undefined || found === null) return null;
    if ('done' in found) return { missing: indexingText(found) };
    const [topic, ...others] = found;
    return topic === undefined ? null : topicDefinition(topic, others, folder);
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
    const request = { pattern, formulas, limit: limit + theorems.length };
    const folder = await this.#books.now();
    const { fits, books } = await this.#books.search.find('lemmas', folder, request);
    const here = fittingTheorems(theorems, fits);
    const elsewhere = inBooks(books, here, folder);
    const nearestFirst = [...here, ...elsewhere.results].sort((one, other) => one.nearness - other.nearness);
    return {
      results: nearestFirst.slice(0, limit).map(({ finding }) => finding),
      total: here.length + elsewhere.total,
      notes: [...worldNotes(world), ...elsewhere.notes],
    };
  }

  /** Topics of the world come before those of books with the same rank. */
  async topics(words: readonly string[], limit: number): Promise<Findings> {
    const { search } = this.#books;
    const [world, manual] = await Promise.all([
      unlessBusy(this.#queries.query('documentation', '', { words, limit }, DocumentedFindings)),
      search.find('topics', await this.#books.now(), { words, limit }),
    ]);
    const here = world?.results ?? [];
    const isHere = new Set(here.map(({ text }) => bareName(text)));
    const found = manual !== null && 'topics' in manual ? manual : { topics: [], total: 0 };
    const others = found.topics.filter(({ name }) => !isHere.has(bareName(name)));
    const rank = ({ text, documentation = '' }: Finding) => topicRank(words, text, documentation, '') ?? 10;
    const results = [...here, ...others.map(topicFinding)].sort((one, other) => rank(one) - rank(other));
    return {
      results: results.slice(0, limit),
      total: (world?.total ?? 0) + found.total - (found.topics.length - others.length),
      notes: [...(world === null ? [note('search_limits', BUSY_WORLD)] : []), ...manualNotes(manual)],
    };
  }

  #theorems(names: readonly string[]): Promise<WorldTheorems | null> {
    return unlessBusy(this.#queries.query('lemmas', '', { names, limit: MOST_OF_WORLD }, WorldTheorems));
  }
}

/** @param known theorems that are already in the world */
function inBooks(
  found: BookAnswers['lemmas']['books'],
  known: readonly Found[],
  folder: string | undefined,
): FoundInBooks {
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

/** Returns null while an evaluation runs, because ACL2 has one thread. */
async function unlessBusy<T>(query: Promise<T>): Promise<T | null> {
  try {
    return await query;
  } catch (error) {
    if (error instanceof HarborError && error.code === 'busy') return null;
    throw error;
  }
}

const BUSY_WORLD = 'The world was not searched because an evaluation is running in this session.';

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
  if (world === null) return [note('search_limits', BUSY_WORLD)];
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

function indexingText({ done, of }: IndexProgress): string {
  const progress = of === 0 ? '' : ` (${done} of ${of} read)`;
  return `The books are being indexed${progress} and cannot be searched yet. Try again in a minute.`;
}

function manualNotes(manual: BookAnswers['topics']): Note[] {
  if (manual === null) return [note('search_limits', NO_BOOKS)];
  return 'topics' in manual ? [] : [note('search_limits', indexingText(manual))];
}

/** @param others topics with the same name in other packages */
function topicDefinition(
  { name, short, long, book, line, provider }: ManualTopic,
  others: readonly ManualTopic[],
  folder: string,
): Definition {
  const also = [...new Set(others.map((other) => other.name))].filter((other) => other !== name);
  return {
    ...withText({ kind: 'topic', name, markup: [short, long] }),
    source: { file: path.join(folder, `${book}.lisp`), line },
    include: includeForm(provider),
    ...(also.length > 0 ? { marks: [`also: ${also.join(', ')}`] } : {}),
  };
}

function topicFinding({ name, short, provider }: ManualTopic): Finding {
  return { kind: 'topic', text: name, documentation: xdocText(short), include: includeForm(provider) };
}

function asFinding(
  { name, formula, book, line, isCertified, alike, skipped }: FoundLemma,
  folder: string,
): Finding {
  const include = includeForm(book);
  const file = path.join(folder, `${book}.lisp`);
  return {
    ...{
      kind: skipped ? 'theorem, proof skipped' : 'theorem',
      text: name,
      formula,
      include,
      source: { file, line },
    },
    ...(alike > 0 ? { alike } : {}),
    ...(isCertified ? {} : { uncertified: true }),
  };
}

/** Searches in books, by kind. A worker thread (lemma-worker.ts), started by the first search, runs them. */
interface BookRequests {
  lemmas: {
    /** A term as text. A symbol is a part of the lemma name. */
    pattern: string;
    /** Formulas to match, as text. */
    formulas: readonly string[];
    /** Maximum lemmas of books in the result. */
    limit: number;
  };
  topics: { words: readonly string[]; limit: number };
  /** Topics with this name. */
  topic: { name: string };
}

/** The state of an index that is being built: `done` of `of` books are read. */
export interface IndexProgress {
  done: number;
  of: number;
}

/** The answer to each kind of search; null if there are no books. */
export interface BookAnswers {
  lemmas: {
    /** The match of each formula; null for no match. */
    fits: (Fit | null)[];
    books: FoundLemmas | IndexProgress | null;
  };
  topics: { topics: ManualTopic[]; total: number } | IndexProgress | null;
  topic: ManualTopic[] | IndexProgress | null;
}

/** `cache` is the folder of indexes, `books` that of the books; undefined for none. */
export type BookQuery = {
  [K in keyof BookRequests]: BookRequests[K] & {
    kind: K;
    id: number;
    cache: string;
    books: string | undefined;
  };
}[keyof BookRequests];

type BookReply = { id: number } & ({ answer: unknown } | { problem: string });

interface BookSearchOptions {
  folder: string;
  /** The bundled lemma-worker.ts. */
  worker: URL;
}

export class BookSearch {
  readonly #options: BookSearchOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(options: BookSearchOptions) {
    this.#options = options;
  }

  /** @throws HarborError `query_failed` */
  async find<K extends keyof BookRequests>(
    kind: K,
    books: string | undefined,
    request: BookRequests[K],
  ): Promise<BookAnswers[K]> {
    const waiting = Promise.withResolvers<unknown>();
    const id = ++this.#lastId;
    this.#waiting.set(id, waiting);
    this.#worker ??= this.#start();
    this.#worker.postMessage({ ...request, kind, id, books, cache: this.#options.folder });
    return waiting.promise as Promise<BookAnswers[K]>;
  }

  #start(): Worker {
    const worker = new Worker(this.#options.worker);
    // The worker must not keep the app running.
    worker.unref();
    let reason = '';
    worker.on('message', (answer: BookReply) => this.#settle(answer));
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

  #settle(reply: BookReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('answer' in reply) waiting?.resolve(reply.answer);
    else
      waiting?.reject(
        new HarborError('query_failed', `The search in books failed: ${reply.problem}. Try again.`),
      );
  }
}
