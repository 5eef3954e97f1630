/**
 * Certifies books in separate ACL2 processes, because certification needs a world without commands. Included
 * books are certified first, several in parallel; books with a valid certificate are skipped. For the session
 * this is a normal evaluation: output arrives as it is printed, and an interrupt works.
 */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { asFailure } from '../../../contract/errors';
import type { ProofProgress } from '../../../contract/proof';
import type { Activity } from '../../../launchers/launcher';
import type { EvaluateRequest, Image, InterruptStep, OutputSink } from '../../image';
import { UNKNOWN_STATE } from '../evaluation-monitor';
import { bookOf, type NamedFiles } from '../world';
import { type CertificateStore, changedSince, SOURCE } from './certificate-store';
import { BookReports, type BookResult, combinedOutcome, LOG_CHARACTERS } from './certification-report';
import {
  asInterrupted,
  type CertifyingImage,
  certifyBook,
  failed,
  NO_FILES,
  type Outcome,
} from './certify-book';
import { type Book, ProjectBooks } from './project-books';

/** Maximum parallel processes. Each may use as much memory as an image. */
const MOST_PROCESSES = Math.min(4, availableParallelism());

export interface CertificationOptions {
  /** Starts an image with an empty world that may write to the folders of the books. */
  start: () => Promise<CertifyingImage>;
  project: string;
  certificates: CertificateStore;
  /** As for `ProjectBooks`. */
  prover: string;
}

export class CertificationTask {
  readonly id: number;
  readonly #options: CertificationOptions;
  readonly #images = new Map<Book, Promise<CertifyingImage>>();
  readonly #results = new Map<Book, Promise<BookResult>>();
  readonly #slots = new Semaphore(MOST_PROCESSES);
  /** The books that each book waits for. */
  readonly #waiting = new Map<Book, Set<Book>>();
  #reports: BookReports | null = null;
  #interrupted = false;
  #ended = false;
  #done = 0;

  constructor(id: number, options: CertificationOptions) {
    this.id = id;
    this.#options = options;
  }

  /**
   * Settles when all processes have ended; never rejects.
   * @param name a book without `.lisp`, or a folder
   */
  run(name: string, request: EvaluateRequest, sink: OutputSink): Promise<Outcome> {
    return this.#run(name, request, sink).catch((error: unknown) => failed(asFailure(error).message));
  }

