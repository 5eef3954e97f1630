/**
 * Certifying books in ACL2 processes of their own, because no command may be in the world below them: those that a book
 * includes come first, several at once, and none whose certificate still holds. To the session this is an evaluation like
 * any other: its output comes as it is printed, and it is interrupted in the same way.
 */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { asFailure } from '../../../contract/errors';
import type { ProofProgress } from '../../../contract/proof';
import type { Activity } from '../../../launchers/launcher';
import type { EvaluateRequest, Image, InterruptStep, OutputSink } from '../../image';
import { UNTOLD } from '../progress';
import { AtOnce } from './at-once';
import { BookReports, LOG } from './book-reports';
import { type BookResult, together } from './certification-outcome';
import type { KeptCertificates } from './kept-certificates';
import { certifyIn, failed, type Outcome, stopped } from './one-book';
import { type Book, ProjectBooks } from './project-books';

/** Each process may fill as much memory as an image. */
const MOST_PROCESSES = Math.min(4, availableParallelism());

export interface CertifyingOptions {
  /** Starts an image in whose world nothing is, and which may write where the books are. */
  start: () => Promise<Image>;
  project: string;
  certificates: KeptCertificates;
  /** As `ProjectBooks` takes it. */
  prover: string;
}

export class Certifying {
  readonly id: number;
  readonly #options: CertifyingOptions;
  readonly #images = new Map<Book, Promise<Image>>();
  readonly #results = new Map<Book, Promise<BookResult>>();
  readonly #slots = new AtOnce(MOST_PROCESSES);
  #reports: BookReports | null = null;
  #interrupted = false;
  #ended = false;
  #done = 0;

  constructor(id: number, options: CertifyingOptions) {
    this.id = id;
    this.#options = options;
  }

  /** Settles when all its processes have ended; never rejects. @param name of a book, without `.lisp`, or of a folder */
  run(name: string, request: EvaluateRequest, sink: OutputSink): Promise<Outcome> {
    return this.#run(name, request, sink).catch((error: unknown) => failed(asFailure(error).message));
  }

  async #run(name: string, request: EvaluateRequest, sink: OutputSink): Promise<Outcome> {
    const { project, prover } = this.#options;
    const file = path.resolve(project, name);
    const asked = await new ProjectBooks(project, prover).at(file);
    if (asked.length === 0) asked.push(unreadable(file));
    const books = inOrder(asked);
    const live = asked.length === 1 ? asked[0] : undefined;
    const reports = new BookReports(books, project);
    this.#reports = reports;
    const tell = (line: string): void => void (books.length > 1 && sink('stdout', `${line}\n`));
    const work = { request, sink, live, reports, tell, count: books.length };
    const results = await Promise.all(books.map((book) => this.#result(book, work)));
    return together(results, {
      asked,
      project,
      code: request.code,
      interrupted: this.#stopped,
      books: reports.told(),
    });
  }

  get #stopped(): boolean {
    return this.#interrupted || this.#ended;
  }

