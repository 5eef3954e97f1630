/**
 * The books of a certification as a tree: each book is the parent of those that it includes. A book that
 * several include has its children in one place and is only mentioned in the others.
 */
import type { BookReport, BookState } from '../../electron/contract/proof';

export interface BookNode {
  /** Unique. */
  key: string;
  report: BookReport;
  above: BookNode | null;
  below: BookNode[];
  isMention: boolean;
}

export interface BookRow {
  node: BookNode;
  /** From 1. */
  level: number;
  /** Position among siblings, from 1. */
  place: number;
  count: number;
  /** Null if it has no children. */
  open: boolean | null;
}

/**
 * Maximum number of books that are all expanded initially; of more, only relevant books and their ancestors.
 */
const SHOWN_AT_FIRST = 25;

const LOOKED_AT: ReadonlySet<BookState> = new Set(['at-work', 'failed', 'interrupted']);

/** @returns top-level nodes: books that no other includes */
export function bookTree(books: readonly BookReport[]): BookNode[] {
  const reports = new Map(books.map((report) => [report.book, report]));
  const included = new Set(books.flatMap(({ includes }) => includes));
  const placed = new Set<string>();
  const nodeOf = (report: BookReport, above: BookNode | null): BookNode => {
    const { book, includes } = report;
    const isMention = placed.has(book);
    placed.add(book);
    const key = isMention && above ? `${above.key} ${book}` : book;
    const node: BookNode = { key, report, above, below: [], isMention };
    if (isMention) return node;
    for (const name of includes) {
      const below = reports.get(name);
      if (below) node.below.push(nodeOf(below, node));
    }
    return node;
  };
  return books.filter(({ book }) => !included.has(book)).map((report) => nodeOf(report, null));
}

/** Returns all nodes, each before its children. */
export function nodesOf(top: readonly BookNode[]): BookNode[] {
  const nodes: BookNode[] = [];
  const add = (node: BookNode): void => {
    nodes.push(node);
    node.below.forEach(add);
  };
  top.forEach(add);
  return nodes;
}

/** Reports whether a node is expanded initially. @param at key of the focused node */
export function openAtFirst(nodes: readonly BookNode[], at: string | null): (node: BookNode) => boolean {
  if (nodes.length <= SHOWN_AT_FIRST) return () => true;
  const open = new Set<BookNode>();
  for (const { key, report, above } of nodes)
    if (key === at || LOOKED_AT.has(report.state)) addWithAllAbove(above, open);
  return (node) => open.has(node);
}

function addWithAllAbove(from: BookNode | null, nodes: Set<BookNode>): void {
  for (let node = from; node && !nodes.has(node); node = node.above) nodes.add(node);
}

/** Returns the visible rows from top to bottom. */
export function rowsOf(top: readonly BookNode[], isOpen: (node: BookNode) => boolean): BookRow[] {
  const rows: BookRow[] = [];
  const add = (siblings: readonly BookNode[], level: number): void => {
    for (const [index, node] of siblings.entries()) {
      const open = node.below.length === 0 ? null : isOpen(node);
      rows.push({ node, level, place: index + 1, count: siblings.length, open });
      if (open) add(node.below, level + 1);
    }
  };
  add(top, 1);
  return rows;
}

/** Effect of a key on a row: moves the focus, or expands or collapses the row. */
export type Step = { to: BookNode } | { open: boolean };

/** Returns the effect of a key, following the ARIA practices for trees; null if none. */
export function stepOf(key: string, rows: readonly BookRow[], at: number): Step | null {
  const row = rows[at];
  if (!row) return null;
  const to = (node: BookNode | null | undefined): Step | null => (node ? { to: node } : null);
  switch (key) {
    case 'ArrowDown':
      return to(rows[at + 1]?.node);
    case 'ArrowUp':
      return to(rows[at - 1]?.node);
    case 'Home':
      return to(rows[0]?.node);
    case 'End':
      return to(rows.at(-1)?.node);
    case 'ArrowRight':
      return row.open === false ? { open: true } : to(row.node.below[0]);
    case 'ArrowLeft':
      return row.open ? { open: false } : to(row.node.above);
    default:
      return key.length === 1 ? to(nextWith(key, rows, at)) : null;
  }
}

/** Returns the next row whose book or file name starts with a letter. */
function nextWith(letter: string, rows: readonly BookRow[], at: number): BookNode | undefined {
  const wanted = letter.toLowerCase();
  const begins = ({ node }: BookRow): boolean =>
    [node.report.book, nameIn(node.report.book)].some((name) => name.toLowerCase().startsWith(wanted));
  return [...rows.slice(at + 1), ...rows.slice(0, at)].find(begins)?.node;
}

/** Returns the name of a book without its folder. */
export function nameIn(book: string): string {
  return book.slice(book.lastIndexOf('/') + 1);
}