  async #run(name: string, request: EvaluateRequest, sink: OutputSink): Promise<Outcome> {
    const { project, prover } = this.#options;
    const file = path.resolve(project, name);
    const projectBooks = new ProjectBooks(project, prover);
    const requested = await projectBooks.find(file);
    if (requested.length === 0) requested.push(unreadableBook(file));
    const books = new Set(inDependencyOrder(requested));
    const live = requested.length === 1 ? requested[0] : undefined;
    const reports = new BookReports([...books], project);
    this.#reports = reports;
    const printLine = (line: string): void => void (books.size > 1 && sink('stdout', `${line}\n`));
    const add = (book: Book): void => {
      if (!books.has(book)) reports.add(book);
      books.add(book);
    };
    const work: Work = { request, sink, live, reports, printLine, projectBooks, books, add };
    await Promise.all([...books].map((book) => this.#result(book, work)));
    const results = await Promise.all(this.#results.values());
    return combinedOutcome(results, {
      requested,
      project,
      code: request.code,
      interrupted: this.#stopped,
      books: reports.current(),
    });
  }

  get #stopped(): boolean {
    return this.#interrupted || this.#ended;
  }

  /** As `Image.interrupt`. */
  async interrupt(step: InterruptStep): Promise<boolean> {
    this.#interrupted = true;
    const interrupts = [...this.#images.values()].map(async (image) =>
      (await image).interrupt(this.id, step),
    );
    return (await Promise.all(interrupts.map((each) => each.catch(() => true)))).every(Boolean);
  }

  /** As `Image.progress`: of the process that started first, and the state of all books. */
  async progress(): Promise<ProofProgress | null> {
    const reports = this.#reports;
    if (!reports) return null;
    const pending = [...this.#images].map(async ([book, image]) => [book, await progressOf(image)] as const);
    const working = new Map(await Promise.all(pending));
    const [first] = [...working.values()].filter((progress) => progress !== null);
    return { ...(first ?? { form: 0, goal: null, ...UNKNOWN_STATE }), books: reports.current(working) };
  }

  /** As `Image.activity`, of the process that started first. */
  async activity(): Promise<Activity | null> {
    const [image] = this.#images.values();
    return (await (await image?.catch(() => null))?.activity?.()) ?? null;
  }

  async end(): Promise<void> {
    this.#ended = true;
    const ended = [...this.#images.values()].map(async (image) => (await image).end());
    await Promise.allSettled(ended);
  }

  #result(book: Book, work: Work): Promise<BookResult> {
    const known = this.#results.get(book);
    if (known) return known;
    const result = this.#compute(book, work);
    this.#results.set(book, result);
    return result;
  }

  async #compute(book: Book, work: Work): Promise<BookResult> {
    const result = (await this.#wait(book, book.dependencies, work)) ?? (await this.#attempt(book, work));
    work.reports.finish(result);
    if (result.state === 'left') return result;
    this.#done += 1;
    const how = progressText(result);
    const name = path.relative(this.#options.project, book.file);
    if (how) work.printLine(`[${this.#done} of ${work.books.size}] ${name} ${how}`);
    return result;
  }

  /** Waits for `below`. Returns the result of `book` if one of them has no certificate; otherwise null. */
  async #wait(book: Book, below: readonly Book[], work: Work): Promise<BookResult | null> {
    const waiting = this.#waiting.get(book) ?? new Set();
    this.#waiting.set(book, waiting);
    for (const each of below) waiting.add(each);
    const results = await Promise.all(below.map((each) => this.#result(each, work)));
    return skippedBecauseOf(results, book);
  }

  /**
   * Certifies `book` again as long as it includes project books that its text does not name, for example by a
   * macro, and one of them had no valid certificate.
   */
  async #attempt(book: Book, work: Work): Promise<BookResult> {
    const saved = await this.#options.certificates.find(book);
    if (saved) return { book, state: 'unchanged', issues: saved.issues };
    const known = new Set(book.dependencies);
    for (;;) {
      const { result, named } = await this.#slots.run(() => this.#certify(book, work));
      if (this.#stopped) return result;
      const more = (await this.#booksAmong(named.books, book, work)).filter((each) => !known.has(each));
      for (const each of more) known.add(each);
      const left = await this.#wait(book, more, work);
      if (left) return left;
      const results = await Promise.all(more.map((each) => this.#result(each, work)));
      if (!results.some(({ state }) => state === 'certified')) return result;
    }
  }

  /** Returns the project books among the files, except books that wait for `book`. */
  async #booksAmong(files: readonly string[], book: Book, work: Work): Promise<Book[]> {
    const found: Book[] = [];
    for (const file of files.map(bookOf)) {
      const named = file === book.file ? null : await work.projectBooks.book(file);
      if (named && !this.#waitsFor(named, book)) found.push(named);
    }
    for (const each of inDependencyOrder(found)) work.add(each);
    return found;
  }

  #waitsFor(book: Book, other: Book, seen: Set<Book> = new Set()): boolean {
    if (seen.has(book)) return false;
    seen.add(book);
    const below = [...book.dependencies, ...(this.#waiting.get(book) ?? [])];
    return book === other || below.some((each) => this.#waitsFor(each, other, seen));
  }

  async #certify(book: Book, work: Work): Promise<{ result: BookResult; named: NamedFiles }> {
    const { request, sink, live, reports } = work;
    if (this.#stopped) return { result: { book, state: 'left' }, named: NO_FILES };
    reports.start(book);
    const printed: Parameters<OutputSink>[] = [];
    const print = book === live ? sink : (...piece: Parameters<OutputSink>) => printed.push(piece);
    let log = '';
    const since = Date.now();
    const { outcome, certificate, named } = await this.#inImage(book, (image) =>
      certifyBook(image, book, request, (stream, text, dropped) => {
        log = (log + text).slice(-LOG_CHARACTERS);
        print(stream, text, dropped);
      }),
    );
    if (certificate === null) {
      for (const piece of printed) sink(...piece);
      const why = this.#stopped ? asInterrupted(outcome) : outcome;
      return { result: { book, state: 'failed', outcome: why, log }, named };
    }
    const changed = await this.#changed(book, named.files, since);
    if (changed.length > 0) {
      const names = changed.map((each) => path.relative(this.#options.project, each)).join(', ');
      const why = failed(`${names} changed while ACL2 certified the book. Run it again.`);
      return { result: { book, state: 'failed', outcome: why, log }, named };
    }
    await this.#options.certificates.save(book, outcome.report?.proof?.issues ?? [], named.files, since);
    return { result: { book, state: 'certified', outcome, certificate }, named };
  }

  /** Returns the sources of the book that have changed since it was read. */
  async #changed(book: Book, files: readonly string[], since: number): Promise<string[]> {
    const { project, prover } = this.#options;
    const now = await new ProjectBooks(project, prover).book(book.file).catch(() => null);
    if (now?.digest !== book.digest) return [`${book.file}.lisp`];
    return changedSince(
      files.filter((each) => SOURCE.test(each)),
      since,
    );
  }

  async #inImage(
    book: Book,
    work: (image: CertifyingImage) => ReturnType<typeof certifyBook>,
  ): ReturnType<typeof certifyBook> {
    const started = this.#options.start();
    this.#images.set(book, started);
    try {
      return await work(await started);
    } catch (error) {
      return { outcome: failed(asFailure(error).message), certificate: null, named: NO_FILES };
    } finally {
      this.#images.delete(book);
      await started.then((image) => image.end()).catch(() => undefined);
    }
  }
}

interface Work {
  request: EvaluateRequest;
  sink: OutputSink;
  /**
   * The book whose output is passed on as it is printed. Output of other books is shown only if they fail.
   */
  live: Book | undefined;
  reports: BookReports;
  /** Prints progress if there are several books. */
  printLine: (line: string) => void;
  projectBooks: ProjectBooks;
  books: Set<Book>;
  /** Adds a book that was found during the certification. */
  add: (book: Book) => void;
}

async function progressOf(started: Promise<Image>): Promise<ProofProgress | null> {
  const image = await started.catch(() => null);
  return (await image?.progress?.()) ?? null;
}

/** Returns the result for a book with an included book that has no certificate; null if all have one. */
function skippedBecauseOf(included: readonly BookResult[], book: Book): BookResult | null {
  for (const result of included) {
    if (result.state === 'failed') return { book, state: 'left', below: result.book };
    if (result.state === 'left') return { ...result, book };
  }
  return null;
}

/** Returns the books and all that they include, in dependency order. */
function inDependencyOrder(requested: readonly Book[]): Book[] {
  const ordered = new Set<Book>();
  const add = (book: Book): void => {
    if (ordered.has(book)) return;
    for (const below of book.dependencies) add(below);
    ordered.add(book);
  };
  for (const book of requested) add(book);
  return [...ordered];
}

/** Stands in for a file that is not a readable book. ACL2 reports the problem itself. */
function unreadableBook(file: string): Book {
  return { file, portcullis: null, flags: null, dependencies: [], digest: null, folders: new Map() };
}

/** Returns the progress text for a finished book; null for a skipped one, which is reported in a note. */
function progressText(result: BookResult): string | null {
  if (result.state === 'certified') return 'is certified';
  if (result.state !== 'failed') return null;
  return result.outcome.outcome === 'interrupted' ? 'was interrupted' : 'is NOT certified';
}

/** Limits the number of concurrent tasks. Waiting tasks start in order of arrival. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
