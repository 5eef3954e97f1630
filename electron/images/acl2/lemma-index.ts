/**
 * The lemmas of a folder of books, in one file: a line for each book, `@` and its name, and then one for each of its lemmas,
 * with tabs between line, name and formula; in the end a line for each book that others include, `=`, how many do, a tab
 * and its name. It is made once for the folder as it is, and a search reads it through.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Fit, LemmaPattern } from './lemma-pattern';
import { type BookLemma, lemmasIn } from './lemmas-in';
import { readTerm } from './suggestions/term';

/** Goes up when other lemmas are found, or the file has another form. */
const FORMAT = 1;

/** Bytes of a source that is read: larger ones are tables. */
const LARGEST = 4_000_000;

/** Lemma of a book; `book` is its name below the folder, without `.lisp`. */
export interface FoundLemma extends BookLemma {
  book: string;
}

export interface FoundLemmas {
  /** The best first. */
  lemmas: FoundLemma[];
  total: number;
}

/** The file in `cache` for `books` as they are now, whether it is there or not: new books show in the times of folders. */
export async function indexFile(cache: string, books: string): Promise<string> {
  const subjects = await foldersIn(books);
  const folders = [books, ...subjects, ...(await Promise.all(subjects.map(foldersIn))).flat()];
  const seen = await Promise.all(folders.map(async (folder) => [folder, (await stat(folder)).mtimeMs]));
  const identity = createHash('sha256')
    .update(JSON.stringify([FORMAT, seen]))
    .digest('hex')
    .slice(0, 16);
  return path.join(cache, `${identity}.lemmas`);
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(folder, name))
    .sort();
}

/** Writes `file`, and takes away those of other folders and times.
 * @param progress told after each book */
export async function makeIndex(
  file: string,
  books: string,
  progress: (done: number, of: number) => void,
): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${file}.new`;
  const sources = await sourcesIn(books);
  const includes = new Map<string, number>();
  const handle = await open(unfinished, 'w', 0o600);
  try {
    for (const [place, source] of sources.entries()) {
      const text = await textOf(source);
      const book = path.relative(books, source).replace(/\.lisp$/, '');
      for (const included of includedBy(book, text))
        includes.set(included, (includes.get(included) ?? 0) + 1);
      const lemmas = lemmasIn(text);
      if (lemmas.length > 0) await handle.write(linesOf(book, lemmas));
      progress(place + 1, sources.length);
    }
    await handle.write([...includes].map(([book, count]) => `=${count}\t${book}\n`).join(''));
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  const others = (await readdir(folder)).filter((name) => name !== path.basename(file));
  await Promise.all(others.map((name) => rm(path.join(folder, name), { force: true })));
}

async function sourcesIn(books: string): Promise<string[]> {
  const entries = await readdir(books, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.lisp'))
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .sort();
}

/** Empty where it cannot be read. */
async function textOf(source: string): Promise<string> {
  try {
    return (await stat(source)).size > LARGEST ? '' : await readFile(source, 'utf8');
  } catch {
    return '';
  }
}

const INCLUDE = /\(include-book\s+"([^"\n]+)"(\s+:dir\s+:system\b)?/gi;

/** Books by their names below the folder, as `book` does it. */
function includedBy(book: string, text: string): Set<string> {
  const folder = path.dirname(book);
  return new Set(
    Array.from(text.matchAll(INCLUDE), ([, name = '', system]) =>
      path.normalize(system === undefined ? path.join(folder, name) : name),
    ),
  );
}

function linesOf(book: string, lemmas: readonly BookLemma[]): string {
  const lines = lemmas.map(({ line, name, formula }) => `${line}\t${name}\t${formula}\n`);
  return `@${book}\n${lines.join('')}`;
}

/** @param limit lemmas that are answered; all are counted */
export async function searchIndex(file: string, pattern: LemmaPattern, limit: number): Promise<FoundLemmas> {
  const index = await readFile(file, 'utf8');
  const includes = includesIn(index);
  const bestFirst = (one: FittingLemma, other: FittingLemma) => order(one, other, includes);
  const found = new Map<string, FittingLemma>();
  for (const lemma of fittingLemmas(index, pattern)) {
    // Books that were copied have the same lemma.
    const key = `${lemma.name}\t${lemma.formula}`;
    const known = found.get(key);
    if (known === undefined || bestFirst(lemma, known) < 0) found.set(key, lemma);
  }
  const ordered = [...found.values()].sort(bestFirst);
  const lemmas = ordered.slice(0, limit).map(({ fit: _fit, ...lemma }) => lemma);
  return { lemmas, total: ordered.length };
}

/** How many books include each. */
function includesIn(index: string): ReadonlyMap<string, number> {
  const start = index.indexOf('\n=');
  const lines = start < 0 ? [] : index.slice(start + 1).split('\n');
  return new Map(
    lines.map((line) => {
      const [count = '', book = ''] = line.slice(1).split('\t');
      return [book, Number(count)];
    }),
  );
}

type FittingLemma = FoundLemma & { fit: Fit };

/** Only lines that call all of the names are read as formulas; the longest name is in the fewest. */
function* fittingLemmas(index: string, pattern: LemmaPattern): Generator<FittingLemma> {
  const names = pattern.names
    .map((name) => name.toLowerCase())
    .sort((one, other) => other.length - one.length);
  const calls = names.map(callOf);
  const [rarest = '\t'] = names;
  for (let at = index.indexOf(rarest); at >= 0; ) {
    const start = index.lastIndexOf('\n', at) + 1;
    const end = index.indexOf('\n', at);
    const line = index.slice(start, end);
    if (!/^[@=]/.test(line) && calls.every((call) => call.test(line))) {
      const lemma = fitting(line, pattern);
      if (lemma) yield { ...lemma, book: bookAt(index, start) };
    }
    at = index.indexOf(rarest, end);
  }
}

/** As it may be written: `pattern.ts` takes these names for each other. */
function callOf(name: string): RegExp {
  const escaped = name.replaceAll(/[^\w-]/g, '\\$&');
  return new RegExp(`[(:](?:binary-|unary-)?${escaped}(?:-eq(?:l|ual)?)?[ )]`);
}

function bookAt(index: string, place: number): string {
  const start = index.lastIndexOf('\n@', place) + 1;
  return index.slice(start + 1, index.indexOf('\n', start));
}

function fitting(line: string, pattern: LemmaPattern): Omit<FittingLemma, 'book'> | null {
  const [place = '', name = '', formula = ''] = line.split('\t');
  const term = readTerm(formula);
  const fit = term && pattern.placeIn(term);
  return fit ? { fit, name, formula, line: Number(place) } : null;
}

const FITS: readonly Fit[] = ['conclusion', 'part', 'hypothesis'];

/** Books that nobody builds on. */
const APART = /(?:^|[/-])(?:tests?|examples?|demos?|workshops|textbook|support|hints)(?:$|[/-])/;

/** The nearest fit, of those what says the least besides, in the book that most others build on. */
function order(one: FittingLemma, other: FittingLemma, includes: ReadonlyMap<string, number>): number {
  return (
    FITS.indexOf(one.fit) - FITS.indexOf(other.fit) ||
    Number(APART.test(one.book)) - Number(APART.test(other.book)) ||
    one.formula.length - other.formula.length ||
    (includes.get(other.book) ?? 0) - (includes.get(one.book) ?? 0) ||
    one.book.length - other.book.length ||
    (one.book < other.book ? -1 : 1)
  );
}
