/**
 * The reader of source text for both dialects. It makes a tree that keeps every character, also of invalid
 * text, and reports the first problem. It interns nothing and evaluates nothing.
 */
import { clojureLexeme } from './clojure-lexer';
import { commonLispLexeme } from './common-lisp-lexer';
import type { Dialect } from './dialect';
import type { Lexeme, Lexer } from './lexeme';
import { type Branch, formsOf, type Leaf, walk } from './syntax-tree';

/** The first problem, with the offsets where it occurs. */
export type Problem =
  /** Lists that are open at the end, outermost first. */
  | { kind: 'unclosed'; openers: readonly number[] }
  | { kind: 'mismatched'; opener: number; closer: number }
  | { kind: 'stray'; closer: number }
  /** The text ends inside a string, a `|symbol|` or a block comment. */
  | { kind: 'unterminated'; at: number }
  /** A prefix such as a quote without its form. `closer` is the delimiter after it; null at the end. */
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

/** @param from the offset at which reading begins */
export function read(text: string, dialect: Dialect, from = 0): Source {
  const reading = new Reading(text);
  const lexeme = LEXERS[dialect];
  for (let at = from; at < text.length; ) {
    const next = lexeme(text, at);
    reading.take(next, at);
    at = next.end;
  }
  return { text, dialect, ...reading.finish() };
}

/**
 * Reads from `from` to the first of `ends`, in ascending order, where the text so far has no problem. Returns the
 * source and the place of that end; null if there is none.
 */
export function readWhole(
  text: string,
  dialect: Dialect,
  from: number,
  ends: readonly number[],
): { source: Source; place: number } | null {
  const reading = new Reading(text);
  const lexeme = LEXERS[dialect];
  let at = from;
  for (const [place, end] of ends.entries()) {
    while (at < end && !reading.failed) {
      const next = lexeme(text, at);
      reading.take(next, at);
      at = next.end;
    }
    if (reading.failed) return null;
    if (at === end && reading.isComplete)
      return { source: { text: text.slice(0, end), dialect, ...reading.finish() }, place };
  }
  return null;
}

/** A branch that is being read. */
interface Open {
  branch: Branch;
  /** The closing delimiter of a list. */
  closing: string;
  /** Number of forms that it still needs; unlimited for a list. */
  wanted: number;
}

class Reading {
  readonly #text: string;
  readonly #tree: Branch;
  readonly #open: Open[];
  /** The open lists, and how many wait for each closing delimiter. */
  readonly #lists: Open[] = [];
  readonly #openLists = new Map<string, number>();
  #top: Open;
  #problem: Problem | null = null;

  constructor(text: string) {
    this.#text = text;
    this.#tree = { kind: 'text', start: 0, end: text.length, inner: 0, closed: true, children: [] };
    this.#top = { branch: this.#tree, closing: '', wanted: Number.POSITIVE_INFINITY };
    this.#open = [this.#top];
  }

  get failed(): boolean {
    return this.#problem !== null;
  }

