/** The tree of a certification: positions of books, initially visible rows, and keys. */
import { describe, expect, it } from 'vitest';
import type { BookReport, BookState } from '../../electron/contract/proof';
import { type BookRow, bookTree, nodesOf, openAtFirst, rowsOf, stepOf } from './book-tree';

function report(book: string, includes: string[] = [], state: BookState = 'certified'): BookReport {
  return { book, includes, state };
}

const DIAMOND = [
  report('base'),
  report('left', ['base']),
  report('right', ['base']),
  report('top', ['left', 'right']),
];

const OPEN = () => true;

/** One line per row: indented, with a sign at mentions. */
function drawn(rows: readonly BookRow[]): string[] {
  return rows.map(
    ({ node, level }) => `${' '.repeat(level - 1)}${node.report.book}${node.isMention ? ' ^' : ''}`,
  );
}

describe('books', () => {
  it('stand below what includes them, and once only with what is below them', () => {
    expect(drawn(rowsOf(bookTree([...DIAMOND, report('alone')]), OPEN))).toEqual([
      'top',
      ' left',
      '  base',
      ' right',
      '  base ^',
      'alone',
    ]);
  });

  it('have keys of their own, mentions too', () => {
    const keys = nodesOf(bookTree(DIAMOND)).map(({ key }) => key);
    expect(new Set(keys).size).toBe(5);
  });

  it('have their position among their siblings', () => {
    const rows = rowsOf(bookTree(DIAMOND), OPEN);
    expect(rows.map(({ level, place, count, open }) => [level, place, count, open])).toEqual([
      [1, 1, 1, true],
      [2, 1, 2, true],
      [3, 1, 1, null],
      [2, 2, 2, true],
      [3, 1, 1, null],
    ]);
  });
});

describe('of many books', () => {
  const atFirst = (books: readonly BookReport[], at: string | null): string[] => {
    const tree = bookTree(books);
    return drawn(rowsOf(tree, openAtFirst(nodesOf(tree), at)));
  };
  const chain = Array.from({ length: 40 }, (_, n) => report(`b${n}`, n === 0 ? [] : [`b${n - 1}`]));

  it('show relevant books initially', () => {
    const failed = chain.map((book) => (book.book === 'b38' ? { ...book, state: 'failed' as const } : book));
    expect([atFirst(chain, null), atFirst(failed, null)]).toEqual([['b39'], ['b39', ' b38']]);
  });

  it('keep the focused book visible', () => {
    expect(atFirst(chain, 'b37')).toEqual(['b39', ' b38', '  b37']);
  });

  it('as deep as it goes', () => {
    const deep = Array.from({ length: 2_000 }, (_, n) => report(`b${n}`, n === 0 ? [] : [`b${n - 1}`]));
    expect(rowsOf(bookTree(deep), OPEN)).toHaveLength(2_000);
  });
});

describe('keys', () => {
  const rows = rowsOf(bookTree(DIAMOND), OPEN);
  const at = (index: number, key: string) => {
    const step = stepOf(key, rows, index);
    return step && ('to' in step ? step.to.key : step.open);
  };

  it.each([
    ['ArrowDown', 0, 'left'],
    ['ArrowDown', 4, null],
    ['ArrowUp', 1, 'top'],
    ['ArrowUp', 0, null],
    ['Home', 3, 'top'],
    ['End', 0, 'right base'],
    ['ArrowRight', 0, 'left'],
    ['ArrowRight', 4, null],
    ['ArrowLeft', 1, false],
    ['ArrowLeft', 2, 'left'],
    ['r', 0, 'right'],
    ['b', 2, 'right base'],
    ['x', 0, null],
    ['Tab', 0, null],
  ])('%s at row %i', (key, index, expected) => {
    expect(at(index, key)).toBe(expected);
  });

  it('ArrowRight shows what is hidden', () => {
    const closed = rowsOf(bookTree(DIAMOND), () => false);
    expect(stepOf('ArrowRight', closed, 0)).toEqual({ open: true });
  });
});
