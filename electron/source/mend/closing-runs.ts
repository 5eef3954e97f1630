/** Compares the closing delimiters at line ends with those that the indentation requires. */
import type { Dialect } from '../dialect';
import { columnAfter } from '../format/layout';
import type { Lexeme } from '../lexeme';
import { LEXERS } from '../reader';

/**
 * Closing delimiters with only blanks and comments between them, before a line that starts with code, or at
 * the end.
 */
export interface ClosingRun {
  /** Their offsets. */
  closers: readonly number[];
  /** End of the code before them. */
  after: number;
  written: string;
  /** The delimiters that the indentation of the next line requires. */
  expected: string;
  line: LineOfCode;
}

/** The line that ends with the run. */
export interface LineOfCode {
  /** Number of adjacent forms in the list in which the line starts. */
  forms: number;
  /** Number of lists that start in the line and do not end before the run. */
  open: number;
  /** Number of delimiters before the run that close something. */
  closed: number;
  column: number;
  /** The list in which the line starts, according to all its lines; undefined at top level. */
  around: OpenList | undefined;
  /** The innermost list that is open at the end of the code. */
  last: OpenList | undefined;
}

interface OpenList {
  closing: string;
  column: number;
  /** Line of its opening delimiter. */
  line: number;
  /** Kind of its first element; null if its first line is empty. */
  first: Lexeme['kind'] | null;
  /** Number of forms in its first line. */
  forms: number;
  /** Whether another of its lines contains several forms. */
  hasFullLines: boolean;
}

/**
 * Returns the runs that differ from the indentation; null if delimiters within a line do not match, or a
 * string is not closed.
 */
export function misplacedRuns(text: string, dialect: Dialect): ClosingRun[] | null {
  const reading = new Reading(text);
  const lexer = LEXERS[dialect];
  for (let at = 0; at < text.length; ) {
    const lexeme = lexer(text, at);
    if (!reading.take(lexeme, at)) return null;
    at = lexeme.end;
  }
  return reading.finish();
}

class Reading {
  readonly #text: string;
  readonly #open: OpenList[] = [];
  readonly #found: ClosingRun[] = [];
  #closers: number[] = [];
  #after = 0;
  #column = 0;
  /** Number of lists that are open at the start of the line, and other properties of the line. */
  #depth = 0;
  #forms = 0;
  #closed = 0;
  #line = 0;
  #lineColumn = 0;
  #around: OpenList | undefined;
  /** Whether only blanks precede it in the line. */
  #beginsLine = true;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns false for text that cannot be analyzed. */
  take(lexeme: Lexeme, at: number): boolean {
    const { kind, end } = lexeme;
    const part = this.#text.slice(at, end);
    const column = this.#column;
    this.#column = columnAfter(part, column);
    if (kind === 'blank' || kind === 'comment') {
      if (part.includes('\n')) this.#beginsLine = true;
      return kind === 'blank' || lexeme.whole;
    }
    if (kind === 'close') {
      this.#closers.push(at);
      return true;
    }
    if ('whole' in lexeme && !lexeme.whole) return false;
    if (this.#beginsLine) this.#endRun(column);
    else if (!this.#closeWithin()) return false;
    this.#beginsLine = false;
    this.#after = end;
    if (kind !== 'prefix') this.#count(kind);
    if (kind === 'open')
      this.#open.push({
        ...{ closing: lexeme.closing, column, line: this.#line },
        ...{ first: null, forms: 0, hasFullLines: false },
      });
    return true;
  }

  /** Counts a form that starts here. */
  #count(kind: Lexeme['kind']): void {
    if (this.#open.length === this.#depth) this.#forms += 1;
    const around = this.#open.at(-1);
    if (around?.line !== this.#line) return;
    around.first ??= kind;
    around.forms += 1;
  }

  finish(): ClosingRun[] {
    this.#endRun(0);
    return this.#found;
  }

  /** The first element of a line is only in lists that start left of it. */
  #endRun(column: number): void {
    const line = {
      forms: this.#forms,
      open: this.#open.length - this.#depth,
      closed: this.#closed,
      column: this.#lineColumn,
      around: this.#around,
      last: this.#open.at(-1),
    };
    if (this.#around && this.#forms > 1) this.#around.hasFullLines = true;
    const written = this.#closers.map((at) => this.#text.charAt(at)).join('');
    let expected = '';
    for (let top = this.#open.at(-1); top !== undefined && top.column >= column; top = this.#open.at(-1)) {
      expected += top.closing;
      this.#open.pop();
    }
    if (written !== expected)
      this.#found.push({ closers: this.#closers, after: this.#after, written, expected, line });
    this.#closers = [];
    this.#depth = this.#open.length;
    this.#forms = 0;
    this.#closed = 0;
    this.#line += 1;
    this.#lineColumn = column;
    this.#around = this.#open.at(-1);
  }

  /** Code follows them in their line, so they are correct or undecidable. */
  #closeWithin(): boolean {
    const match = this.#closers.every((at) => this.#open.pop()?.closing === this.#text.charAt(at));
    this.#closed += this.#closers.length;
    this.#closers = [];
    this.#depth = Math.min(this.#depth, this.#open.length);
    return match;
  }
}