  /** As `Image.interrupt`. */
  async interrupt(step: InterruptStep): Promise<boolean> {
    this.#interrupted = true;
    const heard = [...this.#images.values()].map(async (image) => (await image).interrupt(this.id, step));
    return (await Promise.all(heard.map((each) => each.catch(() => true)))).every(Boolean);
  }

  /** As `Image.progress`: of the process that began first, and of all books. */
  async progress(): Promise<ProofProgress | null> {
    const reports = this.#reports;
    if (!reports) return null;
    const asked = [...this.#images].map(async ([book, image]) => [book, await progressOf(image)] as const);
    const working = new Map(await Promise.all(asked));
    const [first] = [...working.values()].filter((progress) => progress !== null);
    return { ...(first ?? { form: 0, goal: null, ...UNTOLD }), books: reports.told(working) };
  }

  /** As `Image.activity`, of the process that began first. */
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
    const result = this.#made(book, work);
    this.#results.set(book, result);
    return result;
  }

  async #made(book: Book, work: Work): Promise<BookResult> {
    const below = await Promise.all(book.dependencies.map((each) => this.#result(each, work)));
    const result = leftBecauseOf(below, book) ?? (await this.#tried(book, work));
    work.reports.ended(result);
    if (result.state === 'left') return result;
    this.#done += 1;
    const how = saysOf(result);
    const name = path.relative(this.#options.project, book.file);
    if (how) work.tell(`[${this.#done} of ${work.count}] ${name} ${how}`);
    return result;
  }

  async #tried(book: Book, work: Work): Promise<BookResult> {
    const kept = await this.#options.certificates.find(book);
    if (kept) return { book, state: 'unchanged', issues: kept.issues };
    return this.#slots.run(() => this.#certified(book, work));
  }

  async #certified(book: Book, { request, sink, live, reports }: Work): Promise<BookResult> {
    if (this.#stopped) return { book, state: 'left' };
    reports.began(book);
    const printed: Parameters<OutputSink>[] = [];
    const print = book === live ? sink : (...piece: Parameters<OutputSink>) => printed.push(piece);
    let log = '';
    const { outcome, certificate } = await this.#inImage(book, (image) =>
      certifyIn(image, book, request, (stream, text, dropped) => {
        log = (log + text).slice(-LOG);
        print(stream, text, dropped);
      }),
    );
    if (certificate === null) {
      for (const piece of printed) sink(...piece);
      return { book, state: 'failed', outcome: this.#stopped ? stopped(outcome) : outcome, log };
    }
    if (await this.#isAsItWas(book))
      await this.#options.certificates.keep(book, outcome.report?.proof?.issues ?? []);
    return { book, state: 'certified', outcome, certificate };
  }

  /** Whether its files are still those that were read before: what comes before a book may have changed it. */
  async #isAsItWas({ file, digest }: Book): Promise<boolean> {
    const { project, prover } = this.#options;
    const [now] = await new ProjectBooks(project, prover).at(file).catch(() => []);
    return now?.file === file && now.digest === digest;
  }

  async #inImage(
    book: Book,
    work: (image: Image) => ReturnType<typeof certifyIn>,
  ): ReturnType<typeof certifyIn> {
    const started = this.#options.start();
    this.#images.set(book, started);
    try {
      return await work(await started);
    } catch (error) {
      return { outcome: failed(asFailure(error).message), certificate: null };
    } finally {
      this.#images.delete(book);
      await started.then((image) => image.end()).catch(() => undefined);
    }
  }
}

interface Work {
  request: EvaluateRequest;
  sink: OutputSink;
  /** The book whose output is told as it comes; of the others only where they fail. */
  live: Book | undefined;
  reports: BookReports;
  /** Tells how far it is, where there are several. */
  tell: (line: string) => void;
  count: number;
}

async function progressOf(started: Promise<Image>): Promise<ProofProgress | null> {
  const image = await started.catch(() => null);
  return (await image?.progress?.()) ?? null;
}

/** What becomes of a book of which one that it includes has no certificate; null where all have one. */
function leftBecauseOf(included: readonly BookResult[], book: Book): BookResult | null {
  for (const result of included) {
    if (result.state === 'failed') return { book, state: 'left', below: result.book };
    if (result.state === 'left') return { ...result, book };
  }
  return null;
}

/** Those and all that they include, each after what it includes. */
function inOrder(asked: readonly Book[]): Book[] {
  const ordered = new Set<Book>();
  const add = (book: Book): void => {
    if (ordered.has(book)) return;
    for (const below of book.dependencies) add(below);
    ordered.add(book);
  };
  for (const book of asked) add(book);
  return [...ordered];
}

/** ACL2 says itself what is wrong with it. */
function unreadable(file: string): Book {
  return { file, portcullis: null, flags: null, dependencies: [], digest: null, folders: new Map() };
}

/** Of a book that is at its end; what was left as it is the notes say. */
function saysOf(result: BookResult): string | null {
  if (result.state === 'certified') return 'is certified';
  if (result.state !== 'failed') return null;
  return result.outcome.outcome === 'interrupted' ? 'was interrupted' : 'is NOT certified';
}
