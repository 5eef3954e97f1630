/**
 * Which rows of a long list are in sight, by arithmetic alone: all rows are of one height. An element can only be so high, so
 * beyond that the scrollbar stands for more rows than it has pixels. Pure.
 */

/** Pixels of a row, as `--row` has them. */
export const ROW = 28;

/** Pixels that a page may be high at any zoom: Chromium stops at 33 million of the screen's. */
const HIGHEST = 10_000_000;

/** A list as it is scrolled: how many rows it has, and the height of what is seen of it. */
export interface Scrolled {
  total: number;
  /** Pixels. */
  viewHeight: number;
}

/** How high the whole is drawn. */
export function drawnHeight({ total }: Pick<Scrolled, 'total'>): number {
  return Math.min(total * ROW, HIGHEST);
}

/** The row at the top, with what is above it of it as a fraction. */
export function rowAt(scrollTop: number, list: Scrolled): number {
  return (scrollTop / Math.max(1, room(list))) * Math.max(0, list.total - list.viewHeight / ROW);
}

/** Where to scroll so that this row, or a part of it, is at the top. */
export function scrollTopOf(row: number, list: Scrolled): number {
  const most = Math.max(0, list.total - list.viewHeight / ROW);
  return most === 0 ? 0 : (Math.min(Math.max(0, row), most) / most) * room(list);
}

/** The least scrolling that brings all of a row into sight. */
export function scrollTopToShow(index: number, scrollTop: number, list: Scrolled): number {
  const top = rowAt(scrollTop, list);
  const seen = list.viewHeight / ROW;
  if (index < top) return scrollTopOf(index, list);
  return index + 1 > top + seen ? scrollTopOf(index + 1 - seen, list) : scrollTop;
}

/** Rows that are drawn, from `first` to before `end`, and the row from which their places are counted. */
export interface Drawn {
  base: number;
  first: number;
  end: number;
}

/** Rows that may lie between the drawn ones and the row from which they are counted, so that no place has many pixels. */
const FARTHEST = 5_000;

/**
 * Other rows are drawn. While most stay, each keeps its place among them, and what is scrolled is all of them at once; where
 * most are others, those take the places that there are, so that what is drawn of a row is used again.
 */
export function drawnNext({ base, ...before }: Drawn, now: Omit<Drawn, 'base'>): Drawn {
  const same = Math.min(before.end, now.end) - Math.max(before.first, now.first);
  if (2 * same < now.end - now.first) return { ...now, base: now.first - (before.first - base) };
  return { ...now, base: Math.abs(now.first - base) > FARTHEST ? now.first : base };
}

/** Whether a pixel of the scrollbar stands for more than a pixel of the list. */
export function isCompressed({ total }: Pick<Scrolled, 'total'>): boolean {
  return total * ROW > HIGHEST;
}

/** Pixels that the whole can be scrolled. */
function room(list: Scrolled): number {
  return Math.max(0, drawnHeight(list) - list.viewHeight);
}
