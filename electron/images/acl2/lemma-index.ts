/**
 * An index of the lemmas in a folder of books, in one file. Each book has a line of `@` (or `!` if it is not
 * certified) and its name, followed by a line for each lemma with line number, name and formula separated by
 * tabs, and a fourth field if the proof is skipped. The last lines, `=` count tab name, contain the number of
 * books that depend on a book. The file is created once for a state of the folder, together with the manual
 * (manual.ts); a search reads it completely.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type BookEvent, BookSource, nameIn } from './book-events';
import { type Fit, type LemmaPattern, PLACES, sameFormulas } from './lemma-pattern';
import { ManualBuild } from './manual';
import { printTerm, readTerm } from './terms';

/** Version of the file format and the extraction of lemmas. */
const FORMAT = 3;

/** Maximum bytes of a source to read. Larger files are tables. */
const LARGEST = 4_000_000;

/** A lemma of a book. `book` is the path below the folder without `.lisp`. */
export interface FoundLemma extends BookLemma {
  book: string;
  isCertified: boolean;
  place: Fit['place'];
  /** Number of other lemmas with the same statement, in any book. */
  alike: number;
}

export interface FoundLemmas {
  /** Best match first; only the best of lemmas with the same statement. */
  lemmas: FoundLemma[];
  /** Number of lemmas without duplicates. */
  total: number;
}

interface IndexFile {
  /**
   * The index file for the current state of the folder, which may not exist. New books and certificates
   * change modification times of folders.
   */
  file: string;
  /** An existing index of the same folder, perhaps for an earlier state; null for none. */
  existing: string | null;
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
  const existing = names.includes(name) ? name : names[0];
  return {
    file: path.join(cache, name),
    existing: existing === undefined ? null : path.join(cache, existing),
  };
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

/**
 * Writes `file` and removes the other indexes.
 * @param progress called after each book
 */
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
  const manual = new ManualBuild();
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
      manual.add(book, text);
      progress(place + 1, sources.length);
    }
    const counts = new Map([...includers.keys()].map((book) => [book, dependentCount(book, includers)]));
    await handle.write([...counts].map(([book, count]) => `=${count}\t${book}\n`).join(''));
    await manual.write(manualFile(file), (book) => counts.get(book) ?? 0);
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  const current = [file, manualFile(file)].map((each) => path.basename(each));
  const others = (await readdir(folder)).filter((name) => !current.includes(name));
  await Promise.all(others.map((name) => rm(path.join(folder, name), { force: true })));
}

/** Returns the manual of an index. */
export function manualFile(index: string): string {
  return index.replace(/\.lemmas$/, '.topics');
}

interface Sources {
  sources: string[];
  /** The sources that have a certificate. */
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

/** Returns the text of a source; an empty string if it cannot be read. */
async function textOf(source: string): Promise<string> {
  try {
    return (await stat(source)).size > LARGEST ? '' : await readFile(source, 'utf8');
  } catch {
    return '';
  }
}

const INCLUDE = /\(include-book\s+"([^"\n]+)"(\s+:dir\s+:system\b)?/gi;

/** Returns the included books by the same kind of name as `book`. */
function includedBy(book: string, text: string): Set<string> {
  const { dirname, join, normalize } = path.posix;
  return new Set(
    Array.from(text.matchAll(INCLUDE), ([, name = '', system]) =>
      system === undefined ? join(dirname(book), name) : normalize(name),
    ),
  );
}

/** Returns how many books include `book` directly or indirectly. */
function dependentCount(book: string, includers: ReadonlyMap<string, ReadonlySet<string>>): number {
  // The loop also visits elements that it adds.
  const dependents = new Set([book]);
  for (const each of dependents) for (const includer of includers.get(each) ?? []) dependents.add(includer);
  return dependents.size - 1;
}

function linesOf(book: string, isCertified: boolean, lemmas: readonly BookLemma[]): string {
  const lines = lemmas.map(
    ({ line, name, formula, skipped }) => `${line}\t${name}\t${formula}${skipped ? '\tskipped' : ''}\n`,
  );
  return `${isCertified ? '@' : '!'}${book}\n${lines.join('')}`;
}

/**
 * @param wanted a pattern of the formula, or a part of the name
 * @param limit maximum lemmas in the result; all are counted
 */
export async function searchIndex(
  file: string,
  wanted: LemmaPattern | string,
  limit: number,
): Promise<FoundLemmas> {
  const index = await readFile(file, 'utf8');
  const dependents = dependentCounts(index);
  const bestFirst = (one: FittingLemma, other: FittingLemma) => order(one, other, dependents);
  const found = new Map<string, FittingLemma[]>();
  for (const lemma of fittingLemmas(index, typeof wanted === 'string' ? byName(wanted) : byFormula(wanted))) {
    const same = found.get(lemma.meaning);
    if (same === undefined) found.set(lemma.meaning, [lemma]);
    else same.push(lemma);
  }
  const best = [...found.values()].flatMap((same) => {
    const [first] = same.sort(bestFirst);
    return first === undefined ? [] : [{ ...first, alike: same.length - 1 }];
  });
  const lemmas = best
    .sort(bestFirst)
    .slice(0, limit)
    .map(({ special: _special, meaning: _meaning, ...lemma }) => lemma);
  return { lemmas, total: best.length };
}

