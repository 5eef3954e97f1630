/** Lays the lines of a source out: each begins in the column that a style says, and all else in it follows. */
import { endOfByteOrderMark } from '../lexeme';
import type { Source } from '../reader';
import { type Branch, isBranch, isForm, type SyntaxNode, walk } from '../syntax-tree';
import { withoutEnd } from '../without-end';
import { columnAfter } from './columns';
import type { OpenList, Style } from './style';

/** Where editors put comments of one semicolon. */
const RIGHT_MARGIN = 40;

/** As often as long as before, and so many characters beside: indentation that nobody reads, and no memory holds. */
const MOST_GROWTH = 16;
const MOST_ADDED = 10_000;

/** null where the lines would begin so far to the right that the text grows out of all measure.
 * @param source without a problem */
export function laidOut(source: Source, style: Style): string | null {
  return new Layout(source, style).text();
}

/** A branch that is open, and the innermost list that it is or stands in. */
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
  /** Where the next part goes: now, and as it was written. */
  #column = 0;
  #written = 0;
  #line = 0;
  #length = 0;
  /** Separates the next part from the last one, as it was written. */
  #blank = '';
  /** The last comment that stands behind code, or under such a one: its line, and its column as it was written and now. */
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

  /** Writes the blanks before `node`, null for a closing delimiter. Answers whether a line begins there. */
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
    // A comma of Clojure's may stand before the first form.
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

  /** Three semicolons stay where they are, and one in the margin: left, as of code that is commented out, or right. */
  #hasOwnPlace({ start }: SyntaxNode): boolean {
    const [semicolons = ''] = /^;*/.exec(this.#source.text.slice(start, start + 3)) ?? [];
    const inMargin = this.#written === 0 || this.#written >= RIGHT_MARGIN;
    return semicolons.length === 3 || (semicolons.length === 1 && inMargin);
  }

  /** Whether a comment that begins a line stood right under one behind code. */
  #goesOn(): boolean {
    return this.#trailing.line === this.#line - 1 && this.#trailing.written === this.#written;
  }

  #keep(beginsLine: boolean): void {
    if (!beginsLine || this.#goesOn())
      this.#trailing = { line: this.#line, written: this.#written, column: this.#column };
  }

  /** In the innermost list, of what comes next; what is in a prefix has the prefix's place. */
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

/** Without blanks where lines end. What follows the last newline is the beginning of one. */
function trimmedLines(blank: string): string {
  const lines = blank.split('\n');
  const next = lines.pop() ?? '';
  return [...lines.map(trimmedLine), next].join('\n');
}

/** @param line without its newline; a carriage return stays */
function trimmedLine(line: string): string {
  const end = line.endsWith('\r') ? '\r' : '';
  return withoutEnd(line.slice(0, line.length - end.length), ' \t') + end;
}
