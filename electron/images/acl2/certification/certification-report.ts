/** The result of certifying one or more books, as the outcome of one evaluation. */

import path from 'node:path';
import { lispString } from '../../../contract/knowledge';
import { type Note, note } from '../../../contract/note';
import type { BookReport, Certification, ProofReport, TrustIssue } from '../../../contract/proof';
import type { TestFailure, TestRun } from '../../../contract/report';
import { FAILURE, firstParagraph } from '../messages';
import { CERTIFY_BOOK } from '../world';
import type { Outcome } from './certify-book';
import type { Book } from './project-books';

/** `left`: not attempted, because the book `below` it has no certificate, or because of an interrupt. */
export type BookResult = { book: Book } & (
  | { state: 'certified'; outcome: Outcome; certificate: string }
  | { state: 'unchanged'; issues: TrustIssue[] }
  | { state: 'failed'; outcome: Outcome; log: string }
  | { state: 'left'; below?: Book }
);

interface OutcomeContext {
  /** The requested books. The other books are included by them. */
  requested: readonly Book[];
  /** Reported book names are relative to it. */
  project: string;
  code: string;
  interrupted: boolean;
  books: BookReport[];
}

/**
 * Combines the results into one outcome. Its details are those of the first failed book, or of the last requested one.
 * @param results in dependency order
 */
export function combinedOutcome(
  results: readonly BookResult[],
  { requested, project, code, interrupted, books }: OutcomeContext,
): Outcome {
  const requestedResults = results.filter(({ book }) => requested.includes(book));
  const decisive = results.find(({ state }) => state === 'failed') ?? requestedResults.at(-1);
  const outcome = decisive && 'outcome' in decisive ? decisive.outcome : null;
  const succeeded = requestedResults.every(hasCertificate);
  const how = succeeded ? 'ok' : interrupted ? 'interrupted' : 'error';
  return {
    outcome: how,
    forms: succeeded
      ? [{ code, values: requestedResults.map(({ book }) => lispString(certificateOf(book))) }]
      : [],
    warnings: (outcome?.warnings ?? []).map((warning) => ({ ...warning, form: 0 })),
    condition: outcome?.condition ?? null,
    notes: [...(outcome?.notes ?? []), ...notesOn(results, how, project)],
    report: {
      loaded: [],
      failures: outcome?.report?.failures ?? [],
      runs: how === 'interrupted' ? [] : [runOf(results)],
      proof: {
        ...proofOf(outcome?.report?.proof),
        issues: succeeded ? issuesOf(requestedResults) : (outcome?.report?.proof?.issues ?? []),
        certification: { ...certificationOf(succeeded ? requestedResults.at(-1) : decisive), books },
      },
    },
  };
}

function hasCertificate({ state }: BookResult): boolean {
  return state === 'certified' || state === 'unchanged';
}

function certificateOf({ file }: Book): string {
  return `${file}.cert`;
}

function certificationOf(result: BookResult | undefined): Certification {
  if (!result) return { book: '', certificate: null };
  const { book } = result;
  return { book: book.file, certificate: hasCertificate(result) ? certificateOf(book) : null };
}

/** Omits what was true only in the certifying process, because it would be taken for the session's world. */
function proofOf(proof: ProofReport | undefined): ProofReport {
  const { change: _change, ...rest } = proof ?? { events: [], issues: [], command: null };
  return { ...rest, events: rest.events.map((event) => ({ ...event, form: 0 })), command: null };
}

/** Returns the trust issues of all books, one entry for each kind. */
function issuesOf(results: readonly BookResult[]): TrustIssue[] {
  const issues = new Map<TrustIssue['kind'], Set<string>>();
  for (const result of results)
    for (const { kind, about } of ownIssues(result)) {
      const known = issues.get(kind) ?? new Set();
      issues.set(kind, known);
      for (const name of about) known.add(name);
    }
  return [...issues].map(([kind, about]) => ({ kind, about: [...about] }));
}

function ownIssues(result: BookResult): readonly TrustIssue[] {
  if (result.state === 'unchanged') return result.issues;
  return result.state === 'certified' ? (result.outcome.report?.proof?.issues ?? []) : [];
}

/** Reports each book as a test. */
function runOf(results: readonly BookResult[]): TestRun {
  const tried = results.filter(({ state }) => state !== 'left');
  const failures = results.flatMap((result) => (result.state === 'failed' ? [failureOf(result)] : []));
  const failed = failures.length;
  const skipped = results.length - tried.length;
  return {
    framework: CERTIFY_BOOK,
    tests: tried.map(({ book }) => book.file),
    counts: { passed: tried.length - failed, failed, errors: 0, skipped },
    failures,
  };
}

/** Names the form of the book that failed, with its place. */
function failureOf({ book, outcome }: BookResult & { state: 'failed' }): TestFailure {
  const { file, line, source } = outcome.report?.failures.at(0) ?? {};
  return {
    test: book.file,
    kind: 'failed',
    ...(source === undefined ? {} : { form: source }),
    reason: failureReason(outcome),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  };
}