/** Returns the number of dependents of each book. */
function dependentCounts(index: string): ReadonlyMap<string, number> {
  const start = index.indexOf('\n=');
  const lines = start < 0 ? [] : index.slice(start + 1).split('\n');
  return new Map(
    lines.map((line) => {
      const [count = '', book = ''] = line.slice(1).split('\t');
      return [book, Number(count)];
    }),
  );
}

/** `meaning` is equal for lemmas with the same statement. */
type FittingLemma = FoundLemma & Fit & { meaning: string };

/** Selects lines of an index and matches their lemmas. */
interface Wanted {
  /** Text that each selected line contains. */
  text: string;
  mayFit(line: string): boolean;
  fit(lemma: BookLemma): (Fit & Pick<FittingLemma, 'meaning'>) | null;
}

/** Parses only lines that call all names of the pattern. The longest name occurs in the fewest lines. */
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
      return fit ? { ...fit, meaning: sameFormulas(term) } : null;
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
      return { place, special: 0, meaning: `${bare}\t${formula}` };
    },
  };
}

/** Matches a call in each spelling that lemma-pattern.ts treats as equal. */
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
      const [place = '', name = '', formula = '', mark] = line.split('\t');
      const lemma = {
        ...{ name, formula, line: Number(place) },
        ...(mark === undefined ? {} : { skipped: true as const }),
      };
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

/** Books that other books are not built on. */
const UNUSED_BOOKS = /(?:^|[/-])(?:tests?|examples?|demos?|workshops|textbook|support|hints)(?:$|[/-])/;

/** Returns a class of popularity. Smaller differences are not significant. */
function weight(book: string, dependents: ReadonlyMap<string, number>): number {
  return Math.floor(Math.log10(1 + (dependents.get(book) ?? 0)) * 1.5);
}

/**
 * Sort order: nearest place; certified before uncertified books; books that others build on; most general
 * formula; popularity class; shortest formula; popularity; shortest book name.
 */
function order(one: FittingLemma, other: FittingLemma, dependents: ReadonlyMap<string, number>): number {
  return (
    PLACES.indexOf(one.place) - PLACES.indexOf(other.place) ||
    Number(other.isCertified) - Number(one.isCertified) ||
    Number(UNUSED_BOOKS.test(one.book)) - Number(UNUSED_BOOKS.test(other.book)) ||
    one.special - other.special ||
    weight(other.book, dependents) - weight(one.book, dependents) ||
    one.formula.length - other.formula.length ||
    (dependents.get(other.book) ?? 0) - (dependents.get(one.book) ?? 0) ||
    one.book.length - other.book.length ||
    (one.book < other.book ? -1 : 1)
  );
}

/** A theorem in the source text of a book. */
interface BookLemma {
  /** `pkg::name` if the book is not in package ACL2. */
  name: string;
  /** In one line and in lower case. */
  formula: string;
  line: number;
  /** Whether its proof is skipped. */
  skipped?: true;
}

const THEOREM = /^(?:defthmd?|defruled?)$/i;

/** Events that are not exported by the book, events that must fail, and forms without events. */
const WITHOUT_LEMMAS =
  /^(?:local|defund?|defun-.*|define-.*|defmacro|defconst|quote|must-(?:fail|not|eval-to).*|thm\??|comment|ld)$/i;

/** Maximum characters of a useful formula. */
const LONGEST = 4_000;

export function lemmasIn(text: string): BookLemma[] {
  if (!/def(?:thm|rule)/i.test(text)) return [];
  const source = new BookSource(text, WITHOUT_LEMMAS);
  return [...source.events()].flatMap((event) => lemmaOf(event, source));
}

function lemmaOf({ operator, operands, within, line, ...event }: BookEvent, source: BookSource): BookLemma[] {
  const [name, formula] = operands;
  if (!THEOREM.test(operator) || within.some((each) => THEOREM.test(each))) return [];
  if (name?.kind !== 'token' || formula?.kind !== 'list' || formula.end - formula.start > LONGEST) return [];
  const term = readTerm(source.textOf(formula));
  if (term === null) return [];
  return [
    {
      name: printTerm(nameIn(event.package, source.textOf(name))),
      formula: printTerm(term).replaceAll(/\s+/g, ' '),
      line,
      ...(within.some((each) => /^skip-proofs$/i.test(each)) ? { skipped: true as const } : {}),
    },
  ];
}
