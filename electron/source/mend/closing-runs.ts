/** Where the closing delimiters of a form are not those that its indentation asks for. */
import type { Dialect } from '../dialect';
import { columnAfter } from '../format/columns';
import type { Lexeme } from '../lexeme';
import { LEXERS } from '../reader';

/** Closing delimiters that nothing but blanks and comments stands between, before a line that begins with code, or the end. */
export interface ClosingRun {
  /** Of each, as an offset. */
  closers: readonly number[];
  /** Where the code before them ends. */
  after: number;
  written: string;
  /** By the indentation of that line. */
  meant: string;
  line: LineOfCode;
}

/** The line that a run ends. */
export interface LineOfCode {
  /** Forms that stand beside one another, in the list that the line begins in. */
  forms: number;
  /** Lists that begin in it and do not end before the run. */
  open: number;
  /** Delimiters that close something before the run. */
  closed: number;
  column: number;
  /** The list that the line begins in, as far as all its lines tell; undefined at top level. */
  around: OpenList | undefined;
  /** The innermost list that is open where its code ends. */
  last: OpenList | undefined;
}

interface OpenList {
  closing: string;
  column: number;
  /** The number of the line that it begins in. */
  line: number;
  /** What it begins with; null where nothing stands in its first line. */
  first: Lexeme['kind'] | null;
  /** Forms that stand in its first line. */
  forms: number;
  /** Whether another line of it holds several forms. */
  hasFullLines: boolean;
}

/** Runs that are not as they are meant; null where delimiters within a line do not match, or a string does not end. */
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
  /** How many lists are open where the line begins, and what else is known of it. */
  #depth = 0;
  #forms = 0;
  #closed = 0;
  #line = 0;
  #lineColumn = 0;
  #around: OpenList | undefined;
  /** Whether only blanks stand before, in the line. */
  #beginsLine = true;

  constructor(text: string) {
    this.#text = text;
  }

  /** False for what cannot be judged. */
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

  /** A form begins here. */
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

  /** What begins a line is in those lists only that begin left of it. */
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
    let meant = '';
    for (let top = this.#open.at(-1); top !== undefined && top.column >= column; top = this.#open.at(-1)) {
      meant += top.closing;
      this.#open.pop();
    }
    if (written !== meant)
      this.#found.push({ closers: this.#closers, after: this.#after, written, meant, line });
    this.#closers = [];
    this.#depth = this.#open.length;
    this.#forms = 0;
    this.#closed = 0;
    this.#line += 1;
    this.#lineColumn = column;
    this.#around = this.#open.at(-1);
  }

  /** Code stands behind them in their line: they are right, or nothing is known. */
  #closeWithin(): boolean {
    const match = this.#closers.every((at) => this.#open.pop()?.closing === this.#text.charAt(at));
    this.#closed += this.#closers.length;
    this.#closers = [];
    this.#depth = Math.min(this.#depth, this.#open.length);
    return match;
  }
}
