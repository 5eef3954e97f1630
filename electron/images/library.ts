/** The optional group of a prover that has libraries: what they prove, and what is written about them. */
import type { Findings } from '../contract/knowledge';
import type { OneForm } from '../source/code';

/** Nothing of what is asked is evaluated. Each may fail with a HarborError: `busy`, `bad_arguments`, `query_failed`, `image_lost`. */
export interface Library {
  /** A real path; absent where there are no libraries. */
  readonly folder?: string | undefined;
  /**
   * Theorems whose formula has a part that `pattern` matches, those of the world first, then those of books that are not
   * loaded, with the form that includes their book. In a pattern `?` is anything, another variable the same thing each time.
   */
  lemmas(pattern: OneForm, limit: number): Promise<Findings>;
  /** Topics of the documentation that have all of `words` in their name or text, the nearest first. */
  topics(words: readonly string[], limit: number): Promise<Findings>;
}
