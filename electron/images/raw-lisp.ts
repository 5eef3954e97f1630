/** The optional group of a prover's image that keeps code from the Lisp below it until a person allows it. */
export interface RawLispLock {
  readonly allowed: boolean;
  /** Opens it for the next evaluation on, for as long as the image lives: whoever was below could have changed anything,
   * so no later result can be believed and nothing closes it again. */
  allow(): void;
}
