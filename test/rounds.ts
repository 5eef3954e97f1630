/** How much is tried: little in `npm test`, all of them in `npm run soak`. */

/** Whether time is taken for all there is. */
export const SOAK = process.env.LISP_HARBOR_SOAK === '1';

/** How often a test goes round. */
export function rounds(counts: { usual: number; soak: number }): number {
  return SOAK ? counts.soak : counts.usual;
}
