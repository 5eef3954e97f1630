/**
 * Indents the lines of a source text: each starts in the column that a style determines, and its other text
 * follows.
 */
import { endOfByteOrderMark, withoutEnd } from '../lexeme';
import type { Source } from '../reader';
import { type Branch, isBranch, isForm, type SyntaxNode, walk } from '../syntax-tree';

/** Column of comments with one semicolon, as in editors. */
const RIGHT_MARGIN = 40;

/** Limits of growth: a factor of the length, and a number of characters. */
const MOST_GROWTH = 16;
const MOST_ADDED = 10_000;

/**
 * Returns null if the indentation would make the text grow too much.
 * @param source without a problem
 */
export function layOutLines(source: Source, style: Style): string | null {
  return new Layout(source, style).text();
}

/** An open branch, and the innermost list around it or itself. */
interface Open {
  branch: Branch;
  column: number;
  list: OpenList | null;
}

class Layout {
  readonly #source: Source;
  readonly #style: Style;
  readonly #open: Open[];
  readonly #parts: string[] = [];
  /** Column of the next part: now, and in the original. */
  #column = 0;
  #written = 0;
  #line = 0;
  #length = 0;
  /** Blanks before the next part, in the original. */
  #blank = '';
  /**
   * The last comment after code, or aligned under such a comment: its line, and its original and present
   * columns.
   */
  #trailing = { line: -1, written: 0, column: 0 };

  constructor(source: Source, style: Style) {
    this.#source = source;
    this.#style = style;
    this.#open = [{ branch: source.tree, column: 0, list: null }];
  }

  text(): string | null {
    const most = MOST_GROWTH * this.#source.text.length + MOST_ADDED;
    for (const { node, parents } of walk(this.#source.tree)) {
      if (this.#length > most) return null;
      this.#close(parents.length);
      if (node.kind === 'blank') this.#blank = this.#source.text.slice(node.start, node.end);
      else this.#lay(node);
    }
    this.#close(1);
    this.#parts.push(withoutEnd(trimmedLines(this.#blank), ' \t'));
    return this.#parts.join('');
  }

  #lay(node: SyntaxNode): void {
    const beginsLine = this.#separate(node);
    const [column, written] = [this.#column, this.#written];
    const { branch, list } = this.#top;
    const around = this.#around();
    if (node.kind === 'comment') this.#keep(beginsLine);
    else if (branch === list?.branch && isForm(node)) list.elements.push({ node, column, beginsLine });
    this.#put(node.start, isBranch(node) ? node.inner : node.end);
    if (!isBranch(node)) return;
    const opened = node.kind === 'list' ? { ...around, branch: node, column, written } : list;
    this.#open.push({ branch: node, column, list: opened });
  }

  #around(): Pick<OpenList, 'prefix' | 'parent' | 'place' | 'elements'> {
    const { branch, list } = this.#top;
    const prefix = branch === list?.branch ? '' : this.#source.text.slice(branch.start, branch.inner);
    return { prefix, parent: list, place: this.#place, elements: [] };
  }

  #close(depth: number): void {
    while (this.#open.length > depth) {
      const { branch } = this.#top;
      if (branch.kind === 'list') {
        this.#separate(null);
        this.#put(branch.end - 1, branch.end);
      }
      this.#open.pop();
    }
  }

  /**
   * Writes the blanks before `node`, or before a closing delimiter if null. Returns whether a line starts
   * there.
   */
  #separate(node: SyntaxNode | null): boolean {
    const blank = this.#blank;
    this.#blank = '';
    const from = this.#written;
    this.#written = columnAfter(blank, from);
    if (this.#parts.length > 0 && !blank.includes('\n')) {
      this.#write(blank.includes('\t') ? ' '.repeat(this.#written - from) : blank);
      return false;
    }
    const lines = trimmedLines(blank);
    const end = endOfByteOrderMark(lines, lines.lastIndexOf('\n') + 1);
    this.#write(lines.slice(0, end));
    // In Clojure, a comma may precede the first form.
    this.#write(' '.repeat(this.#lineColumn(node)) + lines.slice(end).replace(/^[ \t]*/, ''));
    return true;
  }

