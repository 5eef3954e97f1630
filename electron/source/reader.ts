/**
 * The reader of source text, for both syntaxes: it makes a tree that keeps every character, also of text that is wrong,
 * and says what is wrong first. It interns nothing and evaluates nothing.
 */
import { clojureLexeme } from './clojure-lexer';
import { commonLispLexeme } from './common-lisp-lexer';
import type { Dialect } from './dialect';
import type { Lexeme, Lexer } from './lexeme';
import type { Branch, Leaf } from './syntax-tree';

/** What is wrong first, by the offsets of what is at fault. */
export type Problem =
  /** Lists that the text ends in, the outermost first. */
  | { kind: 'unclosed'; openers: readonly number[] }
  | { kind: 'mismatched'; opener: number; closer: number }
  | { kind: 'stray'; closer: number }
  /** A string, a `|symbol|` or a block comment that the text ends in. */
  | { kind: 'unterminated'; at: number }
  /** A quote or its like without the form that it is for; `closer` is what stands there instead, null at the end. */
  | { kind: 'dangling'; at: number; closer: number | null };

export interface Source {
  readonly text: string;
  readonly dialect: Dialect;
  readonly tree: Branch;
  readonly problem: Problem | null;
}

export const LEXERS: Readonly<Record<Dialect, Lexer>> = {
  'common-lisp': commonLispLexeme,
  clojure: clojureLexeme,
};

export function read(text: string, dialect: Dialect): Source {
  const reading = new Reading(text);
  const lexeme = LEXERS[dialect];
  for (let at = 0; at < text.length; ) {
    const next = lexeme(text, at);
    reading.take(next, at);
    at = next.end;
  }
  return { text, dialect, ...reading.finish() };
}

/** A branch that is being read. */
interface Open {
  branch: Branch;
  /** Of a list: what closes it. */
  closing: string;
  /** Forms that it still needs; a list takes as many as come. */
  wanted: number;
}

class Reading {
  readonly #text: string;
  readonly #tree: Branch;
  readonly #open: Open[];
  /** Those of them that are lists, and how many wait for each closing delimiter. */
  readonly #lists: Open[] = [];
  readonly #awaited = new Map<string, number>();
  #top: Open;
  #problem: Problem | null = null;

  constructor(text: string) {
    this.#text = text;
    this.#tree = { kind: 'text', start: 0, end: text.length, inner: 0, closed: true, children: [] };
    this.#top = { branch: this.#tree, closing: '', wanted: Number.POSITIVE_INFINITY };
    this.#open = [this.#top];
  }

  take(lexeme: Lexeme, start: number): void {
    switch (lexeme.kind) {
      case 'open':
        this.#begin('list', start, lexeme.end, lexeme.closing, Number.POSITIVE_INFINITY);
        break;
      case 'prefix':
        this.#begin(lexeme.discards ? 'discarded' : 'prefixed', start, lexeme.end, '', lexeme.forms);
        break;
      case 'close':
        this.#close(start, lexeme.end);
        break;
      default:
        if (!lexeme.whole) this.#tell({ kind: 'unterminated', at: start });
        this.#add(lexeme.kind, start, lexeme.end);
        if (lexeme.kind !== 'blank' && lexeme.kind !== 'comment') this.#formRead(lexeme.end);
    }
  }

  finish(): { tree: Branch; problem: Problem | null } {
    const end = this.#text.length;
    const openers = this.#lists.map(({ branch }) => branch.start);
    if (openers.length > 0) this.#tell({ kind: 'unclosed', openers });
    else if (this.#top.branch !== this.#tree)
      this.#tell({ kind: 'dangling', at: this.#top.branch.start, closer: null });
    for (const { branch } of this.#open) branch.end = end;
    return { tree: this.#tree, problem: this.#problem };
  }

  #begin(kind: Branch['kind'], start: number, inner: number, closing: string, wanted: number): void {
    const branch: Branch = { kind, start, end: inner, inner, closed: false, children: [] };
    this.#top.branch.children.push(branch);
    this.#top = { branch, closing, wanted };
    this.#open.push(this.#top);
    if (kind === 'list') this.#count(this.#top, 1);
  }

  #count(list: Open, by: 1 | -1): void {
    if (by === 1) this.#lists.push(list);
    else this.#lists.pop();
    this.#awaited.set(list.closing, (this.#awaited.get(list.closing) ?? 0) + by);
  }

  #add(kind: Leaf['kind'], start: number, end: number): void {
    this.#top.branch.children.push({ kind, start, end });
  }

  /** Ends every prefix that has all its forms by now. What is discarded is no form to what it stands in. */
  #formRead(end: number): void {
    while (this.#top.wanted !== Number.POSITIVE_INFINITY) {
      this.#top.wanted -= 1;
      if (this.#top.wanted > 0) return;
      const { branch } = this.#top;
      this.#end(end, true);
      if (branch.kind === 'discarded') return;
    }
  }

  /** Closes the innermost list that waits for it, and all that is open inside. */
  #close(start: number, end: number): void {
    const closer = this.#text.charAt(start);
    const innermost = this.#lists.at(-1);
    if (innermost === undefined) this.#tell({ kind: 'stray', closer: start });
    else if (innermost.closing !== closer)
      this.#tell({ kind: 'mismatched', opener: innermost.branch.start, closer: start });
    if ((this.#awaited.get(closer) ?? 0) === 0) {
      this.#add('stray', start, end);
      return;
    }
    while (this.#top.closing !== closer) this.#endEarly(start);
    this.#end(end, true);
    this.#formRead(end);
  }

  /** Something around it is closed already. */
  #endEarly(at: number): void {
    const { branch } = this.#top;
    if (branch.kind !== 'list') this.#tell({ kind: 'dangling', at: branch.start, closer: at });
    this.#end(at, false);
  }

  #end(at: number, closed: boolean): void {
    this.#top.branch.end = at;
    this.#top.branch.closed = closed;
    if (this.#top.branch.kind === 'list') this.#count(this.#top, -1);
    this.#open.pop();
    this.#top = this.#open.at(-1) ?? this.#top;
  }

  #tell(problem: Problem): void {
    this.#problem ??= problem;
  }
}
