/** What a style is asked, and what it knows of the lists around a line: where everything before that line stands by now. */
import type { Branch, SyntaxNode } from '../syntax-tree';

export interface Style {
  /** Where a line begins, counted from 0. */
  column(line: Line): number;
  /** Whether the form after a prefix begins a line where the prefix does, as after `#+sbcl`, and not as the list has it. */
  readonly underPrefix: boolean;
}

/** What a line begins with. */
export interface Line {
  list: OpenList;
  /** null for the closing delimiter of the list. */
  node: SyntaxNode | null;
  /** How many elements of the list stand before it. */
  place: number;
}

/** A list that a line begins in. */
export interface OpenList {
  readonly branch: Branch;
  /** Of its opening delimiter: now, and as it was written. */
  readonly column: number;
  readonly written: number;
  /** What stands right before that and belongs to it, such as a quote. */
  readonly prefix: string;
  /** The list that it is in; null at top level. */
  readonly parent: OpenList | null;
  /** How many elements of that one stand before it. */
  readonly place: number;
  /** Those that stand before the line. */
  readonly elements: Element[];
}

export interface Element {
  readonly node: SyntaxNode;
  readonly column: number;
  /** Whether it is the first in its line. */
  readonly beginsLine: boolean;
}
