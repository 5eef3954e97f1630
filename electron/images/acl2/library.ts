/** What ACL2's world and the system's books have on a subject. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { type Finding, type Findings, lispString } from '../../contract/knowledge';
import type { OneForm } from '../../source/code';
import type { Library } from '../library';
import type { BookLemmas, PlacedLemma } from './book-lemmas';
import { DocumentedFindings } from './documented';
import { type Fit, LemmaPattern } from './lemma-pattern';
import type { Acl2Queries } from './queries';
import { readTerm } from './suggestions/term';

/** Theorems that the world is asked for: all that have the functions of a pattern in them. */
const MOST_OF_WORLD = 5_000;

/** `total` counts those that were not asked for, too. */
const WorldTheorems = z.object({
  theorems: z.array(z.object({ name: z.string(), formula: z.string(), builtIn: z.boolean() })),
  total: z.int(),
});

/** The system's: their folder, where they are there, and what they prove. */
export interface Books {
  folder: string | undefined;
  lemmas: BookLemmas;
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
    const term = readTerm(String(form));
    if (term === null || typeof term === 'string')
      throw new HarborError('bad_arguments', 'A pattern is a term, such as (equal (len (append ? ?)) ?).');
    const pattern = new LemmaPattern(term);
    const world = await this.#inWorld(pattern).catch(busyAsNote);
    const books = await this.#inBooks(String(form), limit + world.results.length, world.results);
    return {
      results: [...world.results, ...books.results].slice(0, limit),
      total: world.total + books.total,
      notes: [...world.notes, ...books.notes],
    };
  }

  topics(words: readonly string[], limit: number): Promise<Findings> {
    return this.#queries.ask('documentation', '', { words, limit }, DocumentedFindings);
  }

  async #inWorld(pattern: LemmaPattern): Promise<Found> {
    const options = { names: pattern.names, limit: MOST_OF_WORLD };
    const { theorems, total } = await this.#queries.ask('theorems', '', options, WorldTheorems);
    const fitting = theorems.flatMap(({ name, formula, builtIn }) => {
      const read = readTerm(formula);
      const fit = read && pattern.placeIn(read);
      const finding = { kind: 'theorem', text: name, formula, ...(builtIn ? { builtIn } : {}) };
      return fit ? [{ fit, finding }] : [];
    });
    const results = FITS.flatMap((fit) => fitting.filter((each) => each.fit === fit)).map(
      ({ finding }) => finding,
    );
    const notes =
      total > theorems.length
        ? [
            `The world has ${total} theorems with these functions; the last ${theorems.length} were looked at.`,
          ]
        : [];
    return { results, total: results.length, notes };
  }

  /** @param known what the world has already */
  async #inBooks(pattern: string, limit: number, known: readonly Finding[]): Promise<Found> {
    const { folder, lemmas } = this.#books;
    if (folder === undefined) return nothing(NO_BOOKS);
    const answer = await lemmas.find(folder, pattern, limit);
    if ('making' in answer) return nothing(beingMade(answer.making));
    const names = new Set(known.map(({ text }) => bare(text)));
    const others = answer.lemmas.filter(({ name }) => !names.has(bare(name)));
    const total = answer.total - (answer.lemmas.length - others.length);
    const notes = others.length > 0 ? [`Sources of books are below ${folder}.`] : [];
    return { results: others.map(asFinding), total, notes };
  }
}

interface Found {
  results: Finding[];
  total: number;
  notes: string[];
}

function nothing(note: string): Found {
  return { results: [], total: 0, notes: [note] };
}

const FITS: readonly Fit[] = ['conclusion', 'part', 'hypothesis'];

const NO_BOOKS =
  'Only the world was searched: no books are there. On Debian and Ubuntu `apt install acl2-books` brings them.';

function beingMade({ done, of }: { done: number; of: number }): string {
  const progress = of === 0 ? '' : ` (${done} of ${of} read)`;
  return `The books are being read for the first time${progress}: this is from the world alone. Ask again in a minute.`;
}

/** ACL2 has one thread; books are read by another. */
function busyAsNote(error: unknown): Found {
  if (!(error instanceof HarborError) || error.code !== 'busy') throw error;
  return nothing('An evaluation runs in this session: only books were searched.');
}

function asFinding({ name, formula, book, file, line }: PlacedLemma): Finding {
  const include = `(include-book ${lispString(book)} :dir :system)`;
  return { kind: 'theorem', text: name, formula, include, source: { file, line } };
}

function bare(name: string): string {
  return name.replace(/^[^:|]+::/, '').toUpperCase();
}
