/** What ACL2's world and the system's books have on a subject. */
import path from 'node:path';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { type Finding, type Findings, lispString } from '../../contract/knowledge';
import type { OneForm } from '../../source/code';
import type { Library } from '../library';
import { DocumentedFindings } from './documented';
import type { FoundLemma } from './lemma-index';
import { type Fit, LemmaPattern, PLACES } from './lemma-pattern';
import type { LemmaSearch, LemmaSearchResult } from './lemma-search';
import type { Acl2Queries } from './queries';
import { readTerm } from './suggestions/term';

/** Theorems that the world is asked for: all that have the functions of a pattern in them. */
const MOST_OF_WORLD = 2_000;

/** `total` counts those that were not asked for, too. */
const WorldTheorems = z.object({
  theorems: z.array(z.object({ name: z.string(), formula: z.string(), builtIn: z.boolean() })),
  total: z.int(),
});
type WorldTheorems = z.infer<typeof WorldTheorems>;

/** Names in the world are found by other ways. */
const NO_THEOREMS: WorldTheorems = Object.freeze({ theorems: [], total: 0 });

/** The system's: their folder, where they are there. */
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
        'A pattern is a term, such as (equal (len (append ? ?)) ?), or a part of a lemma’s name.',
      );
    const world = typeof term === 'string' ? NO_THEOREMS : await this.#theorems(new LemmaPattern(term).names);
    const theorems = world?.theorems ?? [];
    const formulas = theorems.map(({ formula }) => formula);
    // Those that the world has already are left out.
    const asked = { pattern, formulas, books: this.folder, limit: limit + theorems.length };
    const { fits, books } = await this.#books.lemmas.find(asked);
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
    return this.#queries.ask('documentation', '', { words, limit }, DocumentedFindings);
  }

  /** null while something is evaluated: ACL2 has one thread. */
  async #theorems(names: readonly string[]): Promise<WorldTheorems | null> {
    try {
      return await this.#queries.ask('lemmas', '', { names, limit: MOST_OF_WORLD }, WorldTheorems);
    } catch (error) {
      if (error instanceof HarborError && error.code === 'busy') return null;
      throw error;
    }
  }

  /** @param known what the world has already */
  #inBooks(found: LemmaSearchResult['books'], known: readonly Found[]): FoundInBooks {
    const { folder } = this;
    if (found === null || folder === undefined) return { results: [], total: 0, notes: [NO_BOOKS] };
    if (!('lemmas' in found)) return { results: [], total: 0, notes: [beingRead(found)] };
    const names = new Set(known.map(({ finding }) => bare(finding.text)));
    const results = found.lemmas
      .filter(({ name }) => !names.has(bare(name)))
      .map((lemma) => ({ finding: asFinding(lemma, folder), nearness: PLACES.indexOf(lemma.place) }));
    const total = found.total - (found.lemmas.length - results.length);
    return { results, total, notes: total > 0 ? [`Sources of books are below ${folder}.`] : [] };
  }
}

/** `nearness`: the less, the nearer its place to what was asked. */
interface Found {
  finding: Finding;
  nearness: number;
}

interface FoundInBooks {
  results: Found[];
  total: number;
  notes: string[];
}

/** Those of the session first, then the most general. */
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
    .map(({ name, formula, builtIn, place }) => ({
      finding: { kind: 'theorem', text: name, formula, ...(builtIn ? { builtIn } : {}) },
      nearness: PLACES.indexOf(place),
    }));
}

function worldNotes(world: WorldTheorems | null): string[] {
  if (world === null) return ['An evaluation runs in this session: its world was not searched.'];
  const { theorems, total } = world;
  if (total === theorems.length) return [];
  return [
    `The world has ${total} theorems with these functions; the last ${theorems.length} were looked at.`,
  ];
}

const NO_BOOKS =
  'Only the world was searched: no books are there. On Debian and Ubuntu `apt install acl2-books` brings them.';

function beingRead({ done, of }: { done: number; of: number }): string {
  const progress = of === 0 ? '' : ` (${done} of ${of} read)`;
  return `The books are being read for the first time${progress}, and are not searched yet. Ask again in a minute.`;
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

function bare(name: string): string {
  return name.replace(/^[^:|]+::/, '').toUpperCase();
}