  #lineColumn(node: SyntaxNode | null): number {
    if (node?.kind === 'comment') {
      if (this.#hasOwnPlace(node)) return this.#written;
      if (this.#goesOn()) return this.#trailing.column;
    }
    const { branch, column, list } = this.#top;
    const inPrefix = branch !== list?.branch;
    if (inPrefix && branch.children[0] !== node && this.#style.underPrefix) return column;
    if (list === null) return 0;
    return this.#style.column({ list, node, place: this.#place });
  }

  /**
   * Reports whether a comment keeps its column: one with three semicolons, or with one at the left or right
   * margin.
   */
  #hasOwnPlace({ start }: SyntaxNode): boolean {
    const [semicolons = ''] = /^;*/.exec(this.#source.text.slice(start, start + 3)) ?? [];
    const inMargin = this.#written === 0 || this.#written >= RIGHT_MARGIN;
    return semicolons.length === 3 || (semicolons.length === 1 && inMargin);
  }

  /** Reports whether a comment line was aligned under a comment after code. */
  #goesOn(): boolean {
    return this.#trailing.line === this.#line - 1 && this.#trailing.written === this.#written;
  }

  #keep(beginsLine: boolean): void {
    if (!beginsLine || this.#goesOn())
      this.#trailing = { line: this.#line, written: this.#written, column: this.#column };
  }

  /** Index of the next element in the innermost list. A form after a prefix has the index of the prefix. */
  get #place(): number {
    const { branch, list } = this.#top;
    const count = list?.elements.length ?? 0;
    return branch.kind === 'prefixed' ? count - 1 : count;
  }

  get #top(): Open {
    return this.#open.at(-1) as Open;
  }

  #put(start: number, end: number): void {
    const part = this.#source.text.slice(start, end);
    this.#written = columnAfter(part, this.#written);
    this.#write(part);
  }

  #write(part: string): void {
    this.#parts.push(part);
    this.#length += part.length;
    this.#line += part.split('\n').length - 1;
    this.#column = columnAfter(part, this.#column);
  }
}

/** Removes trailing blanks. Text after the last newline is the start of a line. */
function trimmedLines(blank: string): string {
  const lines = blank.split('\n');
  const next = lines.pop() ?? '';
  return [...lines.map(trimmedLine), next].join('\n');
}

/** @param line without its newline; a carriage return is kept */
function trimmedLine(line: string): string {
  const end = line.endsWith('\r') ? '\r' : '';
  return withoutEnd(line.slice(0, line.length - end.length), ' \t') + end;
}

/**
 * A style determines the columns of lines. It sees the lists around a line with the new positions of all text
 * before it.
 */
export interface Style {
  /** Returns the column of a line, counted from 0. */
  column(line: Line): number;
  /** Whether a form on a line after a prefix such as `#+sbcl` starts in the column of the prefix. */
  readonly underPrefix: boolean;
}

/** A line to indent, described by its first element. */
export interface Line {
  list: OpenList;
  /** null for the closing delimiter of the list. */
  node: SyntaxNode | null;
  /** Number of elements before it in the list. */
  place: number;
}

/** A list around the start of a line. */
export interface OpenList {
  readonly branch: Branch;
  /** Column of its opening delimiter: now, and in the original. */
  readonly column: number;
  readonly written: number;
  /** The prefix of the list, such as a quote. */
  readonly prefix: string;
  /** The enclosing list; null at top level. */
  readonly parent: OpenList | null;
  /** Number of elements before it in the enclosing list. */
  readonly place: number;
  /** The elements before the line. */
  readonly elements: Element[];
}

export interface Element {
  readonly node: SyntaxNode;
  readonly column: number;
  /** Whether it is the first in its line. */
  readonly beginsLine: boolean;
}

/** Characters between tab stops in Lisp sources. */
const TAB = 8;

const BYTE_ORDER_MARK = '\uFEFF';

/** Returns the column after `part`, which starts in column `from`. Columns count characters from 0. */
export function columnAfter(part: string, from: number): number {
  const newline = part.lastIndexOf('\n');
  let column = newline < 0 ? from : 0;
  for (const character of part.slice(newline + 1))
    if (character === '\t') column += TAB - (column % TAB);
    else if (character !== BYTE_ORDER_MARK) column += 1;
  return column;
}
