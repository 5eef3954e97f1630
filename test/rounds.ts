/** How much is tried: a part in `npm test`, everything in `npm run soak`. */

/** Whether everything is tried. */
export const SOAK = process.env.LISP_HARBOR_SOAK === '1';

/**
 * Chooses the parts of corpora. `npm test` sets and prints it, so that every process of a run chooses alike; set
 * LISP_HARBOR_SEED to repeat a run.
 */
const SEED = Number(process.env.LISP_HARBOR_SEED ?? 1);

/** Returns how often a test repeats. */
export function rounds(counts: { usual: number; soak: number }): number {
  return SOAK ? counts.soak : counts.usual;
}

/**
 * Returns `count` elements of a corpus, chosen by the seed, in their order; all of them in soak.
 * @param name of the corpus, so that not every corpus has the same positions chosen
 */
export function sampled<T>(name: string, corpus: readonly T[], count: number): T[] {
  if (SOAK || count >= corpus.length) return [...corpus];
  const random = generator(SEED, name);
  const keyed = corpus.map((element, index) => ({ element, index, key: random() }));
  const chosen = keyed.toSorted((a, b) => a.key - b.key).slice(0, count);
  return chosen.toSorted((a, b) => a.index - b.index).map(({ element }) => element);
}

/** Numbers from 0 to 1 that depend on seed and name only (mulberry32 over an FNV-1a hash). */
function generator(seed: number, name: string): () => number {
  let state = seed | 0;
  for (const character of name) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
