/** The optional group of a prover's image that keeps code from the Lisp below it until a person allows it. */
import type { TrustIssue } from '../contract/proof';

export interface RawLispLock {
  readonly allowed: boolean;
  /** What every result rests on since it was opened; empty before. */
  readonly standing: readonly TrustIssue[];
  /** Opens it for the next evaluation on, for as long as the image lives: whoever was below could have changed anything,
   * so no later result can be believed and nothing closes it again. */
  allow(): void;
}
