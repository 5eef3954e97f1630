/**
 * Keys of entries: whole numbers that grow with the time at which an entry began, so that a page goes on after a key, and a
 * date is a key as well.
 */

/** Keys of one millisecond; a key is exact as a number until the year 2109. */
const OF_A_MILLISECOND = 2048;

/** The first key of what begins at this time. @param at milliseconds since the epoch */
export function firstKeyAt(at: number): number {
  return Math.max(0, Math.trunc(at)) * OF_A_MILLISECOND;
}

/** Where the keys of one millisecond begin: what comes before it, but is looked at later, has room as well. */
export function middleKeyAt(at: number): number {
  return firstKeyAt(at) + OF_A_MILLISECOND / 2;
}

/** The time of a key, in milliseconds since the epoch. */
export function timeOfKey(key: number): number {
  return Math.floor(key / OF_A_MILLISECOND);
}