  /** Whether no list and no prefix is open. */
  get isComplete(): boolean {
    return this.#top.branch === this.#tree;
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
        if (!lexeme.whole) this.#report({ kind: 'unterminated', at: start });
        this.#add(lexeme.kind, start, lexeme.end);
        if (lexeme.kind !== 'blank' && lexeme.kind !== 'comment') this.#formRead(lexeme.end);
    }
  }

  finish(): { tree: Branch; problem: Problem | null } {
    const end = this.#text.length;
    const openers = this.#lists.map(({ branch }) => branch.start);
    if (openers.length > 0) this.#report({ kind: 'unclosed', openers });
    else if (this.#top.branch !== this.#tree)
      this.#report({ kind: 'dangling', at: this.#top.branch.start, closer: null });
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
    this.#openLists.set(list.closing, (this.#openLists.get(list.closing) ?? 0) + by);
  }

  #add(kind: Leaf['kind'], start: number, end: number): void {
    this.#top.branch.children.push({ kind, start, end });
  }

  /** Closes every prefix that has all its forms. A discarded form does not count as a form. */
  #formRead(end: number): void {
    while (this.#top.wanted !== Number.POSITIVE_INFINITY) {
      this.#top.wanted -= 1;
      if (this.#top.wanted > 0) return;
      const { branch } = this.#top;
      this.#end(end, true);
      if (branch.kind === 'discarded') return;
    }
  }

  /** Closes the innermost list with that delimiter, and all that is open inside it. */
  #close(start: number, end: number): void {
    const closer = this.#text.charAt(start);
    const innermost = this.#lists.at(-1);
    if (innermost === undefined) this.#report({ kind: 'stray', closer: start });
    else if (innermost.closing !== closer)
      this.#report({ kind: 'mismatched', opener: innermost.branch.start, closer: start });
    if ((this.#openLists.get(closer) ?? 0) === 0) {
      this.#add('stray', start, end);
      return;
    }
    while (this.#top.closing !== closer) this.#endEarly(start);
    this.#end(end, true);
    this.#formRead(end);
  }

  /** An enclosing branch was closed. */
  #endEarly(at: number): void {
    const { branch } = this.#top;
    if (branch.kind !== 'list') this.#report({ kind: 'dangling', at: branch.start, closer: at });
    this.#end(at, false);
  }

  #end(at: number, closed: boolean): void {
    this.#top.branch.end = at;
    this.#top.branch.closed = closed;
    if (this.#top.branch.kind === 'list') this.#count(this.#top, -1);
    this.#open.pop();
    this.#top = this.#open.at(-1) ?? this.#top;
  }

  #report(problem: Problem): void {
    this.#problem ??= problem;
  }
}

/** Returns the forms of `text` as written, without comments between them; null if delimiters do not match. */
export function formsIn(text: string, dialect: Dialect): string[] | null {
  const { tree, problem } = read(text, dialect);
  return problem === null ? formsOf(tree).map(({ start, end }) => text.slice(start, end)) : null;
}

/** Returns the elements of a list as written; null unless it is a list in parentheses. */
export function elementsOf(form: string, dialect: Dialect): string[] | null {
  return form.startsWith('(') && form.endsWith(')') ? formsIn(form.slice(1, -1), dialect) : null;
}

interface OuterList {
  /** As written, such as `acl2::ld`. */
  operator: string;
  /** The text between the operator and the last parenthesis. */
  rest: string;
}

const OPERATOR = /^\(\s*([^\s()"'|;,`#\\]+)/;

/** Splits a list into operator and rest; null also if its operator is no symbol, or one with escapes. */
export function outerList(text: string): OuterList | null {
  const [form, ...more] = formsIn(text, 'common-lisp') ?? [];
  if (form === undefined || more.length > 0) return null;
  const [opening, operator] = OPERATOR.exec(form) ?? [];
  if (opening === undefined || operator === undefined) return null;
  return { operator, rest: form.slice(opening.length, -1) };
}

/**
 * Tells a listener when to evaluate. `incomplete` text needs more input. `complete` text can be read; that
 * includes a stray `)` and other errors that no further input can correct, which the engine's reader reports.
 */
type Completeness = 'empty' | 'incomplete' | 'complete';

export function completeness(text: string, dialect: Dialect): Completeness {
  const { tree, problem } = read(text, dialect);
  if (problem !== null) return wantsMore(problem) ? 'incomplete' : 'complete';
  return formsOf(tree).length === 0 ? 'empty' : 'complete';
}

function wantsMore(problem: Problem): boolean {
  if (problem.kind === 'dangling') return problem.closer === null;
  return problem.kind === 'unclosed' || problem.kind === 'unterminated';
}

const READ_EVALUATION: Readonly<Record<Dialect, RegExp>> = { 'common-lisp': /^#\d*\./, clojure: /^#=/ };

/**
 * Returns the prefix of code that runs while it is read, such as `#.`; null if there is none. For servers
 * whose reader cannot disable it. Forms that a reader conditional skips are included.
 */
export function readEvaluation(code: string, dialect: Dialect): string | null {
  for (const { node } of walk(read(code, dialect).tree)) {
    if (node.kind === 'string' || node.kind === 'comment') continue;
    const [found] =
      READ_EVALUATION[dialect].exec(code.slice(node.start, Math.min(node.end, node.start + 12))) ?? [];
    if (found) return found;
  }
  return null;
}
