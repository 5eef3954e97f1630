/** What has become of each book of a certification: told while it runs, and kept with what comes of it. */
import path from 'node:path';
import type { BookReport } from '../../../contract/certification';
import { FAILURE, firstParagraph } from '../messages';
import type { BookResult } from './certification-outcome';
import type { Outcome } from './one-book';
import type { Book } from './project-books';

/** Characters that are kept of what one book has printed, and of what all have. */
export const LOG = 20_000;
const ALL_LOGS = 500_000;
/** Characters of why one failed. */
const REASON = 240;

/** Before what a message says: that it is an error, and in which event, such as `( DEFUN F ...)`. */
const ERROR_IN_EVENT = /^(?:HARD ACL2 ERROR|ACL2 Error)(?: \[[^\]]+\])? in \( ?([^()]+?) \.\.\.\): +/;

export class BookReports {
  readonly #project: string;
  readonly #reports = new Map<Book, BookReport>();
  #roomForLogs = ALL_LOGS;

  /** @param books each after those that it includes
   * @param project names are relative to it */
  constructor(books: readonly Book[], project: string) {
    this.#project = project;
    for (const [book, below] of rightBelow(books)) {
      const includes = below.map((each) => this.#name(each));
      this.#reports.set(book, { book: this.#name(book), includes, state: 'waiting' });
    }
  }

  /** A process begins with it. */
  began(book: Book): void {
    this.#change(book, { state: 'at-work', startedAt: Date.now() });
  }

  ended(result: BookResult): void {
    const startedAt = this.#reports.get(result.book)?.startedAt;
    const took = startedAt === undefined ? {} : { durationMs: Date.now() - startedAt };
    this.#change(result.book, { ...took, ...this.#end(result) });
  }

  /** In the order of the books. @param working what is asked of those that are at work */
  told(working: ReadonlyMap<Book, { goal: string | null } | null> = new Map()): BookReport[] {
    return [...this.#reports].map(([book, report]) => {
      const goal = working.get(book)?.goal ?? null;
      return { ...report, ...(report.state === 'at-work' && goal !== null ? { goal } : {}) };
    });
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
      ...(end === 'failed' ? { because: inALine(outcome) } : {}),
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

/** Of each book those that it includes, without what comes by way of another of them. */
function rightBelow(books: readonly Book[]): Map<Book, Book[]> {
  const below = new Map<Book, ReadonlySet<Book>>();
  const right = new Map<Book, Book[]>();
  for (const book of books) {
    const further = new Set(book.dependencies.flatMap((each) => [...(below.get(each) ?? [])]));
    right.set(
      book,
      book.dependencies.filter((each) => !further.has(each)),
    );
    below.set(book, new Set([...further, ...book.dependencies]));
  }
  return right;
}

/** Why a book failed. Of a proof ACL2's own message says nothing but that. */
function inALine({ condition, report }: Outcome): string {
  const { failedAt, checkpoints } = report?.proof?.events.at(-1) ?? {};
  if (condition?.type === FAILURE && failedAt !== undefined && checkpoints) {
    const { top, induction, untold = 0 } = checkpoints;
    const count = top.length + induction.length + untold;
    return `${failedAt}: the proof failed, with ${count} key checkpoint${count === 1 ? '' : 's'}`;
  }
  const message = condition ? firstParagraph(condition) : 'ACL2 wrote no certificate.';
  const reason = message.replace(ERROR_IN_EVENT, '$1: ');
  return reason.length <= REASON ? reason : `${reason.slice(0, REASON)}…`;
}
