/** Where an inspector has been: values with the way that led to each, and which of them it shows. Pure. */

/** A value on the way: its handle, and what it is called there. */
export interface Crumb {
  handle: string;
  label: string;
}

/** A way from a value that was asked for to the one that is shown, which is its last. */
export type Way = readonly [Crumb, ...Crumb[]];

export interface Visits {
  ways: readonly Way[];
  /** Which of them is shown. */
  at: number;
}

/** Ways that are remembered. */
const MOST = 200;

export function shownWay({ ways, at }: Visits): Way | null {
  return ways[at] ?? null;
}

export function shownCrumb(way: Way): Crumb {
  return way.at(-1) ?? way[0];
}

/** Goes on to a way; what was gone back from is forgotten, as in a browser. */
export function visited(visits: Visits | undefined, way: Way): Visits {
  const before = visits ? visits.ways.slice(0, visits.at + 1) : [];
  const ways = [...before, way].slice(-MOST);
  return { ways, at: ways.length - 1 };
}

/** The way to a part of what is shown. */
export function intoPart(way: Way, crumb: Crumb): Way {
  return [...way, crumb];
}

/** The way to a value on the way, counted from its beginning. */
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
