/** How many images to keep ready, from the openings of late. Pure; times are milliseconds. */

/** For how long an opening is a reason to expect another one. */
export const REMEMBERED_MS = 10 * 60_000;

/** Images ready for one kind of session at most. */
const MOST_READY = 4;

/** Those openings that still count. */
export function recent(openings: readonly number[], now: number): number[] {
  return openings.filter((at) => now - at < REMEMBERED_MS);
}

/** None when nothing was opened; twice as many openings are a reason for one more. */
export function wanted(openings: readonly number[]): number {
  return Math.min(MOST_READY, Math.floor(Math.log2(openings.length + 1)));
}
