/**
 * The lemmas of a folder of books, in one file: a line for each book, `@` and its name, or `!` where it has no
 * certificate, and then one for each of its lemmas, with tabs between line, name and formula; in the end a line for each book that
 * others rest on, `=`, how many do, a tab and its name. It is made once for the folder as it is, and a search reads it through.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Fit, type LemmaPattern, PLACES, sameFormulas } from './lemma-pattern';
import { type BookLemma, lemmasIn } from './lemmas-in';
import { readTerm } from './suggestions/term';

/** Goes up when other lemmas are found, or the file has another form. */
const FORMAT = 2;

/** Bytes of a source that is read: larger ones are tables. */
const LARGEST = 4_000_000;

/** Lemma of a book; `book` is its name below the folder, without `.lisp`. */
export interface FoundLemma extends BookLemma {
  book: string;
  isCertified: boolean;
  place: Fit['place'];
  /** Others that say the same, in this book and in others. */
  alike: number;
}

export interface FoundLemmas {
  /** The best first, of those that say the same the best one alone. */
  lemmas: FoundLemma[];
  /** Without those that say the same. */
  total: number;
}

export interface IndexFile {
  /** For the folder as it is now, whether it is there or not: new books and certificates show in the times of folders. */
  file: string;
  /** One of the same folder that is there; null for none. */
  there: string | null;
}

export async function indexFile(cache: string, books: string): Promise<IndexFile> {
  const subjects = await foldersIn(books);
  const folders = [books, ...subjects, ...(await Promise.all(subjects.map(foldersIn))).flat()];
  const seen = await Promise.all(folders.map(async (folder) => [folder, (await stat(folder)).mtimeMs]));
  const beginning = `${shortHash([FORMAT, books])}-`;
  const name = `${beginning}${shortHash(seen)}.lemmas`;
  const names = (await readdir(cache).catch(() => [])).filter(
    (each) => each.startsWith(beginning) && each.endsWith('.lemmas'),
  );
  const there = names.includes(name) ? name : names[0];
  return { file: path.join(cache, name), there: there === undefined ? null : path.join(cache, there) };
}

function shortHash(subject: unknown): string {
  return createHash('sha256').update(JSON.stringify(subject)).digest('hex').slice(0, 16);
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
  const { sources, certified } = await sourcesIn(books);
  const includers = new Map<string, Set<string>>();
  const handle = await open(unfinished, 'w', 0o600);
  try {
    for (const [place, source] of sources.entries()) {
      const text = await textOf(source);
      const book = path
        .relative(books, source)
        .replaceAll(path.sep, '/')
        .replace(/\.lisp$/, '');
      for (const included of includedBy(book, text))
        includers.set(included, (includers.get(included) ?? new Set()).add(book));
      const lemmas = lemmasIn(text);
      if (lemmas.length > 0) await handle.write(linesOf(book, certified.has(source), lemmas));
      progress(place + 1, sources.length);
    }
    const counts = [...includers.keys()].map((book) => `=${restingOn(book, includers)}\t${book}\n`);
    await handle.write(counts.join(''));
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  const others = (await readdir(folder)).filter((name) => name !== path.basename(file));
  await Promise.all(others.map((name) => rm(path.join(folder, name), { force: true })));
}

interface Sources {
  sources: string[];
  /** Those of them that have a certificate. */
  certified: ReadonlySet<string>;
}

async function sourcesIn(books: string): Promise<Sources> {
  const entries = await readdir(books, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:lisp|cert)$/.test(entry.name))
    .map(({ parentPath, name }) => path.join(parentPath, name));
  return {
    sources: files.filter((file) => file.endsWith('.lisp')).sort(),
    certified: new Set(
      files.flatMap((file) => (file.endsWith('.cert') ? [file.replace(/cert$/, 'lisp')] : [])),
    ),
  };
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
  const { dirname, join, normalize } = path.posix;
  return new Set(
    Array.from(text.matchAll(INCLUDE), ([, name = '', system]) =>
      system === undefined ? join(dirname(book), name) : normalize(name),
    ),
  );
}

/** How many books include it, or one that does, and so on. */
function restingOn(book: string, includers: ReadonlyMap<string, ReadonlySet<string>>): number {
  // The loop meets what is added meanwhile.
  const resting = new Set([book]);
  for (const each of resting) for (const includer of includers.get(each) ?? []) resting.add(includer);
  return resting.size - 1;
}

function linesOf(book: string, isCertified: boolean, lemmas: readonly BookLemma[]): string {
  const lines = lemmas.map(({ line, name, formula }) => `${line}\t${name}\t${formula}\n`);
  return `${isCertified ? '@' : '!'}${book}\n${lines.join('')}`;
}

/** @param wanted a pattern of the formula, or a part of the name
 * @param limit lemmas that are answered; all are counted */
