/** Repetitions: few in `npm test`, all of them in `npm run soak`. */

/** How often a test goes round. */
export function rounds(counts: { usual: number; soak: number }): number {
  return process.env.LISP_HARBOR_SOAK === '1' ? counts.soak : counts.usual;
}
