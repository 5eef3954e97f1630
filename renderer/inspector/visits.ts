/** The navigation history of an inspector: visited paths, and the current one. Pure. */

/** A value on a path: its handle, and its label. */
export interface Crumb {
  handle: string;
  label: string;
}

/** A path from a root value to the shown value, which is the last. */
export type Way = readonly [Crumb, ...Crumb[]];

export interface Visits {
  ways: readonly Way[];
  /** The index of the current path. */
  at: number;
}

/** Maximum number of entries in the history. */
const MOST = 200;

export function shownWay({ ways, at }: Visits): Way | null {
  return ways[at] ?? null;
}

export function shownCrumb(way: Way): Crumb {
  return way.at(-1) ?? way[0];
}

/** Visits a path and drops the forward entries, as a browser does. */
export function visited(visits: Visits | undefined, way: Way): Visits {
  const before = visits ? visits.ways.slice(0, visits.at + 1) : [];
  const ways = [...before, way].slice(-MOST);
  return { ways, at: ways.length - 1 };
}

/** Returns the path to a part of the shown value. */
export function intoPart(way: Way, crumb: Crumb): Way {
  return [...way, crumb];
}

/** Returns the path to a value on the path, by its index. */
export function upTo(way: Way, place: number): Way {
  const [first, ...rest] = way;
  return [first, ...rest.slice(0, place)];
}

export function moved({ ways, at }: Visits, by: 1 | -1): Visits {
  return { ways, at: Math.min(Math.max(at + by, 0), ways.length - 1) };
}

export function canMove({ ways, at }: Visits, by: 1 | -1): boolean {
  return at + by >= 0 && at + by < ways.length;
}