export async function searchIndex(
  file: string,
  wanted: LemmaPattern | string,
  limit: number,
): Promise<FoundLemmas> {
  const index = await readFile(file, 'utf8');
  const resting = restingIn(index);
  const bestFirst = (one: FittingLemma, other: FittingLemma) => order(one, other, resting);
  const found = new Map<string, FittingLemma[]>();
  for (const lemma of fittingLemmas(index, typeof wanted === 'string' ? byName(wanted) : byFormula(wanted))) {
    const same = found.get(lemma.says);
    if (same === undefined) found.set(lemma.says, [lemma]);
    else same.push(lemma);
  }
  const best = [...found.values()].flatMap((same) => {
    const [first] = same.sort(bestFirst);
    return first === undefined ? [] : [{ ...first, alike: same.length - 1 }];
  });
  const lemmas = best
    .sort(bestFirst)
    .slice(0, limit)
    .map(({ special: _special, says: _says, ...lemma }) => lemma);
  return { lemmas, total: best.length };
}

/** How many books rest on each. */
function restingIn(index: string): ReadonlyMap<string, number> {
  const start = index.indexOf('\n=');
  const lines = start < 0 ? [] : index.slice(start + 1).split('\n');
  return new Map(
    lines.map((line) => {
      const [count = '', book = ''] = line.slice(1).split('\t');
      return [book, Number(count)];
    }),
  );
}

/** `says` is the same for lemmas that say the same. */
type FittingLemma = FoundLemma & Fit & { says: string };

/** Which lines of an index are looked at, and how their lemmas fit. */
interface Wanted {
  /** What stands in each of them. */
  text: string;
  mayFit(line: string): boolean;
  fit(lemma: BookLemma): (Fit & Pick<FittingLemma, 'says'>) | null;
}

/** Only lines that call all of the names are read as formulas; the longest name is in the fewest. */
function byFormula(pattern: LemmaPattern): Wanted {
  const names = pattern.names
    .map((name) => name.toLowerCase())
    .sort((one, other) => other.length - one.length);
  const calls = names.map(callOf);
  return {
    text: names[0] ?? '\t',
    mayFit: (line) => calls.every((call) => call.test(line)),
    fit: ({ formula }) => {
      const term = readTerm(formula);
      const fit = term && pattern.placeIn(term);
      return fit ? { ...fit, says: sameFormulas(term) } : null;
    },
  };
}

function byName(part: string): Wanted {
  const wanted = part.toLowerCase();
  return {
    text: wanted,
    mayFit: () => true,
    fit: ({ name, formula }) => {
      const bare = name.toLowerCase().replace(/^[^:|]+::/, '');
      if (!bare.includes(wanted)) return null;
      const place = bare === wanted ? 'conclusion' : 'part';
      return { place, special: 0, says: `${bare}\t${formula}` };
    },
  };
}

/** As it may be written: lemma-pattern.ts takes these names for each other. */
function callOf(name: string): RegExp {
  const escaped = name.replaceAll(/[^\w-]/g, '\\$&');
  return new RegExp(`[(:](?:binary-|unary-)?${escaped}(?:-eq(?:l|ual)?)?[ )]`);
}

function* fittingLemmas(index: string, wanted: Wanted): Generator<FittingLemma> {
  for (let at = index.indexOf(wanted.text); at >= 0; ) {
    const start = index.lastIndexOf('\n', at) + 1;
    const end = index.indexOf('\n', at);
    const line = index.slice(start, end);
    if (!/^[@!=]/.test(line) && wanted.mayFit(line)) {
      const [place = '', name = '', formula = ''] = line.split('\t');
      const lemma = { name, formula, line: Number(place) };
      const fit = wanted.fit(lemma);
      if (fit) yield { ...lemma, ...bookAt(index, start), ...fit, alike: 0 };
    }
    at = index.indexOf(wanted.text, end);
  }
}

function bookAt(index: string, place: number): Pick<FoundLemma, 'book' | 'isCertified'> {
  const start = Math.max(index.lastIndexOf('\n@', place), index.lastIndexOf('\n!', place)) + 1;
  return { book: index.slice(start + 1, index.indexOf('\n', start)), isCertified: index[start] === '@' };
}

/** Books that nobody builds on. */
const APART = /(?:^|[/-])(?:tests?|examples?|demos?|workshops|textbook|support|hints)(?:$|[/-])/;

/** Classes of books by how many rest on them; within one of these that says little. */
function weight(book: string, resting: ReadonlyMap<string, number>): number {
  return Math.floor(Math.log10(1 + (resting.get(book) ?? 0)) * 1.5);
}

/**
 * The nearest place; certified books, and those that are built on; the most general, in the book that many more rest on, and of
 * those what says the least besides.
 */
function order(one: FittingLemma, other: FittingLemma, resting: ReadonlyMap<string, number>): number {
  return (
    PLACES.indexOf(one.place) - PLACES.indexOf(other.place) ||
    Number(other.isCertified) - Number(one.isCertified) ||
    Number(APART.test(one.book)) - Number(APART.test(other.book)) ||
    one.special - other.special ||
    weight(other.book, resting) - weight(one.book, resting) ||
    one.formula.length - other.formula.length ||
    (resting.get(other.book) ?? 0) - (resting.get(one.book) ?? 0) ||
    one.book.length - other.book.length ||
    (one.book < other.book ? -1 : 1)
  );
}
