/**
 * Certifies books in separate ACL2 processes, because certification needs a world without commands. Included
 * books are certified first, several in parallel; books with a valid certificate are skipped. For the session
 * this is a normal evaluation: output arrives as it is printed, and an interrupt works.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { asFailure } from '../../../contract/errors';
import { type ProofProgress, TrustIssue } from '../../../contract/proof';
import { boundedJson } from '../../../host/json';
import type { Activity } from '../../../launchers/launcher';
import { realPath } from '../../../sandbox/paths';
import { readWithin } from '../../../sandbox/project-files';
import type { EvaluateRequest, Image, InterruptStep, OutputSink } from '../../image';
import { UNKNOWN_STATE } from '../evaluation-monitor';
import { BookReports, type BookResult, combinedOutcome, LOG_CHARACTERS } from './certification-report';
import { asInterrupted, certifyBook, failed, type Outcome } from './certify-book';
import { type Book, ProjectBooks, sha256 } from './project-books';

/** Maximum parallel processes. Each may use as much memory as an image. */
const MOST_PROCESSES = Math.min(4, availableParallelism());

export interface CertificationOptions {
  /** Starts an image with an empty world that may write to the folders of the books. */
  start: () => Promise<Image>;
  project: string;
  certificates: CertificateStore;
  /** As for `ProjectBooks`. */
  prover: string;
}

export class CertificationTask {
  readonly id: number;
  readonly #options: CertificationOptions;
  readonly #images = new Map<Book, Promise<Image>>();
  readonly #results = new Map<Book, Promise<BookResult>>();
  readonly #slots = new Semaphore(MOST_PROCESSES);
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
    const requested = await new ProjectBooks(project, prover).find(file);
    if (requested.length === 0) requested.push(unreadableBook(file));
    const books = inDependencyOrder(requested);
    const live = requested.length === 1 ? requested[0] : undefined;
    const reports = new BookReports(books, project);
    this.#reports = reports;
    const printLine = (line: string): void => void (books.length > 1 && sink('stdout', `${line}\n`));
    const work = { request, sink, live, reports, printLine, count: books.length };
    const results = await Promise.all(books.map((book) => this.#result(book, work)));
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
    const below = await Promise.all(book.dependencies.map((each) => this.#result(each, work)));
    const result = skippedBecauseOf(below, book) ?? (await this.#attempt(book, work));
    work.reports.finish(result);
    if (result.state === 'left') return result;
    this.#done += 1;
    const how = progressText(result);
    const name = path.relative(this.#options.project, book.file);
    if (how) work.printLine(`[${this.#done} of ${work.count}] ${name} ${how}`);
    return result;
  }

  async #attempt(book: Book, work: Work): Promise<BookResult> {
    const saved = await this.#options.certificates.find(book);
    if (saved) return { book, state: 'unchanged', issues: saved.issues };
    return this.#slots.run(() => this.#certify(book, work));
  }

  async #certify(book: Book, { request, sink, live, reports }: Work): Promise<BookResult> {
    if (this.#stopped) return { book, state: 'left' };
    reports.start(book);
    const printed: Parameters<OutputSink>[] = [];
    const print = book === live ? sink : (...piece: Parameters<OutputSink>) => printed.push(piece);
    let log = '';
    const { outcome, certificate } = await this.#inImage(book, (image) =>
      certifyBook(image, book, request, (stream, text, dropped) => {
        log = (log + text).slice(-LOG_CHARACTERS);
        print(stream, text, dropped);
      }),
    );
    if (certificate === null) {
      for (const piece of printed) sink(...piece);
      return { book, state: 'failed', outcome: this.#stopped ? asInterrupted(outcome) : outcome, log };
    }
    if (await this.#isUnchanged(book))
      await this.#options.certificates.save(book, outcome.report?.proof?.issues ?? []);
    return { book, state: 'certified', outcome, certificate };
  }

  /**
   * Reports whether the files of the book are unchanged since they were read. Certifying other books may have
   * changed them.
   */
  async #isUnchanged({ file, digest }: Book): Promise<boolean> {
    const { project, prover } = this.#options;
    const [now] = await new ProjectBooks(project, prover).find(file).catch(() => []);
    return now?.file === file && now.digest === digest;
  }

  async #inImage(
    book: Book,
    work: (image: Image) => ReturnType<typeof certifyBook>,
  ): ReturnType<typeof certifyBook> {
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
  /**
   * The book whose output is passed on as it is printed. Output of other books is shown only if they fail.
   */
  live: Book | undefined;
  reports: BookReports;
  /** Prints progress if there are several books. */
  printLine: (line: string) => void;
  count: number;
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

/** Maximum bytes of a certificate. */
const MOST_BYTES = 256 * 1024 * 1024;

/** `digest` identifies the sources of the book, `certificate` the file that ACL2 wrote. */
const SavedCertification = z.object({
  digest: z.string(),
  certificate: z.string(),
  issues: z.array(TrustIssue),
});
type SavedCertification = z.infer<typeof SavedCertification>;

/**
 * Records which books were certified from which sources, in a folder that no image can write to. A
 * certificate in the project is no evidence: any process that can write there could have created it.
 */
export class CertificateStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the saved certification if it is still valid: the book, the books it includes and the certificate
   * are unchanged.
   */
  async find(book: Book): Promise<SavedCertification | null> {
    try {
      const saved = SavedCertification.parse(boundedJson(await readFile(this.#file(book), 'utf8')));
      return saved.digest === book.digest && saved.certificate === (await certificateOf(book)) ? saved : null;
    } catch {
      return null;
    }
  }

  async save(book: Book, issues: TrustIssue[]): Promise<void> {
    const { digest } = book;
    const certificate = await certificateOf(book);
    if (certificate === null || digest === null) return;
    const saved: SavedCertification = { digest, certificate, issues };
    const file = this.#file(book);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, JSON.stringify(saved), { mode: 0o600 });
    await rename(draft, file);
  }

  #file({ file }: Book): string {
    return path.join(this.#folder, `${sha256(file)}.json`);
  }
}

async function certificateOf({ file }: Book): Promise<string | null> {
  const bytes = await readWithin(realPath(path.dirname(file)), `${path.basename(file)}.cert`, MOST_BYTES);
  return bytes && sha256(bytes);
}