function notesOn(results: readonly BookResult[], how: Outcome['outcome'], project: string): Note[] {
  const files = (state: BookResult['state']): string =>
    results
      .filter((result) => result.state === state)
      .map(({ book }) => path.relative(project, book.file))
      .join(', ');
  const unchanged = files('unchanged');
  const notTried = files('left');
  const nothing = how === 'interrupted' && results.every(({ state }) => state === 'left');
  return [
    ...(unchanged ? [note('certification', `Not certified again because unchanged: ${unchanged}.`)] : []),
    ...(nothing ? [note('certification', 'Interrupted before any book was certified.')] : []),
    ...(notTried && how === 'error'
      ? [note('certification', `Not attempted because an included book is not certified: ${notTried}.`)]
      : []),
  ];
}

/** Maximum characters of output retained for a failed book, and for all of them. */
export const LOG_CHARACTERS = 20_000;
const ALL_LOGS_CHARACTERS = 500_000;
/** Maximum characters of the reason for a failure. */
const REASON_CHARACTERS = 240;

/** Matches the start of an error message with its event, such as `( DEFUN F ...)`. */
const ERROR_IN_EVENT = /^(?:HARD ACL2 ERROR|ACL2 Error)(?: \[[^\]]+\])? in \( ?([^()]+?) \.\.\.\): +/;

/**
 * State of each book of a certification, reported while it runs and in the result.
 */
export class BookReports {
  readonly #project: string;
  readonly #reports = new Map<Book, BookReport>();
  #roomForLogs = ALL_LOGS_CHARACTERS;

  /**
   * @param books in dependency order
   * @param project book names are relative to it
   */
  constructor(books: readonly Book[], project: string) {
    this.#project = project;
    for (const [book, below] of directDependencies(books)) this.#wait(book, below);
  }

  /** Adds a book that was found during the certification. */
  add(book: Book): void {
    this.#wait(book, book.dependencies);
  }

  start(book: Book): void {
    this.#change(book, { state: 'at-work', startedAt: Date.now() });
  }

  finish(result: BookResult): void {
    const startedAt = this.#reports.get(result.book)?.startedAt;
    const took = startedAt === undefined ? {} : { durationMs: Date.now() - startedAt };
    this.#change(result.book, { ...took, ...this.#end(result) });
  }

  /**
   * Returns the reports in the order of the books. @param working progress of the books that are being
   * certified
   */
  current(working: ReadonlyMap<Book, { goal: string | null } | null> = new Map()): BookReport[] {
    return [...this.#reports].map(([book, report]) => {
      const goal = working.get(book)?.goal ?? null;
      return { ...report, ...(report.state === 'at-work' && goal !== null ? { goal } : {}) };
    });
  }

  #wait(book: Book, below: readonly Book[]): void {
    const includes = below.map((each) => this.#name(each));
    this.#reports.set(book, { book: this.#name(book), includes, state: 'waiting' });
  }

  #end(result: BookResult): Partial<BookReport> {
    const { state } = result;
    if (state === 'left') return { state, ...(result.below && { because: this.#name(result.below) }) };
    if (state !== 'failed') return { state };
    const { outcome } = result;
    const log = result.log.trim();
    const end = outcome.outcome === 'interrupted' ? 'interrupted' : 'failed';
    return {
      state: end,
      ...(end === 'failed' ? { because: failureReason(outcome) } : {}),
      ...(this.#hasRoomFor(log) ? { log } : {}),
    };
  }

  #hasRoomFor(log: string): boolean {
    const hasRoom = log !== '' && log.length <= this.#roomForLogs;
    if (hasRoom) this.#roomForLogs -= log.length;
    return hasRoom;
  }

  #change(book: Book, changed: Partial<BookReport>): void {
    const report = this.#reports.get(book);
    if (report) this.#reports.set(book, { ...report, ...changed });
  }

  #name({ file }: Book): string {
    return path.relative(this.#project, file);
  }
}

/** Returns the direct dependencies of each book, without those that another dependency includes. */
function directDependencies(books: readonly Book[]): Map<Book, Book[]> {
  const below = new Map<Book, ReadonlySet<Book>>();
  const direct = new Map<Book, Book[]>();
  for (const book of books) {
    const indirect = new Set(book.dependencies.flatMap((each) => [...(below.get(each) ?? [])]));
    direct.set(
      book,
      book.dependencies.filter((each) => !indirect.has(each)),
    );
    below.set(book, new Set([...indirect, ...book.dependencies]));
  }
  return direct;
}

/** Returns the reason for a failure in one line. ACL2's own message for a failed proof contains no reason. */
function failureReason({ condition, report }: Outcome): string {
  const { failedAt, checkpoints } = report?.proof?.events.at(-1) ?? {};
  if (condition?.type === FAILURE && failedAt !== undefined && checkpoints) {
    const { top, induction, untold = 0 } = checkpoints;
    const count = top.length + induction.length + untold;
    return `${failedAt}: the proof failed, with ${count} key checkpoint${count === 1 ? '' : 's'}`;
  }
  const message = condition ? firstParagraph(condition) : 'ACL2 wrote no certificate.';
  const reason = message.replace(ERROR_IN_EVENT, '$1: ');
  return reason.length <= REASON_CHARACTERS ? reason : `${reason.slice(0, REASON_CHARACTERS)}…`;
}
