/**
 * Computes the visible rows of a long list with rows of equal height. The height of an element is limited; in
 * longer lists, a pixel of the scroll bar covers several rows.
 */

/** Height of a row in pixels, as in `--row`. */
export const ROW = 28;

/** Maximum height in pixels of an element at any zoom; Chromium's limit is 33 million device pixels. */
const HIGHEST = 10_000_000;

/** Number of rows of a scrolled list, and height of its visible part. */
export interface Scrolled {
  total: number;
  /** Pixels. */
  viewHeight: number;
}

/** Returns the height of the whole list in pixels. */
export function drawnHeight({ total }: Pick<Scrolled, 'total'>): number {
  return Math.min(total * ROW, HIGHEST);
}

/** Returns the row at the top, with the part above the edge as a fraction. */
export function rowAt(scrollTop: number, list: Scrolled): number {
  return (scrollTop / Math.max(1, room(list))) * Math.max(0, list.total - list.viewHeight / ROW);
}

/** Returns the scroll position at which this row, or a fraction of it, is at the top. */
export function scrollTopOf(row: number, list: Scrolled): number {
  const most = Math.max(0, list.total - list.viewHeight / ROW);
  return most === 0 ? 0 : (Math.min(Math.max(0, row), most) / most) * room(list);
}

/** Returns the nearest scroll position at which the whole row is visible. */
export function scrollTopToShow(index: number, scrollTop: number, list: Scrolled): number {
  const top = rowAt(scrollTop, list);
  const seen = list.viewHeight / ROW;
  if (index < top) return scrollTopOf(index, list);
  return index + 1 > top + seen ? scrollTopOf(index + 1 - seen, list) : scrollTop;
}

/** Rendered rows, from `first` to before `end`, and the row that is the origin of their positions. */
export interface Drawn {
  base: number;
  first: number;
  end: number;
}

/** Maximum distance in rows between the rendered rows and their origin, which keeps positions small. */
const FARTHEST = 5_000;

/**
 * Returns the next rendered rows. While most rows stay, they keep their positions, and all scroll together;
 * otherwise new rows take the positions of old ones, so that elements are reused.
 */
export function drawnNext({ base, ...before }: Drawn, now: Omit<Drawn, 'base'>): Drawn {
  const same = Math.min(before.end, now.end) - Math.max(before.first, now.first);
  if (2 * same < now.end - now.first) return { ...now, base: now.first - (before.first - base) };
  return { ...now, base: Math.abs(now.first - base) > FARTHEST ? now.first : base };
}

/** Reports whether a pixel of the scroll bar covers more than a pixel of the list. */
export function isCompressed({ total }: Pick<Scrolled, 'total'>): boolean {
  return total * ROW > HIGHEST;
}

/** Returns the maximum scroll position in pixels. */
function room(list: Scrolled): number {
  return Math.max(0, drawnHeight(list) - list.viewHeight);
}
